"""Make one HTML page of a whole game: everything that the page shows is worked out here, step by step.

The page (data/page) holds the drawings of the tiles once, and for each step what changed; its script puts them together
and asks nothing of any server. The short names of its data are explained where they are made.
"""

import base64
import html
import json
import re
import zlib
from importlib.resources import files
from typing import Any

import bastide
from bastide.actions import FIGURES
from bastide.game import CASTLE, KINDS, TOWER, Game, State
from bastide.record import Record
from bastide.render.atlas import Sheet, atlas
from bastide.render.palette import PLAYERS, on_colour
from bastide.render.scene import figure_name, pieces, sheets
from bastide.render.svg import definitions

__all__ = ["replay_page"]

MAX_ROWS = 12  # entries of a list among the search statistics of a move
_KINDS = tuple(KINDS.values())


def replay_page(record: Record, game: Game | None = None) -> str:
    """Return a game as one HTML page without any outside reference.

    `game` is needed for own tiles only. Errors: RecordError as for `Record.replay`.
    """
    story = _Story(record, record.new_state(game).game)
    data = json.dumps(story.data(), separators=(",", ":"), ensure_ascii=False).replace("<", "\\u003c")
    title = " – ".join(record.players)
    parts = {
        "TITLE": html.escape(title),
        "STYLE": _part("page.css"),
        "DEFS": _USE.sub(r"~\1 \2 \3;", story.definitions()),
        "DATA": data,
        "SEARCH": _packed(record),
        "SCRIPT": _part("page.js"),
    }
    text = _part("page.html")
    for name, part in parts.items():
        text = text.replace(f"<!--{name}-->", part)  # no part holds a mark: < is escaped
    return text


# The most frequent element of the drawings, written shorter; the page's script puts it back.
_USE = re.compile(r'<use href="#bs-([a-z][a-z0-9]*)" x="(-?[0-9]+)" y="(-?[0-9]+)"/>')


def _packed(record: Record) -> str:
    """Return the search statistics by step, as JSON that is compressed and written in base 64; "" without any."""
    found = {
        i: {key: value[:MAX_ROWS] if isinstance(value, list) else value for key, value in search.items()}
        for i, search in enumerate(record.search or (), start=1)
        if search
    }
    if not found:
        return ""
    text = json.dumps(found, separators=(",", ":"), ensure_ascii=False)
    return base64.b64encode(zlib.compress(text.encode(), 9)).decode()


def _part(name: str) -> str:
    return (files("bastide") / "data" / "page" / name).read_text(encoding="utf-8")


