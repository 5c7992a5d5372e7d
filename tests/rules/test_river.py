"""R1-R5: the river, how it must go on, what is drawn of it, and what happens when it runs into itself."""

from collections import Counter

import pytest
from boards import feature, legal, own_game, play

from bastide import Game, Rng, Rules, RulesError

C1 = Game(Rules(boxes=("river",), edition="c1"))
SEVEN = {"meeple": 7}

# A loop under a city: the river comes back from the south to 1,1, below river.C at 1,0.
#     A C B G
#     . ? . D    (? the open end)
#     . I H G
LOOP = ["river.C 1,0 0", "river.B 2,0 0", "river.G 3,0 0"]
LOOP += ["river.D 3,1 90", "river.G 3,2 90", "river.H 2,2 0", "river.I 1,2 180"]


def flow(state, *tiles):
    """Draw and place tiles, written as `TILE X,Y ROTATION`, without figures; returns the state."""
    for text in tiles:
        tile, _, place = text.partition(" ")
        play(state, f"draw {tile}", f"place {place}")
        if state.phase == "figure":
            play(state, "pass")
    return state


def drawable(state):
    """What can be drawn: {tile id: (count, probability)}."""
    assert state.is_chance
    return {state.game.tiles[tile].id: (count, pytest.approx(p)) for tile, count, p in state.draws()}


def drawn(state, tile):
    """Draw a tile and return the legal actions then."""
    play(state, f"draw {tile}")
    return legal(state)


def short_river(tiles, deck="plain plain", **options):
    """A state whose river has just these tiles (words with counts) besides spring and lake."""
    counts = {"river.A": 1, "river.L": 1, **tiles, **Counter(deck.split())}
    counts["plain"] = counts.get("plain", 0) + 1
    options = {"boxes": ("river",), "river_start_tile": "out"} | options
    return own_game(counts, "plain", **options).new_state()


# -- R1


@pytest.mark.parametrize(("edition", "spring"), [("c1", "river.A"), ("c2", "river.A"), ("c3", "river.A3")])
def test_r1_the_spring_is_the_start_tile_at_the_origin_and_unturned(edition, spring):
    state = Game(Rules(boxes=("river",), edition=edition)).new_state()
    (start,) = state.board
    assert (state.game.tiles[start.tile].id, start.x, start.y, start.rotation) == (spring, 0, 0, 0)
    assert (state.phase, state.turn_player) == ("draw", 0)


def test_r1_a_river_may_be_longer_than_its_box():
    state = short_river({"river.D": 300})
    assert (state.tiles_left, state.faults()) == (303, [])
    while state.is_chance:
        state.draw(state.draws()[0][0])
        state.apply(state.legal_actions()[-1])
        if state.phase == "figure":
            state.apply(state.legal_actions()[0])
        assert state.faults() == []
    assert state.turn + state.discards == 303


def test_r1_the_river_tiles_but_the_lake_are_drawn_first_each_equally_likely():
    names = {"B": 1, "C": 1, "D": 2, "E": 1, "G": 2, "H": 1, "I": 1, "K": 1}
    assert drawable(C1.new_state()) == {f"river.{name}": (n, n / 10) for name, n in names.items()}


def test_r1_then_comes_the_lake_and_then_the_deck():
    state = C1.new_state()
    tiles = ["river.D 1,0 0", "river.D 2,0 0", "river.B 3,0 0", "river.C 4,0 0", "river.H 5,0 0"]
    tiles += ["river.K 6,0 90", "river.G 7,0 0", "river.G 7,1 180", "river.E 8,1 90"]
    flow(state, *tiles)
    assert drawable(state) == {"river.I": (1, 1)}
    flow(state, "river.I 8,2 180")
    assert drawable(state) == {"river.L": (1, 1)}
    flow(state, "river.L 9,2 0")
    deck = drawable(state)
    assert sum(count for count, _ in deck.values()) == state.tiles_left == 72
    assert deck["base.U"] == (8, 8 / 72)
    assert (len(state.board), state.discards, state.turn_player) == (12, 0, 1)


