"""The reference itself: Watchtowers (rules.md section 6)."""

from . import Game
from .scripted import begin, deal, lay, position, stand, turn


def watchtowers(**options):
    """A game with the Watchtowers, all decks of them the second edition's."""
    return position("watchtowers", edition="c2", **options)


def city_of_three(watch, around):
    """A city of the start tile, base.G and a watchtower tile to come at (0, -2); `around` beside base.G."""
    game = watchtowers()
    lay(game, "base.G", 0, -1, 90)
    for x in (-1, 1):
        lay(game, around, x, -1)
    return game, (watch, "place 0,-2 180", "deploy meeple 0,-2 city S")


def test_w1_twelve_tiles_join_the_deck_by_edition():
    for options, names in (
        ({"edition": "c1"}, {"watch.E", "watch.G", "watch.J"}),
        ({"edition": "c2"}, {"watch.E", "watch.G", "watch.J"}),
        ({"edition": "c3"}, {"watch.E3", "watch.G", "watch.J3"}),
        ({"edition": "c3", "watchtower_c3_tile": "G"}, {"watch.E3", "watch.G3", "watch.J"}),
    ):
        draws = Game(boxes=["watchtowers"], **options).draws()
        found = {tile for tile in draws if tile.startswith("watch")}
        assert len(found) == 12
        assert {tile for tile in found if tile[:7] in ("watch.E", "watch.G", "watch.J")} == names


def test_section_9_two_per_follower_with_four_followers_pays_8_and_then_the_city_6():
    game, actions = city_of_three("watch.A", "base.B")
    stand(game, 0, 0, -1, "field EL-ER")
    stand(game, 1, -1, -1, "monastery")
    stand(game, 1, 1, -1, "monastery")
    assert turn(game, *actions) == [(0, 8, "watchtower"), (0, 6, "city")]


def test_section_9_one_per_city_tile_with_four_pays_4_and_then_the_city_6():
    game, actions = city_of_three("watch.L", "base.E")
    assert turn(game, *actions) == [(0, 4, "watchtower"), (0, 6, "city")]


def test_section_9_one_per_road_tile_with_five_tiles_pays_5():
    game = watchtowers()
    lay(game, "watch.I", 1, 0)
    lay(game, "base.A", 2, 0, 90)
    lay(game, "base.U", 0, 1)
    lay(game, "base.U", 1, 1)
    stand(game, 1, 1, 0, "road W")
    assert turn(game, "base.A", "place -1,0 270") == [(1, 5, "watchtower"), (1, 3, "road")]


def test_section_9_one_tile_that_closes_two_roads_scores_both_watchtowers_before_any_figure_returns():
    game = watchtowers()
    lay(game, "watch.A", 10, 10, 270)
    lay(game, "watch.A", 11, 11, 180)
    stand(game, 0, 10, 10, "road E")
    stand(game, 1, 11, 11, "road N")
    stand(game, 1, 10, 10, "city W")
    deal(game, "tower.E")
    events = turn(game, "tower.E", "place 11,10 0", "deploy meeple 11,10 field SR-WL")
    assert sorted(events[:2]) == [(0, 8, "watchtower"), (1, 8, "watchtower")]
    assert sorted(events[2:]) == [(0, 2, "road"), (1, 2, "road")]


def test_w2_a_follower_without_the_majority_scores_its_watchtower():
    game = watchtowers()
    lay(game, "watch.H", 1, 0, 90)  # roads S and W, ending on the tile
    lay(game, "base.U", -1, 0)
    stand(game, 0, 1, 0, "road W")
    stand(game, 1, 0, 0, "road EW")
    stand(game, 1, -1, 0, "road EW")
    assert turn(game, "base.A", "place -2,0 270") == [(0, 2, "watchtower"), (1, 4, "road")]


def test_w2_only_followers_of_the_closed_feature_score():
    game = watchtowers()
    lay(game, "watch.H", 1, 0, 90)
    stand(game, 0, 1, 0, "road W")
    stand(game, 1, 1, 0, "road S")
    assert turn(game, "base.A", "place -1,0 270") == [(0, 2, "watchtower"), (0, 3, "road")]


def test_w2_farmers_and_monks_trigger_nothing():
    game = watchtowers()
    lay(game, "watch.A", 0, -1, 180)
    stand(game, 1, 0, -1, "field NL-WL-WR")
    begin(game, "base.A", "place 1,0 90")
    assert game.score_events == []


def test_w4_pennants_are_those_printed_in_the_area():
    game = watchtowers()
    lay(game, "watch.F", 10, 10, 90)  # cities S and N
    lay(game, "base.C", 9, 9)
    lay(game, "base.C", 11, 9)
    lay(game, "base.C", 12, 9)  # outside
    lay(game, "base.G", 10, 11, 90)
    stand(game, 0, 10, 10, "city S")
    assert turn(game, "base.E", "place 10,12 0") == [(0, 4, "watchtower"), (0, 6, "city")]


def test_w4_monasteries_count_three_and_gardens_nothing():
    game = watchtowers()
    lay(game, "watch.D", 10, 10)
    lay(game, "base.B", 11, 10)
    lay(game, "base.B", 11, 11)
    lay(game, "tower.I.g", 9, 10)
    stand(game, 1, 10, 10, "city N")
    assert turn(game, "base.E", "place 10,9 180") == [(1, 6, "watchtower"), (1, 4, "city")]


def test_w4_a_bonus_of_nothing_is_no_event():
    game = watchtowers()
    lay(game, "watch.F", 10, 10, 90)
    stand(game, 1, 10, 10, "city N")
    assert turn(game, "base.E", "place 10,9 180") == [(1, 4, "city")]


def test_w5_watchtowers_pay_nothing_at_the_end():
    game = watchtowers()
    lay(game, "watch.A", 0, 1, 90)
    stand(game, 1, 0, 1, "road W")
    deal(game, "base.B", filler=None)
    begin(game, "base.B", "place 0,2 0", "pass")
    assert game.is_terminal
    assert game.score_events == [(1, 1, "road")]


def test_c2_a_captured_follower_neither_scores_nor_counts():
    game = position("tower", "watchtowers")
    lay(game, "watch.A", 10, 10)
    lay(game, "watch.A", 11, 10)
    lay(game, "tower.I", 9, 10)
    stand(game, 1, 10, 10, "city N")
    stand(game, 1, 11, 10, "city N")
    lay(game, "base.R", 10, 9, 180)  # city E S W
    lay(game, "base.E", 9, 9, 90)
    begin(game, "base.N", "place 11,9 270", "floor normal 9,10")
    game.apply("capture 10,10 meeple of 1 city N")
    assert game.score_events == [(1, 2, "watchtower"), (1, 10, "city")]