class _Story:
    """Follow a game and note what each step changes."""

    def __init__(self, record: Record, game: Game) -> None:
        self.record, self.game = record, game
        self.sheets: dict[Sheet, int] = {}
        self.tiles: list[list[int]] = []  # sheet, x, y, number of the first segment
        # Depth, drawing, and of figures owner, kind and segment (-1: on a tower or castle).
        self.pieces: list[list[Any]] = []
        self._piece_of: dict[str, int] = {}
        self._there: set[int] = set()
        self._root_of: dict[int, int] = {}  # segment -> the least of its feature
        self._worth: dict[int, list[int]] = {}  # least segment -> closed, points, open edges
        self._supplies: dict[str, Any] = {}
        self._left = _left(game.new_state())
        self.first_left = dict(self._left)
        self._n_segments = 0
        self.steps = self._followed()

    def data(self) -> dict[str, Any]:
        """Return what the page's script reads."""
        rules, record = self.game.rules, self.record
        drawn = atlas(self.game)
        shown: dict[int, int] = {}  # tile -> a sheet of it that is on the page anyway
        for core_type, (index, _, _) in enumerate(self.game._types):
            for q in range(4):
                sheet = drawn.known(core_type, q)
                if sheet in self.sheets and index not in shown:
                    shown[index] = self.sheets[sheet]
        for index in self.first_left:
            if index not in shown:
                shown[index] = self._sheet_number(drawn.sheet(index, 0))
        return {
            "players": list(record.players),
            "colours": [[PLAYERS[seat], on_colour(seat)] for seat in range(rules.players)],
            "game": [f"bastide {bastide.__version__}", repr(rules), None if record.seed is None else str(record.seed)],
            "kinds": _KINDS,
            "sheets": [
                [sheet.id, [[_KINDS.index(area.kind), area.path, int(area.is_line)] for area in sheet.areas]]
                for sheet in self.sheets
            ],
            "ids": [tile.id for tile in self.game.tiles],
            "shown": shown,
            "tiles": self.tiles,
            "pieces": self.pieces,
            "left": self.first_left,
            "steps": self.steps,
        }

    def definitions(self) -> str:
        """Return the drawings that the page needs; to be asked after `data`."""
        return definitions(self.sheets)

    def _followed(self) -> list[dict[str, Any]]:
        steps = []
        before: tuple[int, int] = (0, 0)
        for i, state in enumerate(self.record.states(self.game)):
            step = self._step(state)
            if i:
                text = self.record.moves[i - 1]
                step["m"] = text
                step["p"], step["t"] = before  # who was to move, in which turn
            before = (state.turn_player if state.is_chance else state.current_player), state.turn
            steps.append(step)
        return steps

    def _step(self, state: State) -> dict[str, Any]:
        """Return what has changed since the step before; keys are left out where nothing has."""
        step: dict[str, Any] = {"s": list(state.scores)}
        placed = sheets(state)
        for sheet, x, y in placed[len(self.tiles) :]:
            self.tiles.append([self._sheet_number(sheet), x, y, self._n_segments])
            self._n_segments += len(sheet.areas)
        step["n"] = len(placed)
        self._note_pieces(state, placed, step)
        self._note_features(state, step)
        if state.drawn_tile is not None:
            step["d"] = state.drawn_tile
        if state.score_events:
            step["e"] = [
                [event.player, event.points, event.source, [[x, y] for x, y in event.cells]]
                for event in state.score_events
            ]
        supplies = self._supplies_of(state)
        changed = {name: value for name, value in supplies.items() if self._supplies.get(name) != value}
        if changed:
            step["r"] = changed
        self._supplies = supplies
        left = _left(state)
        fewer = {tile: n for tile, n in left.items() if self._left[tile] != n}
        if fewer:
            step["l"] = fewer
        self._left = left
        return step

    def _sheet_number(self, sheet: Sheet) -> int:
        return self.sheets.setdefault(sheet, len(self.sheets))

    def _note_pieces(self, state: State, placed: list[tuple[Sheet, int, int]], step: dict[str, Any]) -> None:
        """Note the pieces that came ("+") and went ("-"), by their numbers in `pieces`."""
        owned = {
            figure_name(raw): [
                raw[0],
                FIGURES[raw[1]],
                -1 if raw[4] in (TOWER, CASTLE) else self.tiles[raw[2]][3] + raw[3],
            ]
            for raw in state._figures()
        }
        there = set()
        for name, (depth, text) in pieces(state, placed).items():
            key = f"{name} {depth} {text}"
            if key not in self._piece_of:
                self._piece_of[key] = len(self.pieces)
                self.pieces.append([round(depth), text, *owned.get(name, ())])
            there.add(self._piece_of[key])
        for sign, numbers in (("+", there - self._there), ("-", self._there - there)):
            if numbers:
                step[sign] = sorted(numbers)
        self._there = there

    def _note_features(self, state: State, step: dict[str, Any]) -> None:
        """Note segments that were joined ("u": pairs), and features worth something else now ("f")."""
        joined: list[int] = []
        changed: list[list[int]] = []
        for _, members, _, closed, points, open_edges in state._features():
            numbers = sorted(self.tiles[i][3] + segment for i, segment in members)
            root = numbers[0]
            for old in sorted({self._root_of.get(number, number) for number in numbers} - {root}):
                joined += (root, old)
            self._root_of.update(dict.fromkeys(numbers, root))
            worth = [int(closed), points, open_edges]
            if self._worth.get(root) != worth:
                self._worth[root] = worth
                changed.append([root, *worth])
        if joined:
            step["u"] = joined
        if changed:
            step["f"] = changed

    def _supplies_of(self, state: State) -> dict[str, Any]:
        """Return what each player has in hand and holds, and what is shared."""
        supplies: dict[str, Any] = {"left": state.tiles_left, **state.pieces.shared}
        if state.stolen_tile is not None:
            supplies["stolen"] = self.game.tiles[state.stolen_tile].id
        elif "thieves" in self.game.rules.boxes:
            supplies["stolen"] = None
        for seat, (figures, floors, prisoners) in enumerate(
            zip(state.supply, state.pieces, state.prisoners, strict=True)
        ):
            held = [[kind, owner, n] for (kind, owner), n in prisoners.items()]
            supplies[f"p{seat}"] = [figures, dict(floors), held]
        return supplies


def _left(state: State) -> dict[int, int]:
    """Return how many of each tile can still be drawn."""
    return dict(enumerate(state._left()))
