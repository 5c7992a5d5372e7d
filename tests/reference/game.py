"""The game: phases of a turn and what follows on each action (B3).

Actions are a dictionary from text (docs/actions.md) to what is to be done; every box's module gives its part.
"""

from collections import Counter
from fractions import Fraction
from functools import partial

from . import barns, castles, river, scoring, thieves, tower, watchtowers
from .board import Board
from .figures import deploy_actions, take_back_abbot_actions
from .options import Options, Piles, take
from .placing import placements
from .tiles import read_tiles

MEEPLES = 7  # B1


def nothing():
    """What a pass does."""


class Game:
    """One game. See README.md for the meaning of the attributes."""

    def __init__(self, boxes=("base",), players=2, edition=None, copies=None, tiles=None, **options):
        self.options = Options(boxes, players, copies, edition=edition, **options)
        self.tiles, sets, start = read_tiles(tiles)
        self.piles = Piles(self.options, self.tiles, sets, start)
        self.map = Board()
        self.scores = [0] * players
        self.score_events = []
        self.turn = 0  # turns finished
        self.phase = "draw"
        self.drawn_tile = None  # drawn and not yet placed
        self.placed_cell = None  # cell of the tile placed in this turn
        self.standing = []  # figures on the board
        self.supply = [{"meeple": MEEPLES, "abbot": 1 if self.options.abbot else 0} for _ in range(players)]
        self.prisoners = [Counter() for _ in range(players)]  # holder -> Counter of (kind, owner)
        self.pieces = [{} for _ in range(players)]  # each player's floors by colour (T1, K1)
        self.shared_pieces = {}  # floors (H1), bridges, castles, barns (G1)
        self.floors = {}  # (x, y) of a tower -> colours, bottom to top
        self.ransomed = False  # in this turn (T8)
        self.floor_cell = None  # where a floor was put in this turn (T3)
        self.captured = None  # opponent's figure captured in this turn (T7)
        self.owed_tower_tile = False  # a tower tile is to be drawn (H6)
        self.stolen_tile = None  # id (H6)
        self.to_grow = []  # towers among which to choose (H5)
        self.castles = []
        self.maiden_taken_back = False  # in this turn (G10)
        self.barn_farmer = None  # moved in this turn (G12)
        self.bridge_built = False  # in this turn (G1)
        self._actions = None
        self.set_up()
        self.begin_draw()

    def set_up(self):
        """Supplies and the start tile."""
        options = self.options
        if self.plays("tower"):
            self.pieces = [tower.starting_floors(options) for _ in range(options.players)]
        if self.plays("thieves"):
            self.shared_pieces["floors"] = thieves.starting_floors(options)
        if self.plays("bridges-castles"):
            copies = options.copies["bridges-castles"]  # B14
            self.shared_pieces.update(bridges=12 * copies, castles=6 * copies, barns=6 * copies)  # G1
        self.map.place(self.tiles[self.piles.start], 0, 0, 0)  # B2, R1
        if self.plays("thieves"):
            thieves.found_tower(self, (0, 0))

    def plays(self, box):
        """True if the box is in play."""
        return box in self.options.boxes

    # What can be asked

    @property
    def is_terminal(self):
        """True after the final scoring."""
        return self.phase == "end"

    @property
    def is_chance(self):
        """True if a tile is to be drawn."""
        return self.phase == "draw"

    @property
    def current_player(self):
        """Whose turn it is; at the end, whose it would be."""
        return self.turn % self.options.players

    @property
    def tiles_left(self):
        """Tiles still to be drawn, all piles together."""
        return self.piles.left()

    @property
    def returns(self):
        """Zero-sum results at the end, 0 before."""
        return scoring.returns(self.scores) if self.is_terminal else [0.0] * self.options.players

    def board(self):
        """Placed tiles as a set of (tile id, x, y, rotation, bridge or None, floors)."""
        return {
            (placed.tile.id, x, y, placed.rotation, placed.bridge, self.floors_at(x, y))
            for (x, y), placed in self.map.cells.items()
        }

    def floors_at(self, x, y):
        """Colours from bottom to top; with thieves the number of floors."""
        floors = tuple(self.floors.get((x, y), ()))
        return len(floors) if self.plays("thieves") else floors

    def figures(self):
        """All figures on the board, sorted (owner, kind, x, y, spot)."""
        return sorted(figure.name for figure in self.standing)

    def features(self):
        """All features, sorted (kind, closed, points, n_tiles, open_edges, figures, segments)."""
        occupied = {feature.segments: [] for feature in self.map.all_features()}
        for figure in self.standing:
            if figure.segment is not None:
                occupied[self.map.feature(figure.segment).segments].append(figure.name)
        return sorted(
            (
                feature.kind,
                feature.closed,
                scoring.points(self, feature),
                len(feature.cells),
                feature.open_edges,
                tuple(sorted(occupied[feature.segments])),
                feature.names,
            )
            for feature in self.map.all_features()
        )

    def placements(self, tile_id):
        """All legal placements of a tile now."""
        return placements(self, self.tiles[tile_id])

    def castle_segments(self):
        """City segments (x, y, i) that are castles now (G8)."""
        return frozenset(ref for castle in self.castles for ref in castle.segments)

    def award(self, player, points, source):
        """Give points to a player."""
        self.scores[player] += points
        if points:
            self.score_events.append((player, points, source))

    # Chance

    def current_pile(self):
        """The pile that is drawn from: the river first (R1), the tower pile by H6 and H7, else the deck."""
        if self.piles.river:
            return "river"
        if self.owed_tower_tile and self.piles.tower:
            return "tower"
        return "deck"

    def draws(self):
        """What can be drawn now: tile id -> (count, probability)."""
        if not self.is_chance:
            return {}
        name = self.current_pile()
        if name == "river":
            return river.draws(self)
        pile = getattr(self.piles, name)
        return {t: (n, Fraction(n, pile.total())) for t, n in sorted(pile.items())}

    def begin_draw(self):
        """A tile must be drawn: the game ends if none is left (B5)."""
        self.phase = "draw"
        self._actions = None
        self.drawn_tile = None
        if self.piles.river:
            river.settle(self)
        if not self.draws():
            self.phase = "end"
            self.finish()

    def draw(self, tile_id):
        """Draw this tile."""
        if tile_id not in self.draws():
            raise ValueError(f"cannot draw {tile_id!r} now")
        self._actions = None
        self.score_events = []
        name = self.current_pile()
        setattr(self.piles, name, take(getattr(self.piles, name), tile_id))
        self.drawn_tile = tile_id
        if self.plays("thieves") and self.tiles[tile_id].thief:
            thieves.start_thief(self)
            if self.to_grow:
                self.phase = "grow"
            else:
                self.after_thief()
        else:
            self.after_draw()

    def after_thief(self):
        """H5 (II) or H6, then the thief tile is placed like any other, or another tile is drawn."""
        if thieves.end_thief(self):
            self.begin_draw()
        else:
            self.after_draw()

    def after_draw(self):
        """B5: a tile that fits nowhere is removed and another is drawn."""
        self.enter("place", self.begin_draw)

    # Actions

    def actions(self):
        """Text of every legal action -> what it does."""
        if self._actions is None:
            find = getattr(self, f"{self.phase}_actions", dict)
            self._actions = find()
        return self._actions

    def legal(self):
        """Texts of all legal actions, sorted."""
        return sorted(self.actions())

    def apply(self, text):
        """Do one action."""
        if text not in self.actions():
            raise ValueError(f"{text!r} is not legal now")
        act = self.actions()[text]
        go_on = getattr(self, f"after_{self.phase}")
        self.score_events = []
        act()
        self._actions = None
        go_on(text)

    def enter(self, phase, skip):
        """Enter a phase, or go on to `skip` if nothing but a pass would be possible in it."""
        self.phase = phase
        self._actions = None
        if set(self.actions()) <= {"pass", "no building"}:
            skip()

    # The draw (H5)

    def grow_actions(self):
        """The choice of towers that grow."""
        return thieves.grow_actions(self)

    def after_grow(self, _):
        """The next choice, or on with the thief."""
        if not self.to_grow:
            self.after_thief()

    # Step 1 (B4, G1)

    def place_actions(self):
        """All placements of the drawn tile."""
        actions = {}
        for x, y, rotation, bridge in self.placements(self.drawn_tile):
            text = f"place {x},{y} {rotation}" + (f" bridge {bridge}" if bridge else "")
            actions[text] = partial(self.place, x, y, rotation, bridge)
        return actions

    def place(self, x, y, rotation, bridge):
        """Lay the drawn tile, with the bridge that it demands (G2)."""
        self.map.place(self.tiles[self.drawn_tile], x, y, rotation, bridge)
        self.placed_cell = (x, y)
        self.drawn_tile = None
        self.owed_tower_tile = False
        if bridge:
            self.shared_pieces["bridges"] -= 1
            self.bridge_built = True
        if self.plays("thieves"):
            thieves.found_tower(self, (x, y))

    def after_place(self, _):
        """At most one building, then step 2."""
        self.enter("build", self.enter_figure)

    def build_actions(self):
        """G1: a castle or a barn, or nothing; neither after a bridge."""
        actions = {"no building": nothing}
        if self.plays("bridges-castles") and not self.bridge_built:
            actions.update(castles.castle_actions(self))
            actions.update(barns.barn_actions(self))
        return actions

    def after_build(self, _):
        """Step 2 follows."""
        self.enter_figure()

    # Step 2

    def enter_figure(self):
        """The figure step, if there is a choice in it."""
        self.enter("figure", self.end_turn)

    def figure_actions(self):
        """A ransom (T8), then one figure action or none (B3)."""
        actions = {"pass": nothing}
        actions.update(deploy_actions(self))
        actions.update(take_back_abbot_actions(self))
        if self.plays("tower"):
            if not self.ransomed:
                actions.update(tower.ransom_actions(self))
            actions.update(tower.floor_actions(self))
            actions.update(tower.tower_follower_actions(self))
        if self.plays("thieves"):
            actions.update(thieves.watchman_actions(self))
        if self.plays("bridges-castles"):
            actions.update(castles.deploy_maiden_actions(self))
            actions.update(castles.take_back_maiden_actions(self))
        return actions

    def after_figure(self, text):
        """After a ransom comes the figure action; a floor may capture (T3); else step 3 follows."""
        if text.startswith("ransom"):
            self.ransomed = True
            self.enter_figure()
        elif text.startswith("floor"):
            self.enter("capture", self.end_turn)
        else:
            self.end_turn()

    def capture_actions(self):
        """T3."""
        return tower.capture_actions(self)

    def after_capture(self, _):
        """T7: an exchange is compulsory; it is a choice only between different kinds."""
        kinds = tower.exchange_kinds(self)
        if len(kinds) > 1:
            self.phase = "exchange"
            return
        if kinds:
            tower.exchange(self, kinds[0])
        self.end_turn()

    def exchange_actions(self):
        """T7."""
        return tower.exchange_actions(self)

    def after_exchange(self, _):
        """Step 3 follows."""
        self.end_turn()

    # Step 3

    def end_turn(self):
        """Scoring in the order of C1, then the next player."""
        castles.score_maiden(self)
        barns.score_barn(self)
        closed = scoring.closed_features(self)
        if self.plays("watchtowers"):
            watchtowers.score_bonuses(self, closed)
        scoring.score_closed(self, closed)
        self.placed_cell = self.floor_cell = self.captured = None
        self.ransomed = self.bridge_built = False
        for castle in self.castles:
            castle.new = False
        self.turn += 1
        self.begin_draw()

    def finish(self):
        """Final scoring (B11, B12, H8)."""
        scoring.score_final(self)
        if self.plays("thieves"):
            thieves.score_final(self)