@pytest.mark.parametrize(
    ("edition", "choice", "left"),
    [
        ("c1", None, 72),
        ("c1", "deck", 72),
        ("c1", "out", 71),
        ("c2", None, 71),
        ("c3", None, 71),
        ("c3", "out", 71),
        ("c3", "deck", 72),
    ],
)
def test_r1_one_start_tile_of_the_base_game_is_in_the_deck_or_out(edition, choice, left):
    options = {} if choice is None else {"river_start_tile": choice}
    rules = Rules(boxes=("river",), edition=edition, **options)
    assert rules.river_start_tile == ("deck" if left == 72 else "out")
    assert Game(rules).new_state().tiles_left == 11 + left


@pytest.mark.parametrize(("choice", "left"), [("deck", 3), ("out", 2)])
def test_r1_the_tile_that_is_in_the_deck_or_out_is_the_start_tile(choice, left):
    counts = {"river.A": 1, "river.L": 1, "D": 3, "plain": 1}
    state = own_game(counts, "D", boxes=("river",), river_start_tile=choice).new_state()
    flow(state, "river.L 1,0 0")
    assert drawable(state) == {"base.D": (left, left / (left + 1)), "own.plain": (1, 1 / (left + 1))}


@pytest.mark.parametrize("tile", ["river.B", "river.C", "river.D", "river.H"])
def test_r1_a_river_tile_joins_the_open_river_end_though_it_would_fit_elsewhere(tile):
    rotations = ["0"] if tile in ("river.C", "river.D") else ["0", "180"]  # these two look the same
    assert drawn(C1.new_state(), tile) == [f"place 1,0 {rotation}" for rotation in rotations]
    state = flow(C1.new_state(), "river.K 1,0 90")
    assert drawn(state, tile) == [f"place 2,0 {rotation}" for rotation in rotations]


def test_r1_the_river_of_edition_c3_leaves_its_spring_to_the_south():
    state = Game(Rules(boxes=("river",), edition="c3")).new_state()
    assert drawn(state, "river.K") == ["place 0,1 0"]


def test_r1_the_lake_ends_the_river_and_then_tiles_are_placed_all_around():
    state = short_river({"river.D": 1})
    flow(state, "river.D 1,0 0", "river.L 2,0 0")
    assert {text.split(" ")[1] for text in drawn(state, "plain")} == {
        *("0,-1", "1,-1", "2,-1"),
        *("-1,0", "3,0"),
        *("0,1", "1,1", "2,1"),
    }


def test_r1_no_tile_of_the_deck_can_be_drawn_while_the_river_flows():
    state = C1.new_state()
    assert not [tile for tile, *_ in state.draws() if state.game.tiles[tile].pile != "river"]


# -- R2


def test_r2_a_bend_turns_the_other_way_than_the_bend_before_it():
    assert drawn(C1.new_state(), "river.G") == ["place 1,0 0", "place 1,0 90"]  # the spring is no bend
    right = flow(C1.new_state(), "river.G 1,0 0")
    assert drawn(right, "river.G") == ["place 1,1 180"]
    left = flow(C1.new_state(), "river.G 1,0 90")
    assert drawn(left, "river.G") == ["place 1,-1 270"]


@pytest.mark.parametrize(("tile", "rotation"), [("river.E", 270), ("river.I", 180)])
def test_r2_every_kind_of_bend_obeys(tile, rotation):
    assert drawn(flow(C1.new_state(), "river.G 1,0 0"), tile) == [f"place 1,1 {rotation}"]


def test_r2_after_a_straight_tile_the_river_may_turn_the_same_way():
    state = flow(C1.new_state(), "river.G 1,0 0", "river.D 1,1 90")
    assert drawn(state, "river.G") == ["place 1,2 90", "place 1,2 180"]


def test_r2_after_a_bend_the_other_way_the_river_may_turn_the_first_way_again():
    state = flow(C1.new_state(), "river.G 1,0 0", "river.G 1,1 180")
    assert drawn(state, "river.E") == ["place 2,1 90"]  # right, left, right


def test_r2_a_straight_tile_and_the_lake_may_follow_any_bend():
    assert drawn(flow(C1.new_state(), "river.G 1,0 0"), "river.D") == ["place 1,1 90"]
    state = flow(short_river({"river.G": 1}), "river.G 1,0 0")
    assert drawn(state, "river.L") == ["place 1,1 90"]


# -- R3


def test_r3_figures_stand_beside_the_river_but_not_on_it():
    state = C1.new_state()
    play(state, "draw river.H", "place 1,0 0")
    assert legal(state) == [
        "pass",
        "deploy meeple 1,0 road S",
        "deploy meeple 1,0 field NL-NR-EL-WR",
        "deploy meeple 1,0 field ER-SL",
        "deploy meeple 1,0 field SR-WL",
        "deploy meeple 1,0 monastery",
    ]


