"""Helpers for the tests of the reference: scripted turns, and positions laid out by hand."""

from collections import Counter

from . import Game
from .figures import put
from .placing import fits


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
    game.piles.deck = Counter(tiles) + Counter({filler: 50} if filler else {})


def lay(game, tile_id, x, y, rotation=0, bridge=None):
    """Put a tile on the board, wherever it is, but matching the tiles that it touches."""
    tile = game.tiles[tile_id]
    assert fits(game.map, tile.faces[rotation], x, y, 1) in ("", bridge), f"{tile_id} does not fit at {x},{y}"
    game.map.place(tile, x, y, rotation, bridge)


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


def turn(game, tile_id, *actions):
    """Draw a tile (dealing it first), do the actions, pass over the rest of the turn. Returns all score events."""
    if game.piles.deck["base.X"] == 50:
        game.piles.deck[tile_id] += 1
    events = []
    number = game.turn
    game.draw(tile_id)
    events += game.score_events
    for action in actions:
        game.apply(action)
        events += game.score_events
    while not game.is_terminal and game.turn == number:
        legal = game.legal()
        game.apply("pass" if "pass" in legal else "no building")
        events += game.score_events
    return events


def begin(game, tile_id, *actions):
    """Draw a tile (dealing it first) and do the actions; the turn goes on."""
    if game.piles.deck["base.X"] == 50:
        game.piles.deck[tile_id] += 1
    game.draw(tile_id)
    for action in actions:
        game.apply(action)


def lines(game, *starts):
    """The legal actions that begin with one of these words."""
    return [text for text in game.legal() if text.startswith(starts)]
