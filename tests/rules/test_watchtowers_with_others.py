"""W2, W4, C1: watchtowers together with watchmen, bridges, castles and barns."""

from boards import Table

PLAIN = "field NL-NR-EL-ER-SL-SR-WL-WR"
KNIGHT_AND_CITY = [(0, 2, "watchtower"), (0, 4, "city")]


def thieves(picture, *figures, **options):
    return Table(picture, *figures, **({"boxes": ("watchtowers", "thieves"), "edition": "c2"} | options))


def castles(picture, *figures, **options):
    return Table(picture, *figures, **({"boxes": ("watchtowers", "bridges-castles"), "edition": "c2"} | options))


def turn(played, *actions):
    """The points of a turn without bonuses of nothing."""
    return [event for event in played.turn(*actions) if event[1]]


# -- watchmen


def test_w4_a_watchman_counts_on_its_towers_tile_h8():
    with thieves("*plain watch.A post", "0 1,0 city N", "1 2,0: watchman 2,0", deck="E") as played:
        assert turn(played, "place 1,-1 180") == [(0, 4, "city"), (0, 4, "watchtower")]
    with thieves("*plain watch.A plain post", "0 1,0 city N", "0 3,0: watchman 3,0", deck="E") as played:
        assert turn(played, "place 1,-1 180") == KNIGHT_AND_CITY


def test_w4_a_watchman_counts_where_its_tower_stands_and_not_where_its_player_laid_a_tile():
    picture = """
        *plain watch.A .     post
        .      A/180   plain plain
    """
    with thieves(picture, "0 1,0 city N", deck="plain E") as played:
        turn(played, "place 2,0 0", "watchman 3,0")
        assert turn(played, "place 1,-1 180") == KNIGHT_AND_CITY


def test_w2_a_watchman_on_the_watchtowers_own_tile_triggers_nothing_h8():
    with thieves("*plain keep", "0 1,0: watchman 1,0", deck="A") as played:
        assert turn(played, "place 1,1 180") == []
        assert len(played.state.figures) == 1


def test_w4_a_watchman_that_a_thief_sends_home_is_not_counted_c1():
    # The thief is drawn before the tile is placed, so the watchman is gone when the city closes.
    with thieves("*plain watch.A post", "0 1,0 city N", "1 2,0: watchman 2,0", deck="thief.G") as played:
        assert turn(played, "place 1,-1 180") == [(0, 2, "watchtower"), (0, 4, "city"), (1, 2, "thief")]


def test_w4_a_watchman_posted_in_this_turn_is_counted_c1():
    # The thief steals, so a tower tile is drawn. Its road closes that of the watchtower.
    for action, bonus in (("pass", 2), ("watchman 1,1", 4)):
        with thieves("*plain watch.A", "0 1,0 road S", deck="thief.O thief.D") as played:
            played.draw()
            assert turn(played, "place 1,1 0", action) == [(0, 2, "road"), (0, bonus, "watchtower")]


def test_w4_a_watchman_replaced_in_this_turn_is_counted_once_c1():
    picture = """
        *plain     post
        watch.A/90 .
    """
    with thieves(picture, "0 0,1 city E", "1 1,0: watchman 1,0", deck="E") as played:
        gained = turn(played, "place 1,1 270", "watchman 1,0")
        assert gained == [(0, 4, "city"), (0, 4, "watchtower"), (1, 2, "watchman")]


# -- castles: base.E and a city tile above it, in the north-west of a watchtower at 1,1

CASTLE = """
    {0}/180 .
    *{1}    plain
    .       {2}/90
"""
BUILD = "0 0,-1: castle 0,-1 city S; pass"
MAIDEN = "0 0,-1: castle 0,-1 city S; deploy meeple 0,-1 castle S"


def test_w4_a_maiden_counts_if_one_of_the_castles_two_tiles_is_in_the_area():
    with castles(CASTLE.format("E", "E", "watch.A"), MAIDEN, "0 1,1 city E", deck="E") as played:
        assert [f.place for f in played.state.figures] == ["castle S", "city E"]
        assert (played.state.figures[0].x, played.state.figures[0].y) == (
            0,
            -1,
        )  # two rows above the watchtower
        assert turn(played, "place 2,1 270") == [(0, 4, "city"), (0, 4, "watchtower")]


