"""Games and their positions: `Game` = rules with compiled tiles, `State` = one position of it.

The rules are played by the core (`bastide._core.api`); this module gives its numbers names. The text form of actions is
in `actions`, records are in `record`.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from bastide._core import api
from bastide.actions import COLOURS, FIGURES, action_text, parse_action
from bastide.bulk import playouts
from bastide.deck import Deck
from bastide.errors import RulesError, SnapshotError, show
from bastide.rules import RULES_VERSION, Rules
from bastide.spots import spot_codes, spot_names
from bastide.tables import bridged_tiles, compile_tables, type_tiles
from bastide.tile import Tile
from bastide.tiles import Selection, TileSet, select

if TYPE_CHECKING:
    from bastide.actionindex import ActionIndex

KINDS = {1: "field", 2: "road", 3: "city", 5: "monastery", 6: "garden"}
TOWER, CASTLE, BARN = 1, 2, 3  # figure places of the core besides 0, a segment


@dataclass(frozen=True, slots=True)
class PlacedTile:
    """A tile on the board."""

    tile: int  # index into game.tiles
    x: int
    y: int
    rotation: int  # degrees clockwise
    bridge: str | None = None  # its axis, "NS" or "EW"
    floors: tuple[str, ...] = ()  # of its tower, from the ground: "normal", "black", "white"
    top: "Figure | None" = None  # the figure on its tower


@dataclass(frozen=True, slots=True, order=True)
class Figure:
    """A figure on the board."""

    owner: int
    kind: str  # "meeple", "abbot", "maiden"
    x: int
    y: int
    place: str  # its spot as in the text of actions, e.g. "city NW", "monastery", "tower"


@dataclass(frozen=True, slots=True)
class Feature:
    """A city, road, field, monastery or garden on the board."""

    kind: str
    closed: bool
    tiles: tuple[tuple[int, int], ...]  # its cells (x, y), each once
    points: int  # what it would pay its majority now: closed as in play, open as at the end
    figures: tuple[Figure, ...]
    open_edges: int  # monastery, garden: empty neighbour cells; field: 0
    segments: tuple[tuple[int, int, str], ...]  # (x, y, name), e.g. (0, 0, "road EW")


@dataclass(frozen=True, slots=True)
class ScoreEvent:
    """Points that one player got at once."""

    player: int
    points: int
    source: str
    cells: tuple[tuple[int, int], ...]  # of the scored feature
    figures: tuple[Figure, ...]  # the player's, that it was scored for


class Pieces(tuple[Mapping[str, int], ...]):
    """The pieces besides figures that each player has left, by kind; `shared`: those of all together."""

    shared: Mapping[str, int]


class Game(api.Tables):
    """Rules with compiled tiles: what all states of a game share. Immutable; may be shared by threads.

    `tiles` are own tiles (`TileSet.load`) whose sets replace built-in sets of the same name.

    Errors: RulesError, TileDataError.

    >>> game = Game(Rules(players=2))
    >>> state = game.new_state()
    >>> state.phase, len(game.tiles), state.tiles_left
    ('draw', 32, 71)
    """

    rules: Rules
    tiles: tuple[Tile, ...]
    tile_set: TileSet | None
    selection: Selection
    _types: tuple[tuple[int, int | None, Tile], ...]

    def __init__(self, rules: Rules | None = None, tiles: TileSet | None = None) -> None:
        rules = Rules() if rules is None else rules
        if not isinstance(rules, Rules):
            raise RulesError(f"rules must be a bastide.Rules, got {show(rules)}; a preset is Rules.preset(name)")
        if tiles is not None and not isinstance(tiles, TileSet):
            raise RulesError(f"tiles must be a bastide.TileSet, got {show(tiles)}; a file is TileSet.load(path)")
        selection = select(rules, tiles)
        self._fill(compile_tables(rules, selection))
        own = self.__dict__
        own["rules"], own["tile_set"], own["selection"] = rules, tiles, selection
        own["tiles"] = tuple(tile for tile, _ in type_tiles(selection))
        # What each of the core's types is: index into tiles, axis of its bridge, the tile with it.
        plain = [(i, None, tile) for i, tile in enumerate(self.tiles)]
        with_bridge = bridged_tiles(self.tiles) if "bridges-castles" in rules.boxes else []
        own["_types"] = (*plain, *with_bridge)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a game is immutable: {name} cannot be set")

    @cached_property
    def fingerprint(self) -> int:
        """64-bit hash of the rules (`Rules.chosen`) and of all tile data that matters for them."""
        facts = {"version": RULES_VERSION, "rules": self.rules.chosen(), "tiles": self.selection.canonical()}
        text = json.dumps(facts, sort_keys=True, separators=(",", ":"))
        return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "little")

    @cached_property
    def _spots(self) -> tuple[tuple[tuple[str, ...], ...], ...]:
        """Names of the segments, by type, rotation and segment."""
        return tuple(tuple(spot_names(tile, q) for q in range(4)) for _, _, tile in self._types)

    @cached_property
    def _codes(self) -> tuple[tuple[tuple[int, ...], ...], ...]:
        """Spot codes of the segments, by type, rotation and segment."""
        return tuple(tuple(spot_codes(tile, q) for q in range(4)) for _, _, tile in self._types)

    @cached_property
    def _rotations(self) -> tuple[tuple[int, int, int, int], ...]:
        """The smallest equal rotation of each, by tile and rotation (B4)."""
        return tuple(tile.rotations()[1] for tile in self.tiles)

    @cached_property
    def _index(self) -> dict[str, int]:
        return {tile.id: i for i, tile in enumerate(self.tiles)}

    def tile_index(self, tile_id: str) -> int:
        """Return the index into `tiles` of a tile id; KeyError if the game has no such tile."""
        return self._index[tile_id]

    @cached_property
    def index(self) -> "ActionIndex":
        """The numbers of actions over the default window: `ActionIndex(game)`."""
        from bastide.actionindex import ActionIndex

        return ActionIndex(self)

    def new_state(self) -> "State":
        """Return the position before the first draw."""
        return State(self)

    @cached_property
    def _identity(self) -> int:
        """What snapshots are tied to: the fingerprint and the versions behind it."""
        text = f"{self.fingerprint:016x} {RULES_VERSION} {api.RANDOM_VERSION_}"
        return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "little")

    def state_from_bytes(self, data: bytes) -> "State":
        """Return the position of a snapshot (`State.to_bytes`), with an empty history.

        Errors: SnapshotError if the bytes are damaged, of another game or version, or hold no possible position.
        """
        if not isinstance(data, (bytes, bytearray, memoryview)):
            raise SnapshotError(f"a snapshot is bytes, got {type(data).__name__}")
        state = State(self)
        state._load(bytes(data), self._identity)
        return state

    def shuffled_deck(self, rng: api.Rng) -> Deck:
        """Return a random order of all tiles, pile by pile."""
        return Deck.shuffled(self, rng)

    def playouts(
        self,
        n: int,
        seed: int = 0,
        start: int = 0,
        threads: int | None = None,
        policy: str = "uniform",
        stats: bool = False,
    ) -> Any:
        """Play `n` whole games; see `bastide.bulk.playouts`."""
        return playouts(self, None, n, seed, start, threads, policy, stats)

    def __repr__(self) -> str:
        return f"Game({self.rules!r})" if self.tile_set is None else f"<Game {self.rules!r}, {self.tile_set!r}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return Game, (self.rules, self.tile_set)

    def __copy__(self) -> "Game":
        return self  # it never changes

    def __deepcopy__(self, memo: dict[int, Any]) -> "Game":
        return self


class State(api.State):
    """A position of a game. Made by `Game.new_state`, `copy` and `Game.state_from_bytes`; for one thread at a time.

    >>> state = Game(Rules()).new_state()
    >>> state.draw(state.game.tile_index("base.U"))
    >>> [state.action_text(a) for a in state.legal_actions()]
    ['place -1,0 0', 'place 1,0 0', 'place 0,1 0']
    """

    __slots__ = ()
    game: Game

    __hash__ = None  # type: ignore[assignment]

    def shuffled_deck(self, rng: api.Rng) -> Deck:
        """Return a random order of the tiles that are left, pile by pile."""
        return Deck.rest(self, rng)

    def playouts(
        self,
        n: int,
        seed: int = 0,
        start: int = 0,
        threads: int | None = None,
        policy: str = "uniform",
        stats: bool = False,
    ) -> Any:
        """Play this position to the end `n` times; see `bastide.bulk.playouts`. The state stays as it is."""
        return playouts(self.game, self, n, seed, start, threads, policy, stats)

    def playout(self, rng: api.Rng, trace: bool = False) -> Any:
        """Play a copy to its end by the uniform policy; return the scores.

        With `trace` also the list of steps, each ("draw", tile) or ("action", action): `(scores, steps)`.
        """
        scores, steps = self._playout(rng, trace)
        if not trace:
            return scores
        return scores, [("draw", -1 - step) if step < 0 else ("action", step) for step in steps]

    def observation(self, out: Any = None, index: "ActionIndex | None" = None) -> Any:
        """Return feature planes, uint8 (len(plane_names(game)), size, size); row 0 is north, column 0 west.

        The window is that of `index`, by default of `game.index`: 41 x 41 cells about the middle of the board.
        What each plane holds is said in docs/search.md; players are counted from the one who decides. `out` is an array
        to fill. Errors: BastideError for an array or index that does not suit.
        """
        from bastide.planes import observation

        return observation(self, self.game.index if index is None else index, out)

    def scalars(self, out: Any = None) -> Any:
        """Return what has no place on the board, float32 (len(scalar_names(game)),): scores, supplies, ..."""
        from bastide.planes import scalars

        return scalars(self, out)

    def action_text(self, action: int) -> str:
        """Return the text of a legal action (docs/actions.md); InvalidActionError if it names nothing there is."""
        return action_text(self, action)

    def parse_action(self, text: str) -> int:
        """Return the action that a text says; InvalidActionError if it cannot be parsed here. Legality is not asked."""
        return parse_action(self, text)

    def to_bytes(self) -> bytes:
        """Return a snapshot: all that influences later behaviour, versioned and with a checksum."""
        return self._to_bytes(self.game._identity)

    def __eq__(self, other: object) -> bool:
        """Tell whether both are the same position of the same rules and tiles."""
        if not isinstance(other, State):
            return NotImplemented
        return self.game.fingerprint == other.game.fingerprint and self._position() == other._position()

    def _position(self) -> tuple[Any, ...]:
        """Return what makes this position, whatever moves led to it."""
        tiles = self._tiles()
        last = None if self.phase in ("draw", "place", "end") else self._tiles()[-1]
        return (
            (self.phase, self.turn_player, self.current_player, self.drawn_tile, self.scores, last),
            self._left(),
            sorted(tiles),
            self.figures,
            sorted((tiles[i], colours) for i, colours, _ in self._towers()),
            (self.pieces, self.pieces.shared),
            sorted((tiles[i], segment) for i, segment in self._castles()),
            self.prisoners,
            tuple(tiles[i] if name == "floor" else i for name, i in self._in_turn().items()),
        )

    def __reduce__(self) -> tuple[Any, ...]:
        return _restore, (self.game, self.to_bytes())

    def __copy__(self) -> "State":
        return self.copy()

    def __deepcopy__(self, memo: dict[int, Any]) -> "State":
        return self.copy()

    @property
    def board(self) -> tuple[PlacedTile, ...]:
        """The placed tiles, in the order of placing."""
        floors = {tile: tuple(COLOURS[i] for i in colours) for tile, colours, _ in self._towers()}
        tops = {}
        tiles = self._tiles()
        for raw in self._figures():
            if raw[4] == TOWER:
                (tops[raw[2]],) = self._named_figures([raw], tiles)
        return tuple(
            PlacedTile(
                self.game._types[tile][0],
                x,
                y,
                90 * q,
                self._bridge(tile, q),
                floors.get(i, ()),
                tops.get(i),
            )
            for i, (tile, q, x, y) in enumerate(tiles)
        )

    @property
    def figures(self) -> tuple[Figure, ...]:
        """The figures on the board, sorted."""
        return self._named_figures(self._figures(), self._tiles())

    def features(self) -> tuple[Feature, ...]:
        """Return the features on the board, in the order in which their first tiles were placed."""
        tiles = self._tiles()
        on_feature: dict[int, list[Figure]] = {}
        labels = {}
        rows = self._features()
        for label, segments, *_ in rows:
            for segment in segments:
                labels[segment] = label
        for raw in self._figures():
            if raw[4] in (0, BARN):
                on_feature.setdefault(labels[raw[2], raw[3]], []).extend(self._named_figures([raw], tiles))
        return tuple(
            Feature(
                KINDS[kind],
                closed,
                self._cells(segments, tiles),
                points,
                tuple(sorted(on_feature.get(label, ()))),
                open_edges,
                tuple(sorted((tiles[i][2], tiles[i][3], self._spot_name(tiles[i], k)) for i, k in segments)),
            )
            for label, segments, kind, closed, points, open_edges in rows
        )

    @property
    def supply(self) -> tuple[dict[str, int], ...]:
        """Figures in hand of each player, by kind."""
        kinds = FIGURES[: 2 if self.game.rules.abbot else 1]
        return tuple(dict(zip(kinds, self._supply(player), strict=False)) for player in range(self.game.rules.players))

    @property
    def prisoners(self) -> tuple[dict[tuple[str, int], int], ...]:
        """Prisoners of each holder: (kind, owner) -> how many (T6)."""
        return tuple(
            {(FIGURES[kind], owner): n for owner, kind, n in self._prisoners(holder)}
            for holder in range(self.game.rules.players)
        )

    @property
    def pieces(self) -> Pieces:
        """Pieces besides figures that are left."""
        boxes = self.game.rules.boxes
        colours = COLOURS if "black-tower" in boxes else COLOURS[:1] if "tower" in boxes else ()
        pieces = Pieces(
            dict(zip(colours, self._floors(player), strict=False)) for player in range(self.game.rules.players)
        )
        pieces.shared = self._shared()
        return pieces

    @property
    def score_events(self) -> tuple[ScoreEvent, ...]:
        """What the last draw or action scored; empty after undo, copy and restore."""
        events = self._events()
        if not events:
            return ()
        tiles = self._tiles()
        members = {label: segments for label, segments, *_ in self._features()}
        return tuple(
            ScoreEvent(
                player,
                points,
                source,
                () if label is None else self._cells(members[label], tiles),
                self._named_figures(figures, tiles),
            )
            for player, points, source, label, figures in events
        )

    def to_svg(self, **options: Any) -> str:
        """Return a picture of the board as an SVG document; options as for `bastide.render.svg.board_svg`."""
        from bastide.render.svg import board_svg

        return board_svg(self, **options)

    def _repr_svg_(self) -> str:
        """What a notebook shows."""
        return self.to_svg(width=720)

    def __repr__(self) -> str:
        return f"<State turn {self.turn}, phase {self.phase}, player {self.current_player}, scores {self.scores}>"

    # -- names for the core's numbers

    def _bridge(self, core_type: int, quarter_turns: int) -> str | None:
        """Name the axis of a type's bridge as it lies."""
        axis = self.game._types[core_type][1]
        return None if axis is None else ("NS", "EW")[(axis + quarter_turns) % 2]

    def _spot_name(self, tile: tuple[int, int, int, int], segment: int) -> str:
        return self.game._spots[tile[0]][tile[1]][segment]

    def _figure_place(self, tile: tuple[int, int, int, int], segment: int, place: int) -> str:
        """Name where a figure stands."""
        if place == TOWER:
            return "tower"
        if place == BARN:
            return "barn"
        name = self._spot_name(tile, segment)
        return name.replace("city", "castle") if place == CASTLE else name

    def _cells(
        self, segments: list[tuple[int, int]], tiles: list[tuple[int, int, int, int]]
    ) -> tuple[tuple[int, int], ...]:
        return tuple(sorted({tiles[i][2:] for i, _ in segments}))

    def _named_figures(
        self, figures: list[tuple[int, int, int, int, int]], tiles: list[tuple[int, int, int, int]]
    ) -> tuple[Figure, ...]:
        """Name the core's figures (owner, kind, tile, segment, place), sorted."""
        return tuple(
            sorted(
                Figure(
                    owner,
                    "maiden" if place == CASTLE else FIGURES[kind],
                    tiles[i][2],
                    tiles[i][3],
                    self._figure_place(tiles[i], segment, place),
                )
                for owner, kind, i, segment, place in figures
            )
        )


def _restore(game: Game, data: bytes) -> State:
    return game.state_from_bytes(data)
