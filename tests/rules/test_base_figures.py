"""B6, B10: where a figure may be deployed, and several features closed by one tile."""

from boards import Table, legal, play

from bastide import Game, Rules

PLAIN = "field NL-NR-EL-ER-SL-SR-WL-WR"


def deployable(table, *steps):
    """The spots that the figure step offers for the tile placed by these steps."""
    table.draw()
    play(table.state, *steps)
    if table.state.phase != "figure":
        return []
    return [text.split(" ", 3)[3] for text in legal(table.state, "deploy")]


# -- B6


def test_b6_roads_cities_fields_and_the_monastery_can_be_occupied():
    assert deployable(Table("*D", deck="corners"), "place 0,-1 180") == [
        "road N",
        "city S",
        "field NL-NR-EL-ER-WL-WR",
        "monastery",
    ]


def test_b6_every_segment_of_a_crossing_can_be_occupied():
    assert deployable(Table("*D", deck="X"), "place 1,0 0") == [
        "road N",
        "road E",
        "road S",
        "road W",
        "field NL-WR",
        "field NR-EL",
        "field ER-SL",
        "field SR-WL",
    ]


def test_b6_only_the_tile_just_placed_takes_a_figure():
    table = Table("*D U", deck="U")
    table.draw()
    play(table.state, "place 2,0 0")
    assert {text.split(" ")[2] for text in legal(table.state, "deploy")} == {"2,0"}


def test_b6_a_road_with_a_follower_on_another_tile_is_taken():
    spots = deployable(Table("*D U", "0 1,0 road EW", deck="U"), "place 2,0 0")
    assert spots == ["field NL-NR-EL-WR", "field ER-SL-SR-WL"]


def test_b6_the_own_follower_takes_the_feature_too():
    spots = deployable(Table("*D U", "0 1,0 road EW", deck="U", players=1), "place 2,0 0")
    assert spots == ["field NL-NR-EL-WR", "field ER-SL-SR-WL"]


def test_b6_a_feature_that_this_placement_joins_counts():
    picture = """
        *D    .     A/90
        plain plain plain
    """
    taken = Table(picture, "1 2,0 road W", deck="U")
    free = Table(picture, deck="U")
    assert deployable(taken, "place 1,0 0") == ["field NL-NR-EL-WR", "field ER-SL-SR-WL"]
    assert deployable(free, "place 1,0 0") == ["road EW", "field NL-NR-EL-WR", "field ER-SL-SR-WL"]


def test_b6_a_field_with_a_farmer_far_away_is_taken():
    field = "field ER-SL-SR-WL"
    assert deployable(Table("U *D U", f"0 -1,0 {field}", deck="plain"), "place 1,1 0") == []
    assert deployable(Table("U *D U", deck="plain"), "place 1,1 0") == [PLAIN]


def test_b6_a_road_parts_two_fields():
    # The farmer is south of the road, so the north is free.
    spots = deployable(Table("*D U", "0 1,0 field ER-SL-SR-WL", deck="U"), "place 2,0 0")
    assert spots == ["road EW", "field NL-NR-EL-WR"]


def test_b6_a_city_parts_two_fields():
    spots = deployable(Table("*G", deck="G"), "place 1,0 0")
    assert spots == ["city EW", "field NL-NR", "field SL-SR"]
    spots = deployable(Table("*G G", "0 1,0 field NL-NR", deck="G"), "place 1,-1 0")
    assert spots == ["city EW", "field NL-NR"]  # its south is the farmer's field


def test_b6_a_monastery_is_free_though_its_field_and_its_neighbour_are_taken():
    assert deployable(Table("*plain B", f"0 1,0 {PLAIN}", deck="B"), "place 2,0 0") == ["monastery"]
    assert deployable(Table("*plain B", "0 1,0 monastery", deck="B"), "place 2,0 0") == [PLAIN, "monastery"]


def test_b6_a_city_that_closes_is_taken_if_somebody_was_in_it():
    table = Table("G/90\n*D", "0 0,-1 city NS", deck="E")
    assert deployable(table, "place 0,-2 180") == ["field NL-NR-EL-ER-WL-WR"]


def test_b6_completing_a_road_does_not_stop_the_deployment_and_the_meeple_comes_back():
    table = Table("A/270 *D", deck="A")
    with table:
        table.draw()
        play(table.state, "place 1,0 90")
        assert "deploy meeple 1,0 road W" in legal(table.state)
        assert play(table.state, "deploy meeple 1,0 road W") == [(1, 3, "road")]
        assert table.state.figures == ()
        assert table.state.supply == ({"meeple": 7}, {"meeple": 7})


def test_b6_completing_a_city_does_not_stop_the_deployment():
    with Table("*D", deck="E") as table:
        assert table.turn("place 0,-1 180", "deploy meeple 0,-1 city S") == [(0, 4, "city")]
        assert table.state.supply == ({"meeple": 7}, {"meeple": 7})