def test_w4_a_maiden_of_a_castle_outside_the_area_does_not_count():
    picture = """
        E/180 .
        *E    plain plain
        .     .     watch.A/90
    """
    with castles(picture, MAIDEN, "1 2,1 city E", deck="E") as played:
        assert turn(played, "place 3,1 270") == [(1, 2, "watchtower"), (1, 4, "city")]


def test_w4_a_castle_is_no_city_tile():
    # watch.L itself and base.E to its east; without the castle also the tile at its corner.
    for castle, bonus in ([BUILD], 2), ([], 3):
        with castles(CASTLE.format("E", "E", "watch.L"), *castle, "0 1,1 city E", deck="E") as played:
            assert turn(played, "place 2,1 270") == [(0, bonus, "watchtower"), (0, 4, "city")]


def test_w4_pennants_of_a_city_turned_castle_do_not_count():
    picture = """
        E/180 .
        *cap  plain
        .     watch.F
    """
    for castle, bonus in ([BUILD], []), ([], [(0, 2, "watchtower")]):
        with castles(picture, *castle, "0 1,1 city E", deck="E") as played:
            assert turn(played, "place 2,1 270") == [*bonus, (0, 4, "city")]


def test_w4_a_pennant_beside_a_castle_on_the_same_tile_counts():
    # own.twin has a pennant in its northern city, the castle, and two in the western one.
    picture = """
        E/180 .
        *twin plain
        .     watch.F
    """
    with castles(picture, BUILD, "0 1,1 city E", deck="E") as played:
        assert turn(played, "place 2,1 270") == [(0, 4, "city"), (0, 4, "watchtower")]


def test_c1_a_maiden_taken_back_is_scored_first_and_off_the_board_before_watchtowers_count():
    picture = """
        .     E/180 .
        plain *E    plain
        .     .     watch.A/90
    """
    with castles(picture, MAIDEN, "1 1,1 city E", deck="E") as played:
        turn(played, "place 2,1 270", "no building", "take back maiden 0,-1 castle S")
        events = [(e.player, e.points, e.source) for e in played.state.score_events]
        assert events == [(0, 2, "maiden"), (1, 2, "watchtower"), (1, 4, "city")]


# -- barns


def test_w4_a_farmer_on_a_barn_counts_if_one_of_its_four_tiles_is_in_the_area():
    picture = """
        *plain plain
        plain  .
    """
    deck = "plain plain watch.A E"
    with castles(picture, f"0 1,0 {PLAIN}", deck=deck) as played:
        assert turn(played, "place 1,1 0", f"barn 1,1 NW from 1,0 {PLAIN}") == [(0, 1, "barn")]
        turn(played, "place 2,1 0")
        turn(played, "place 2,2 90", "deploy meeple 2,2 city E")
        assert [(f.x, f.y, f.place) for f in played.state.figures] == [(0, 0, "barn"), (2, 2, "city E")]
        assert turn(played, "place 3,2 270") == [(0, 4, "city"), (0, 4, "watchtower")]


def test_c1_a_barn_is_scored_first_then_the_watchtower_then_the_city():
    # The last tile closes the city to its east and completes a block of fields to its north-west. Two tiles
    # of the barn are in the area, so the farmer on it counts.
    picture = """
        *plain plain plain
        plain  .     watch.A/270
    """
    with castles(picture, f"0 1,0 {PLAIN}", "1 2,1 city W", deck="E") as played:
        turn(played, "place 1,1 90", f"barn 1,1 NW from 1,0 {PLAIN}")
        events = [(e.player, e.points, e.source) for e in played.state.score_events]
        assert events == [(0, 1, "barn"), (1, 4, "watchtower"), (1, 4, "city")]


# -- bridges


def test_w4_a_bridge_is_a_road():
    # base.A twice, the watchtower, and a plain tile that has no road but its bridge.
    picture = """
        *A       .
        plain=NS watch.G/180
    """
    with castles(picture, "1 1,1 road N", deck="A") as played:
        assert turn(played, "place 1,0 0") == [(1, 2, "road"), (1, 4, "watchtower")]


def test_w4_a_follower_on_a_bridge_counts():
    picture = """
        *A       .
        plain=NS watch.A/180
    """
    figures = ["0 0,1: deploy meeple 0,1 road NS", "1 1,1 road N"]
    with castles(picture, *figures, deck="A") as played:
        assert turn(played, "place 1,0 0") == [(1, 2, "road"), (1, 4, "watchtower")]
