"""The reference itself: the base game (rules.md section 1) and its options."""

from collections import Counter
from fractions import Fraction

import pytest

from . import Game, scoring
from .scripted import begin, block, deal, lay, lay_fields, lines, own_file, position, stand, turn


def test_b1_every_player_has_seven_meeples_and_with_the_option_an_abbot():
    assert Game(players=3).supply == [{"meeple": 7, "abbot": 0}] * 3
    assert Game(players=2, abbot=True).supply == [{"meeple": 7, "abbot": 1}] * 2


@pytest.mark.parametrize("edition", ["c1", "c2", "c3"])
def test_b2_one_base_d_lies_at_the_origin_and_the_other_71_are_the_deck(edition):
    game = Game(edition=edition)
    assert game.board() == {("base.D", 0, 0, 0, None, ())}
    assert game.tiles_left == 71
    assert game.draws()["base.D"] == (3, Fraction(3, 71))
    assert sum(probability for _, probability in game.draws().values()) == 1


def test_b3_players_take_turns_and_the_phases_follow_each_other():
    game = Game(players=3, edition="c1")
    assert (game.phase, game.current_player, game.drawn_tile, game.legal()) == ("draw", 0, None, [])
    game.draw("base.U")
    assert (game.phase, game.drawn_tile) == ("place", "base.U")
    game.apply("place 1,0 0")
    assert (game.phase, game.current_player, game.drawn_tile) == ("figure", 0, None)
    game.apply("pass")
    assert (game.phase, game.current_player, game.turn) == ("draw", 1, 1)


def test_b4_a_tile_matches_every_edge_it_touches():
    game = position()
    begin(game, "base.K")  # CFRR
    assert game.legal() == [
        "place -1,0 180",  # its east edge must be a road
        "place -1,0 270",
        "place 0,-1 180",  # its south edge a city
        "place 0,1 270",  # its north edge a field
        "place 1,0 0",  # its west edge a road
        "place 1,0 90",
    ]


def test_b4_a_symmetric_tile_is_listed_with_its_smallest_rotation_only():
    game = position()
    begin(game, "base.U")
    assert game.legal() == ["place -1,0 0", "place 0,1 0", "place 1,0 0"]
    game = position()
    begin(game, "base.B")
    assert game.legal() == ["place 0,1 0"]


def test_b5_a_tile_that_fits_nowhere_leaves_the_game_which_ends_without_tiles(tmp_path):
    own = own_file(tmp_path, 'start = "base.B"\n[sets.base_c1]\n"base.B" = 2\n"base.C" = 2\n')
    game = Game(edition="c1", tiles=own)
    assert game.draws() == {"base.B": (1, Fraction(1, 3)), "base.C": (2, Fraction(2, 3))}
    game.draw("base.C")
    assert (game.phase, game.tiles_left, game.current_player, game.drawn_tile) == ("draw", 2, 0, None)
    game.draw("base.B")
    game.apply("place 1,0 0")
    game.apply("deploy meeple 1,0 monastery")
    game.draw("base.C")
    assert game.is_terminal
    assert (game.scores, game.score_events) == ([2, 0], [(0, 2, "monastery")])
    assert game.returns == [1.0, -1.0]


def test_b6_a_figure_may_stand_where_the_whole_feature_is_free():
    game = position()
    turn(game, "base.U", "place 1,0 0", "deploy meeple 1,0 road EW")
    begin(game, "base.U", "place 2,0 0")
    assert lines(game, "deploy") == [
        "deploy meeple 2,0 field ER-SL-SR-WL",
        "deploy meeple 2,0 field NL-NR-EL-WR",
    ]


def test_b6_completing_a_feature_in_the_same_turn_scores_the_new_meeple_at_once():
    game = position()
    assert turn(game, "base.E", "place 0,-1 180", "deploy meeple 0,-1 city S") == [(0, 4, "city")]
    assert game.supply[0]["meeple"] == 7
    assert game.figures() == []


def test_b6_no_meeple_in_supply_means_no_figure_phase():
    game = position()
    game.supply[0]["meeple"] = 0
    begin(game, "base.E", "place 0,-1 180")
    assert (game.phase, game.turn) == ("draw", 1)


def test_b7_a_small_city_pays_two_per_tile_or_by_option_one():
    game = position(small_city_points=1)
    assert turn(game, "base.E", "place 0,-1 180", "deploy meeple 0,-1 city S") == [(0, 2, "city")]