def test_r3_the_river_is_no_feature():
    state = flow(C1.new_state(), "river.D 1,0 0")
    assert {f.kind for f in state.features()} == {"field"}


def test_r3_the_river_parts_two_fields():
    # In edition c3 the spring has another field to the west of the river than to the east.
    state = Game(Rules(boxes=("river",), edition="c3")).new_state()
    play(state, "draw river.D", "place 0,1 90", "deploy meeple 0,1 field NL-SR-WL-WR")
    play(state, "draw river.D", "place 0,2 90")
    assert legal(state, "deploy") == ["deploy meeple 0,2 field NR-EL-ER-SL"]


def test_r3_the_field_goes_round_the_spring_and_the_lake():
    state = C1.new_state()
    play(state, "draw river.D", "place 1,0 0", "deploy meeple 1,0 field NL-NR-EL-WR")
    play(state, "draw river.D", "place 2,0 0")
    assert state.phase == "draw"  # the spring joins both banks, so nothing is free
    assert len(feature(state, 0, 0, "field NL-NR-EL-ER-SL-SR-WL-WR").tiles) == 3
    state = short_river({"river.C": 1})
    flow(state, "river.C 1,0 0", "river.L 2,0 0")
    banks = [f for f in state.features() if (2, 0, "field NL-NR-EL-ER-SL-SR-WL-WR") in f.segments]
    assert [segment[2] for segment in banks[0].segments if segment[0] == 1] == ["field EL-WR", "field ER-WL"]


def test_r3_players_take_turns_on_the_river_figures_included():
    state = Game(Rules(boxes=("river",), edition="c1", players=3)).new_state()
    play(state, "draw river.H", "place 1,0 0", "deploy meeple 1,0 monastery")
    play(state, "draw river.C", "place 2,0 0", "deploy meeple 2,0 city N")
    play(state, "draw river.K", "place 3,0 90", "deploy meeple 3,0 road NS")
    assert (state.turn, state.turn_player) == (3, 0)
    assert [figure.owner for figure in state.figures] == [0, 1, 2]
    assert state.supply == ({"meeple": 6},) * 3


def test_r3_a_city_of_a_river_tile_is_ordinary():
    state = short_river({"river.C": 1}, "E plain")
    play(state, "draw river.C", "place 1,0 0", "deploy meeple 1,0 city N")
    flow(state, "river.L 2,0 0")
    assert play(state, "draw E", "place 1,-1 180", "pass") == [(0, 4, "city")]
    assert state.supply[0] == SEVEN


def test_r3_a_road_over_the_river_is_ordinary():
    state = short_river({"river.K": 1}, "A A plain")
    play(state, "draw river.K", "place 1,0 90", "deploy meeple 1,0 road NS")
    flow(state, "river.L 2,0 0", "A 1,-1 0")
    assert play(state, "draw A", "place 1,1 180", "pass") == [(0, 3, "road")]


def test_r3_the_monastery_of_a_river_tile_is_ordinary():
    state = short_river({"river.H": 1}, "plain plain")
    play(state, "draw river.H", "place 1,0 0", "deploy meeple 1,0 monastery")
    flow(state, "river.L 2,0 0", "plain 1,-1 0")
    assert play(state, "draw plain", "place 2,-1 0") == []
    play(state, "pass")
    assert state.is_terminal
    assert state.scores == (5, 0)  # itself, spring, lake and the two others


def test_r3_the_lake_of_edition_c3_has_a_monastery():
    counts = {"river.A3": 1, "river.L3": 1, "plain": 3}
    state = own_game(counts, "plain", boxes=("river",), edition="c3").new_state()
    play(state, "draw river.L3", "place 0,1 90")
    assert "deploy meeple 0,1 monastery" in legal(state)


@pytest.mark.parametrize(("edition", "gardens"), [("c1", 0), ("c2", 1), ("c3", 1)])
def test_r1_each_edition_has_its_own_twelve_tiles(edition, gardens):
    game = Game(Rules(boxes=("river",), edition=edition))
    river = {tile.id: n for tile, n in game.selection.entries if tile.pile == "river"}
    assert sum(river.values()) == 11  # and the spring
    assert sum(n for tile, n in game.selection.entries if tile.pile == "river" and tile.garden) == gardens
    assert ("river.L3" in river) == (edition == "c3")


