"""Lay small positions and play scripted turns, so that a test of a rule reads like the rule.

    table = Table("A/270 *D .", "0 -1,0 road E", deck="A")     # a board, who stands on it, what will be drawn
    with table:                                                # fails if a tile of the deck is left undrawn
        assert table.turn("place 1,0 90") == [(0, 3, "road")]  # the points that a turn brings

A board is a picture: a row of tiles a line, north up, `.` for an empty cell. A tile is a word: `A` is base.A,
`plain` is own.plain (data/tiles/own.toml), anything with a dot is an id; `/90` turns it clockwise, `=EW` lays
it with a bridge; `*` marks the start tile, which lies at 0,0 and is not turned. The game has just these tiles
and those of the deck, plus one that nobody draws so that it does not end; `ends=True` leaves that one out.

Nothing is put on the board but by legal moves: the tiles are laid in some order in which each figure's owner
has the turn when its tile is laid. Figures are written as `OWNER X,Y SPOT` (a meeple). To do more in the turn
in which the tile at X,Y is laid, write `OWNER X,Y: ACTION; ACTION`.
"""

import re
import tomllib
from collections import Counter
from functools import cache
from pathlib import Path

from bastide import Game, Rules, TileSet
from bastide.rules import BOXES

TILE_FILES = [Path(__file__).parent / "data" / "tiles" / name for name in ("own.toml", "walls.toml")]
MAX_TRIES = 20_000  # of laying a picture


@cache
def own_definitions():
    """The text of all tiles of the tests' own tile files."""
    texts = [path.read_text() for path in TILE_FILES]
    return "".join(text[text.index("[[tile]]") :] for text in texts)


@cache
def own_ids():
    return frozenset(tile["id"] for tile in tomllib.loads(own_definitions())["tile"])


def tile_id(word):
    """The id that a word of a picture stands for."""
    if "." in word:
        return word
    return f"own.{word}" if f"own.{word}" in own_ids() else f"base.{word}"


@cache
def home_set(tile, rules):
    """The set from which a game with these rules takes a built-in tile; the base game's if from none."""
    sets = TileSet.builtin().sets
    for box, name in rules.tile_sets.items():
        if any(tile in sets[edition] for edition in BOXES[box].tile_sets.values()):
            return name
    return rules.tile_sets["base"]


def tile_set(counts, start, rules):
    """Sets of these tiles (words with counts) and no others for the boxes in play, and the start tile."""
    sets = {name: Counter() for name in rules.tile_sets.values()}
    for word, count in counts.items():
        sets[home_set(tile_id(word), rules)][tile_id(word)] += count
    base, first = sets[rules.tile_sets["base"]], tile_id(start)
    if not base[first]:  # the start tile is one of the base set
        base[first] += 1
        sets[home_set(first, rules)][first] -= 1
    for tiles in sets.values():
        if not +tiles:  # a set has a tile at least: let it bring one that the base set has
            tile = next(tile for tile, count in base.items() if count > (tile == first))
            base[tile] -= 1
            tiles[tile] += 1
    lines = ["format = 1", 'box = "base"', f'start = "{first}"']
    for name, tiles in sets.items():
        lines.append(f"[sets.{name}]")
        lines += [f'"{tile}" = {count}' for tile, count in tiles.items() if count]
    return TileSet.loads("\n".join(lines) + "\n" + own_definitions(), "test tiles")


def own_game(counts, start, **options):
    """A game of these tiles only, the start tile among them; of edition c1 if the options name none."""
    rules = Rules(**({"edition": "c1"} | options))
    return Game(rules, tile_set(counts, start, rules))


def legal(state, *starts):
    """The texts of the legal actions, or of those that begin with one of these words."""
    return [text for text in map(state.action_text, state.legal_actions()) if text.startswith(starts or "")]


def points(state):
    """What the last step scored, as sorted (player, points, source)."""
    return sorted((event.player, event.points, event.source) for event in state.score_events)


def play(state, *steps):
    """Do `draw TILE` and actions in text; fail where one is not legal. Returns all points, in order."""
    gained = []
    for step in steps:
        if step.startswith("draw "):
            assert state.is_chance, f"{step!r} in phase {state.phase!r}"
            tile = state.game.tile_index(tile_id(step.removeprefix("draw ")))
            assert tile in [t for t, _, _ in state.draws()], f"{step!r}: there is none left"
            state.draw(tile)
        else:
            action = state.parse_action(step)
            assert action in state.legal_actions(), f"{step!r} is not among {legal(state)}"
            state.apply(action)
        gained += points(state)
    return gained


