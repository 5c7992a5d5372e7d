"""Reference implementation of the rules: slow, plain, and independent of the package it is compared with."""

from .game import Game

__all__ = ["Game"]