# -- R4


def test_r4_only_river_tiles_that_fit_are_drawn_and_the_others_stay_in():
    state = flow(C1.new_state(), *LOOP)
    # Left are D, E, K and the lake. The city of river.C lies to the north of 1,1: only E has one there.
    assert drawable(state) == {"river.E": (1, 1)}
    assert state.tiles_left == 4 + 72
    assert drawn(state, "river.E") == ["place 1,1 90"]
    play(state, "place 1,1 90", "pass")
    # The end at 0,1 is below the spring's field: D goes on to the west, the road of K does not fit.
    assert drawable(state) == {"river.D": (1, 1)}
    flow(state, "river.D 0,1 0")
    assert drawable(state) == {"river.K": (1, 1)}
    assert state.discards == 0


def test_r4_each_remaining_tile_that_fits_is_equally_likely():
    # The river comes back to the west of the spring: what follows at -1,0 needs a field to its east.
    state = short_river({"river.G": 3, "river.D": 5, "river.H": 1, "river.K": 1, "river.C": 2})
    flow(state, "river.G 1,0 0", "river.D 1,1 90", "river.G 1,2 90", "river.D 0,2 0", "river.G -1,2 180")
    flow(state, "river.D -1,1 90")
    assert drawable(state) == {"river.D": (2, 2 / 3), "river.H": (1, 1 / 3)}
    assert drawn(state.copy(), "river.H") == ["place -1,0 90"]
    found = Counter(state.game.tiles[state.sample_draw(Rng(seed))].id for seed in range(600))
    assert found.keys() == {"river.D", "river.H"}
    assert 350 < found["river.D"] < 450


def test_r4_if_no_river_tile_fits_they_leave_the_game_and_the_lake_is_drawn():
    # The same end below the spring, entered from the east, with nothing left but a crossing road and cities.
    used = {"river.B": 1, "river.C": 1, "river.D": 1, "river.E": 1, "river.G": 2, "river.H": 1, "river.I": 1}
    state = flow(short_river({**used, "river.C": 2, "river.K": 2}), *LOOP)
    assert drawable(state) == {"river.E": (1, 1)}
    assert (state.discards, state.tiles_left) == (0, 1 + 3 + 1 + 2)
    flow(state, "river.E 1,1 90")
    assert drawable(state) == {"river.L": (1, 1)}  # river.C and two of river.K are gone
    assert (state.discards, state.tiles_left) == (3, 1 + 2)
    assert drawn(state, "river.L") == ["place 0,1 180"]
    play(state, "place 0,1 180", "pass")
    assert drawable(state) == {"own.plain": (2, 1)}


def blocked(deck):
    """The river has run in under the city of river.C at 1,0, and neither river.K nor the lake fits."""
    state = short_river({"river.C": 1, "river.D": 3, "river.G": 3, "river.K": 1}, deck)
    flow(state, "river.C 1,0 0", "river.D 2,0 0", "river.G 3,0 0", "river.D 3,1 90", "river.G 3,2 90")
    return flow(state, "river.D 2,2 0", "river.G 1,2 180")


def cells(placements):
    return {text.split(" ")[1] for text in placements}


def test_r4_a_lake_that_does_not_fit_leaves_too_and_the_deck_follows():
    state = blocked(deck="plain E E")
    assert drawable(state) == {"own.plain": (1, 1 / 3), "base.E": (2, 2 / 3)}
    assert (state.discards, state.tiles_left, len(state.board)) == (2, 3, 8)


def test_r4_the_open_end_that_no_lake_closed_is_never_filled():
    state = blocked(deck="plain E N")
    around = {"0,1", "1,1", "2,1"}
    assert around & cells(drawn(state.copy(), "plain")) == {"0,1", "2,1"}
    flow(state, "E 2,1 270")
    # base.N would join the cities to the north and east of 1,1; the river to the south alone is against it.
    assert around & cells(drawn(state, "N")) == {"0,1"}


def test_r4_a_tile_that_would_fit_at_the_dead_end_alone_is_unplaceable():
    # A tile of nothing but city: the one open city is that of river.C, and it lies open to the dead cell.
    state = flow(blocked(deck="E city"), "E 1,-1 180")
    play(state, "draw city")
    assert state.is_terminal
    assert state.discards == 2 + 1