def read_picture(picture):
    """Return {(x, y): (word, rotation and bridge)} and the word of the start tile."""
    rows = [line.split() for line in picture.strip().splitlines()]
    starts = [(x, y) for y, row in enumerate(rows) for x, word in enumerate(row) if word.startswith("*")]
    assert len(starts) == 1, "a picture has one start tile, marked by *"
    x0, y0 = starts[0]
    cells = {}
    for y, row in enumerate(rows):
        for x, word in enumerate(row):
            if word != ".":
                name, turn, axis = re.fullmatch(r"\*?([^/=]+)(?:/(\d+))?(?:=(NS|EW))?", word).groups()
                cells[x - x0, y - y0] = name, f"{turn or 0} bridge {axis}" if axis else turn or "0"
    assert cells[0, 0][1] == "0", "the start tile is not turned"
    return cells, cells[0, 0][0]


class Table:
    """A state laid from a picture, and a script of draws for what follows."""

    def __init__(self, picture, *figures, deck="", ends=False, **options):
        self.cells, start = read_picture(picture)
        self.script = deck.split()
        counts = Counter(name for name, _ in self.cells.values()) + Counter(self.script)
        if not ends:
            counts["plain"] += 1
        self.game = own_game(counts, start, **options)
        self.state = self.game.new_state()
        self.wanted = {}  # cell: whose turn, and the actions after laying the tile
        for text in figures:
            owner, x, y, colon, rest = re.fullmatch(r"(\d) (-?\d+),(-?\d+)(:?) (.+)", text).groups()
            actions = rest.split("; ") if colon else [f"deploy meeple {x},{y} {rest}"]
            self.wanted[int(x), int(y)] = int(owner), actions
        assert self.wanted.keys() <= self.cells.keys() - {(0, 0)}, "a figure where no tile is laid"
        self.tried = set()
        assert self.lay(frozenset(self.cells) - {(0, 0)}), "the picture cannot be laid with these figures"
        assert len(self.state.figures) == len(figures) or any(":" in text for text in figures)

    def lay(self, left):
        """Lay the cells that are left in an order that works; True if there is one."""
        state = self.state
        if not left:
            return True
        if left in self.tried:
            return False
        self.tried.add(left)
        assert len(self.tried) < MAX_TRIES, "no order found in which the picture could be laid"
        there = {(tile.x, tile.y) for tile in state.board}
        scores = state.scores
        for x, y in sorted(left):
            owner, actions = self.wanted.get((x, y), (state.turn_player, ["pass"]))
            if owner != state.turn_player or there.isdisjoint({(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)}):
                continue
            steps = 0
            name, turn = self.cells[x, y]
            for text in (f"draw {name}", f"place {x},{y} {turn}", *actions):
                if state.phase == "build" and not text.startswith(("castle", "barn")):
                    play(state, "no building")
                    steps += 1
                if text == "pass" and state.phase not in ("figure", "capture"):
                    continue
                if not self.is_possible(text):
                    break
                play(state, text)
                steps += 1
            else:
                if (state.scores == scores or state.is_terminal) and self.lay(left - {(x, y)}):
                    return True
            for _ in range(steps):
                state.undo()
        return False

    def is_possible(self, text):
        """Tell whether a step of laying the picture can be done now; a figure may find its feature taken."""
        if text.startswith("draw") or (text.startswith("place") and "bridge" not in text):
            return True
        return not self.state.is_chance and text in legal(self.state)

    def draw(self):
        """Draw the next tile of the script; returns the points that brings (at the end of the game)."""
        assert self.script, "the script has no draw left"
        return play(self.state, f"draw {self.script.pop(0)}")

    def turn(self, *actions):
        """Draw the next tile, do the actions, pass over the rest of the turn; returns all points, sorted."""
        turn = self.state.turn
        gained = self.draw()
        gained += play(self.state, *actions)
        if self.state.phase == "build":
            gained += play(self.state, "no building")
        if self.state.turn == turn and not self.state.is_terminal:
            gained += play(self.state, "pass")
        assert self.state.turn == turn + 1, "the turn is not over"
        return sorted(gained)

    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        if kind is None:
            assert not self.script, f"left undrawn: {self.script}"
            assert self.state.faults() == []


def feature(state, x, y, spot):
    """The feature that holds the segment of this name on the tile at a cell."""
    return next(f for f in state.features() if (x, y, spot) in f.segments)