def test_b7_a_closed_city_pays_two_per_tile_and_two_per_pennant():
    game = position()
    assert turn(game, "base.F", "place 0,-1 90", "deploy meeple 0,-1 city NS") == []
    assert [f for f in game.features() if f[0] == "city"] == [
        (
            "city",
            False,
            3,
            2,
            1,
            ((0, "meeple", 0, -1, "city NS"),),
            ((0, -1, "city NS"), (0, 0, "city N")),
        )
    ]
    assert turn(game, "base.E", "place 0,-2 180") == [(0, 8, "city")]


def test_b7_a_closed_road_pays_one_per_tile():
    game = position()
    turn(game, "base.A", "place 1,0 90", "deploy meeple 1,0 road W")
    assert turn(game, "base.A", "place -1,0 270") == [(0, 3, "road")]


def test_b7_a_road_that_passes_a_tile_twice_counts_it_once():
    game = position()
    lay(game, "thief.K", 20, 0)  # two bends: NW and SE
    lay(game, "base.V", 20, -1, 270)
    lay(game, "base.V", 21, -1, 0)
    lay(game, "base.V", 21, 0, 90)
    lay(game, "base.A", 19, 0, 270)
    stand(game, 1, 20, 0, "road NW")
    assert turn(game, "base.A", "place 20,1 180") == [(1, 6, "road")]


def test_b8_a_monastery_pays_nine_when_its_eight_neighbours_lie():
    game = position()
    around = [cell for cell in block(20, 20, 1) if cell not in [(20, 20), (21, 21)]]
    lay_fields(game, around)
    lay(game, "base.B", 20, 20)
    stand(game, 1, 20, 20, "monastery")
    assert turn(game, "castle.J", "place 21,21 0") == [(1, 9, "monastery")]
    assert game.supply[1]["meeple"] == 7


def test_b9_a_tie_pays_all_tied_players_fully():
    game = position()
    turn(game, "base.U", "place 1,0 0", "deploy meeple 1,0 road EW")
    turn(game, "base.V", "place 1,-1 180", "deploy meeple 1,-1 road NE")
    turn(game, "base.V", "place 2,-1 0")
    turn(game, "base.V", "place 2,0 90")
    turn(game, "base.A", "place -1,0 270")
    assert turn(game, "base.A", "place 1,-2 0") == [(0, 7, "road"), (1, 7, "road")]
    assert game.supply == [{"meeple": 7, "abbot": 0}] * 2


def test_b9_only_the_majority_scores_and_all_figures_return():
    game = position()
    lay(game, "base.U", 1, 0)
    for x, owner in ((0, 1), (1, 0)):
        stand(game, owner, x, 0, "road EW")
    lay(game, "base.U", 2, 0)
    stand(game, 1, 2, 0, "road EW")
    lay(game, "base.A", 3, 0, 90)
    assert turn(game, "base.A", "place -1,0 270") == [(1, 5, "road")]
    assert game.figures() == []


def test_b10_one_tile_may_close_several_features():
    game = position()
    lay(game, "base.A", 1, 0, 90)
    lay(game, "base.B", -1, 1)
    lay_fields(game, [cell for cell in block(-1, 1, 1) if cell not in [(-1, 1), (-1, 0), (0, 0)]])
    stand(game, 0, 0, 0, "road EW")
    stand(game, 1, -1, 1, "monastery")
    assert sorted(turn(game, "base.A", "place -1,0 270")) == [(0, 3, "road"), (1, 9, "monastery")]


def test_b11_open_features_pay_one_per_tile_at_the_end():
    game = position()
    deal(game, "base.F", "base.B", filler=None)
    turn(game, "base.F", "place 0,-1 90", "deploy meeple 0,-1 city NS")
    lay(game, "base.U", 1, 0)
    stand(game, 1, 1, 0, "road EW")
    begin(game, "base.B", "place 0,1 0", "deploy meeple 0,1 monastery")
    assert game.is_terminal
    assert sorted(game.score_events) == [(0, 3, "city"), (1, 2, "road"), (1, 3, "monastery")]


def test_b12_a_field_pays_three_per_closed_city_to_its_majority():
    game = position()
    deal(game, "base.E", filler=None)
    lay(game, "base.E", 0, 1, 180)  # its city is open
    stand(game, 1, 0, 1, "field NL-NR-EL-ER-WL-WR")
    turn(game, "base.E", "place 0,-1 180", "deploy meeple 0,-1 field NL-NR-EL-ER-WL-WR")
    assert game.score_events == [(0, 3, "field")]