@pytest.mark.parametrize("bridges", [True, False])
def test_r4_a_river_tile_fits_with_a_bridge_too_g6(bridges):
    # The river comes to 1,1 from the east, below the road of river.K.
    boxes = ("river", "bridges-castles") if bridges else ("river",)
    state = short_river({"river.K": 1, "river.D": 5, "river.G": 4}, boxes=boxes)
    flow(state, "river.K 1,0 90", "river.D 2,0 0", "river.D 3,0 0", "river.G 4,0 0", "river.D 4,1 90")
    flow(state, "river.G 4,2 90", "river.D 3,2 0", "river.G 2,2 180", "river.G 2,1 0")
    if bridges:
        assert drawable(state) == {"river.D": (1, 1)}
        assert drawn(state, "river.D") == ["place 1,1 0 bridge NS"]
    else:
        assert drawable(state) == {"own.plain": (2, 1)}  # neither river.D nor the lake fits


def test_r4_the_river_runs_into_itself_in_two_or_three_games_of_a_hundred():
    n, run_in = 1000, 0
    for seed in range(n):
        state, rng = C1.new_state(), Rng(3, seed)
        while len(state.board) + state.discards < 12:
            if state.is_chance:
                state.draw(state.sample_draw(rng))
            else:
                actions = state.legal_actions()
                state.apply(actions[rng.below(len(actions))])
        run_in += state.discards > 0
    assert 0.015 < run_in / n < 0.035


# -- R5

BOTH = ("river", "thieves", "bridges-castles")


def test_r5_the_river_tiles_of_two_other_boxes_are_shuffled_into_the_river():
    state = Game(Rules(boxes=BOTH)).new_state()
    assert drawable(state)["thief.A"] == drawable(state)["castle.P"] == (1, 1 / 12)
    assert sum(count for count, _ in drawable(state).values()) == 12
    assert state.tiles_left == 71 + 11 + 18 + 16


@pytest.mark.parametrize(("box", "tile"), [("thieves", "thief.A"), ("bridges-castles", "castle.P")])
def test_r5_a_box_brings_its_river_tile_and_no_other(box, tile):
    state = Game(Rules(boxes=("river", box))).new_state()
    assert set(drawable(state)) & {"thief.A", "castle.P"} == {tile}
    assert drawable(state)[tile] == (1, 1 / 11)


def test_r5_without_the_river_they_are_left_out():
    game = Game(Rules(boxes=("thieves", "bridges-castles")))
    assert game.new_state().tiles_left == 71 + 17 + 15
    assert not {"thief.A", "castle.P"} & {tile.id for tile in game.tiles}


def test_r5_the_field_goes_on_beyond_the_river_of_the_tower_tile_and_its_tower_can_be_watched():
    state = Game(Rules(boxes=("river", "thieves"), edition="c1")).new_state()
    assert drawn(state, "thief.A") == ["place 1,0 0"]  # it looks the same after half a turn
    play(state, "place 1,0 0")
    assert legal(state) == ["pass", "deploy meeple 1,0 field NL-NR-EL-ER-SL-SR-WL-WR", "watchman 1,0"]
    assert state.board[-1].floors == ("normal",)


def test_r5_the_castle_tile_has_a_city_whose_sides_are_three_fields():
    state = Game(Rules(boxes=("river", "bridges-castles"), edition="c1")).new_state()
    play(state, "draw castle.P", "place 1,0 0")
    assert legal(state, "deploy") == [
        "deploy meeple 1,0 city N",
        "deploy meeple 1,0 field EL",
        "deploy meeple 1,0 field ER-SL-SR-WL",
        "deploy meeple 1,0 field WR",
    ]


# -- B14


def test_b14_there_is_one_river_and_a_second_is_an_error_that_says_what_to_do():
    for options in ({"copies": 2}, {"copies": {"river": 2}}):
        with pytest.raises(RulesError, match=r"'river', which is there once \(B14\): name the boxes"):
            Rules(boxes=("river",), **options)


def test_b14_copies_of_the_other_boxes_leave_the_river_as_it_is():
    rules = Rules(boxes=("river", "thieves"), edition="c1", copies={"base": 3, "thieves": 2})
    state = Game(rules).new_state()
    assert drawable(state)["thief.A"] == (2, 2 / 12)  # the box's tile comes as often as the box
    assert state.tiles_left == 3 * 72 + 11 + 2 * 18
