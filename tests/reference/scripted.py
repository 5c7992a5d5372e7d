"""Helpers for the tests of the reference: scripted turns, and positions laid out by hand."""

from collections import Counter

from . import Game
from .board import neighbour
from .figures import put
from .tiles import OPPOSITE

FILLERS = 50


def own_file(tmp_path, text):
    """A tile file of one's own, for Game(tiles=...)."""
    path = tmp_path / "own.toml"
    path.write_text("format = 1\n" + text, encoding="utf-8")
    return str(path)


def position(*boxes, players=2, **options):
    """A game for positions laid out by hand: the deck is a heap of base.X, which no test places."""
    game = Game(boxes=boxes, players=players, **options)
    deal(game)
    return game


def deal(game, *tiles, filler="base.X"):
    """The deck now holds these tiles, and more of the filler than any test needs (none with filler=None)."""
    game.piles.deck = Counter(tiles) + Counter({filler: FILLERS} if filler else {})


def lay(game, tile_id, x, y, rotation=0, bridge=None):
    """Put a tile on the board, wherever it is, but matching the tiles that it touches."""
    game.map.place(game.tiles[tile_id], x, y, rotation, bridge)
    for side, letter in game.map.cells[x, y].edges.items():
        other = game.map.cells.get(neighbour(x, y, side))
        assert other is None or other.edges[OPPOSITE[side]] == letter, f"{tile_id} at {x},{y} does not fit"


def lay_fields(game, cells):
    """Plain field tiles (castle.J) on these cells."""
    for x, y in cells:
        lay(game, "castle.J", x, y)


def block(x, y, radius):
    """The cells of a square round a cell."""
    return [(x + dx, y + dy) for dx in range(-radius, radius + 1) for dy in range(-radius, radius + 1)]


def stand(game, owner, x, y, spot, kind="meeple"):
    """Put a figure from supply on the segment of this text (or on the tower) of a cell."""
    segments = [(x, y, i) for i, s in enumerate(game.map.cells[x, y].segments) if s.text == spot]
    return put(game, owner, kind, x, y, spot, segments[0] if segments else None)


def begin(game, tile_id, *actions):
    """Draw a tile and do the actions; the turn may go on. Returns all score events so far."""
    if game.piles.deck["base.X"] == FILLERS:  # a position: the tile is dealt now
        game.piles.deck[tile_id] += 1
    game.draw(tile_id)
    events = list(game.score_events)
    for action in actions:
        game.apply(action)
        events += game.score_events
    return events


def turn(game, tile_id, *actions):
    """Draw a tile, do the actions and pass over the rest of the turn. Returns all score events."""
    number = game.turn
    events = begin(game, tile_id, *actions)
    while not game.is_terminal and game.turn == number:
        legal = game.legal()
        game.apply("pass" if "pass" in legal else "no building")
        events += game.score_events
    return events


def lines(game, *starts):
    """The legal actions that begin with one of these words."""
    return [text for text in game.legal() if text.startswith(starts)]