def test_b6_a_monastery_placed_into_its_hole_scores_at_once():
    picture = """
        plain plain plain
        *plain .    plain
        plain plain plain
    """
    with Table(picture, deck="B") as table:
        assert table.turn("place 1,0 0", "deploy meeple 1,0 monastery") == [(1, 9, "monastery")]
        assert table.state.figures == ()


def test_b6_nothing_can_be_deployed_after_a_pass():
    with Table("*D", deck="U U") as table:
        table.turn("place 1,0 0")
        table.draw()
        play(table.state, "place 2,0 0")
        assert "deploy meeple 2,0 road EW" in legal(table.state)  # nobody took it in the turn before
        play(table.state, "pass")


def test_b6_without_any_free_segment_there_is_no_figure_step():
    table = Table("*plain plain", f"0 1,0 {PLAIN}", deck="plain")
    table.draw()
    play(table.state, "place 2,0 0")
    assert (table.state.phase, table.state.turn_player) == ("draw", 0)


def test_b6_a_meeple_cannot_stand_on_a_garden():
    state = Game(Rules(edition="c3")).new_state()
    play(state, "draw base.U.g", "place 1,0 0")
    assert [text.split(" ", 3)[3] for text in legal(state, "deploy")] == [
        "road EW",
        "field NL-NR-EL-WR",
        "field ER-SL-SR-WL",
    ]


def test_b6_a_field_edge_of_two_halves_joins_each_half_to_the_one_it_meets():
    # The wall runs from north to south through both tiles: west stays west of it, east stays east.
    west, east = "field NL-SR-WL-WR", "field NR-EL-ER-SL"
    table = Table("*wall\nwall", f"0 0,1 {west}", deck="wall")
    assert deployable(table, "place 0,2 0") == [east]


# -- B10


def test_b10_four_cities_closed_by_one_tile_are_all_scored():
    figures = ["0 -1,0 city E", "0 1,-1 city S", "1 2,0 city W", "1 1,1 city N"]
    picture = """
        .     plain E/180 plain
        E/90  *G    .     E/270
        .     plain E     plain
    """
    with Table(picture, *figures, deck="stubs") as table:
        # North and east: 2 tiles, 4 points. South: 2 tiles and a pennant, 6. West: 3 tiles, 6.
        assert table.turn("place 1,0 0") == [(0, 4, "city"), (0, 6, "city"), (1, 4, "city"), (1, 6, "city")]
        assert table.state.scores == (10, 10)
        assert table.state.supply == ({"meeple": 7}, {"meeple": 7})


def test_b10_a_city_a_road_and_a_monastery_closed_by_one_tile_are_all_scored():
    picture = """
        *plain E/180 plain
        plain  .     plain
        plain  A/180 plain
    """
    with Table(picture, "1 1,0 city S", "0 1,2 road N", deck="corners") as table:
        turn = table.turn("place 1,1 0", "deploy meeple 1,1 monastery")
        assert turn == [(0, 2, "road"), (1, 4, "city"), (1, 9, "monastery")]


def test_b10_two_monasteries_completed_by_one_tile_are_both_scored():
    picture = """
        plain  plain plain plain
        *plain B     B     plain
        plain  plain .     plain
    """
    with Table(picture, "0 1,0 monastery", "1 2,0 monastery", deck="plain") as table:
        assert table.turn("place 2,1 0") == [(0, 9, "monastery"), (1, 9, "monastery")]


def test_b10_two_roads_of_one_player_closed_by_one_tile_give_the_sum():
    picture = """
        A/270 .     A/90
        plain *plain plain
    """
    with Table(picture, "0 -1,-1 road E", "0 1,-1 road W", deck="W", players=1) as table:
        assert table.turn("place 0,-1 180") == [(0, 2, "road"), (0, 2, "road")]
        assert table.state.scores == (4,)


def test_b10_a_meeple_that_comes_back_in_this_turn_cannot_be_deployed_in_it():
    # All seven are out, six as monks; the road that closes gives one back only after the figure step.
    picture = """
        A/270 *D . . . . .
        B     B  B B B B B
    """
    figures = ["0 -1,0 road E", *[f"0 {x},1 monastery" for x in range(6)]]
    with Table(picture, *figures, deck="A A", players=1) as table:
        assert table.state.supply == ({"meeple": 0},)
        table.draw()
        assert play(table.state, "place 1,0 90") == [(0, 3, "road")]
        assert (table.state.phase, table.state.supply) == ("draw", ({"meeple": 1},))
        table.draw()  # and in the next turn it can
        play(table.state, "place -1,-1 90")
        assert "deploy meeple -1,-1 monastery" in legal(table.state)