def test_b12_a_city_counts_for_each_field_that_touches_it():
    game = position()
    lay(game, "base.E", 0, -1, 180)
    fields = [f for f in game.features() if f[0] == "field"]
    assert [(f[2], f[6]) for f in fields] == [
        (0, ((0, 0, "field ER-SL-SR-WL"),)),
        (3, ((0, 0, "field EL-WR"),)),
        (3, ((0, -1, "field NL-NR-EL-ER-WL-WR"),)),
    ]


def test_b12_without_farmers_no_figure_stands_on_a_field():
    game = position(farmers=False)
    begin(game, "base.U", "place 1,0 0")
    assert game.legal() == ["deploy meeple 1,0 road EW", "pass"]


def test_b13_only_the_abbot_stands_on_a_garden_and_either_on_a_monastery():
    game = position(abbot=True, farmers=False)
    begin(game, "base.E.g", "place 0,1 180")
    assert game.legal() == ["deploy abbot 0,1 garden", "deploy meeple 0,1 city S", "pass"]
    game = position(abbot=True, farmers=False)
    begin(game, "base.B", "place 0,1 0")
    assert game.legal() == ["deploy abbot 0,1 monastery", "deploy meeple 0,1 monastery", "pass"]


def test_b13_a_garden_scores_as_a_monastery_when_it_is_closed():
    game = position(abbot=True)
    lay(game, "tower.I.g", 20, 20)
    lay_fields(game, [cell for cell in block(20, 20, 1) if cell not in [(20, 20), (21, 21)]])
    stand(game, 0, 20, 20, "garden", "abbot")
    assert turn(game, "castle.J", "place 21,21 0") == [(0, 9, "garden")]
    assert game.supply[0] == {"meeple": 7, "abbot": 1}


def test_b13_an_abbot_taken_back_scores_at_once_instead_of_another_figure_action():
    game = position(abbot=True)
    lay(game, "base.B", 0, 1)
    stand(game, 0, 0, 1, "monastery", "abbot")
    begin(game, "base.U", "place 1,0 0")
    assert lines(game, "take") == ["take back abbot 0,1 monastery"]
    game.apply("take back abbot 0,1 monastery")
    assert game.score_events == [(0, 3, "monastery")]
    assert (game.supply[0]["abbot"], game.turn) == (1, 1)


def test_b14_copies_multiply_the_tiles_but_not_the_start_tile():
    assert Game(edition="c1", copies={"base": 2}).tiles_left == 143
    assert Game(boxes=["watchtowers"], copies={"watchtowers": 3}).tiles_left == 71 + 36
    with pytest.raises(ValueError, match="1,000"):
        Game(boxes=["tower", "watchtowers"], copies={"base": 10, "tower": 10, "watchtowers": 10})
    with pytest.raises(ValueError, match="copies"):
        Game(boxes=["river"], copies={"river": 2})


def test_section_0_impossible_combinations_are_errors():
    for options, reason in (
        ({"boxes": ["tower", "thieves"]}, "H9"),
        ({"boxes": ["black-tower"]}, "H9"),
        ({"boxes": ["tower"], "abbot": True}, "edition"),
        ({"edition": "c1", "abbot": True}, "edition"),
        ({"players": 7}, "B1"),
        ({"tower_gaps": "jump"}, "tower_gaps"),
        ({"nonsense": 1}, "unknown option"),
        ({"boxes": ["inns"]}, "unknown boxes"),
    ):
        with pytest.raises(ValueError, match=reason):
            Game(**options)


def test_section_0_returns_are_zero_sum():
    assert scoring.returns([3, 9, 9, 1]) == [-0.5, 0.5, 0.5, -0.5]
    assert scoring.returns([4, 4]) == [0.0, 0.0]
    assert scoring.returns([4]) == [0.0]


def test_an_illegal_action_is_an_error_that_changes_nothing():
    game = position()
    begin(game, "base.E")
    with pytest.raises(ValueError, match="not legal"):
        game.apply("place 5,5 0")
    with pytest.raises(ValueError, match="cannot draw"):
        game.draw("base.E")
    assert (game.phase, game.drawn_tile, len(game.board())) == ("place", "base.E", 1)


def test_features_name_every_segment_once():
    game = position()
    begin(game, "base.A", "place 0,1 0")
    names = Counter(name for feature in game.features() for name in feature[6])
    assert set(names.values()) == {1}
    assert {name for name in names if name[:2] == (0, 1)} == {
        (0, 1, "field NL-NR-EL-ER-SL-SR-WL-WR"),
        (0, 1, "monastery"),
        (0, 1, "road S"),
    }
    assert [f[:5] for f in game.features() if f[0] in ("monastery", "field")] == [
        ("field", False, 0, 1, 2),
        ("field", False, 0, 2, 5),
        ("monastery", False, 2, 1, 7),
    ]
