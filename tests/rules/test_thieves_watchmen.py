"""H2-H4, H8, H9: floors on new towers, watchmen and from where they get there, what they bring at the end."""

import pytest
from boards import Table, feature, legal, own_game, play

from bastide import Game, Rules, RulesError

PLAIN = "field NL-NR-EL-ER-SL-SR-WL-WR"


def thieves(picture, *figures, **options):
    return Table(picture, *figures, **({"boxes": ("thieves",)} | options))


def floors(state):
    """The heights of the towers, in the order of placing: {(x, y): floors}."""
    return {(tile.x, tile.y): len(tile.floors) for tile in state.board if tile.floors}


def watchmen(state):
    """Where watchmen stand: {(x, y): owner}."""
    return {(tile.x, tile.y): tile.top.owner for tile in state.board if tile.top}


# -- H2


def test_h2_placing_a_foundation_puts_a_floor_on_it():
    with thieves("*plain", deck="post post") as played:
        played.turn("place 1,0 0")
        assert floors(played.state) == {(1, 0): 1}
        assert played.state.pieces.shared == {"floors": 19}
        played.draw()
        play(played.state, "place 2,0 0")  # at once, before the figure step
        assert floors(played.state) == {(1, 0): 1, (2, 0): 1}
        assert played.state.pieces.shared == {"floors": 18}


def test_h2_without_a_floor_in_the_supply_the_foundation_stays_bare_and_nobody_stands_on_it():
    state = own_game({"plain": 2, "post": 22, "thief2": 1}, "plain", boxes=("thieves",)).new_state()
    for x in range(1, 21):
        play(state, "draw post", f"place {x},0 0", "pass")
    assert state.pieces.shared == {"floors": 0}
    play(state, "draw post", "place 21,0 0")
    assert state.board[-1].floors == ()
    assert legal(state, "watchman") == ["watchman 20,0"]
    play(state, "pass", "draw thief2")  # nothing grows, the bare foundation neither
    assert floors(state) == {(x, 0): 1 for x in range(1, 21)}
    play(state, "draw post", "place 21,1 0")
    assert legal(state, "watchman") == []


# -- H3: sight. A tower in the middle of a large board whose row and column are empty but for the start tile.

MIDDLE = (1, 0)


def cross():
    """Plain fields round an empty cross, with a tower in its middle at 1,0 that the start tile connects."""
    rows = []
    for y in range(-4, 5):
        cells = ["." if (x == 1) != (y == 0) and abs(x - 1) < 4 and abs(y) < 4 else "plain" for x in range(-3, 6)]
        rows.append(cells)
    rows[4][3], rows[4][4] = "*plain", "post"
    return "\n".join(" ".join(row) for row in rows)


@pytest.fixture(scope="module")
def board():
    return thieves(cross(), deck="thief2 thief2 thief2 plain").state


def seen(board, height, x, y):
    """Whether the tower of this height can be watched from a tile placed at a cell."""
    state = board.copy()
    play(state, *(height - 1) * ["draw thief2"], "draw plain", f"place {x},{y} 0")
    assert floors(state) == {MIDDLE: height}
    return legal(state, "watchman") == ["watchman 1,0"]


@pytest.mark.parametrize("height", [1, 2, 3, 4])
@pytest.mark.parametrize("step", [(1, 0), (-1, 0), (0, 1), (0, -1)])
def test_h3_a_tower_is_seen_along_row_and_column_as_far_as_it_is_high_gaps_crossed(board, height, step):
    distances = [2, 3] if step == (-1, 0) else [1, 2, 3]  # the start tile lies next to it
    for distance in distances:  # all cells between are empty
        x, y = 1 + step[0] * distance, step[1] * distance
        assert seen(board, height, x, y) == (distance <= height), (x, y)


def test_h3_a_tower_is_never_seen_diagonally():
    picture = "*plain post\nplain ."
    with thieves(picture, deck="thief2 thief2 thief2 thief2 plain") as played:
        for _ in range(4):
            played.draw()
        assert floors(played.state) == {(1, 0): 5}
        played.draw()
        for cell, expected in {
            "1,1": ["watchman 1,0"],
            "1,-1": ["watchman 1,0"],
            "2,0": ["watchman 1,0"],
            "-1,0": ["watchman 1,0"],
            "0,-1": [],
            "0,2": [],
            "-1,1": [],
        }.items():
            state = played.state.copy()
            play(state, f"place {cell} 0")
            assert legal(state, "watchman") == expected, cell


def test_h3_the_own_tiles_tower_is_always_seen():
    with thieves("*plain plain", deck="post") as played:
        played.draw()
        play(played.state, "place 2,0 0")
        assert legal(played.state) == ["pass", f"deploy meeple 2,0 {PLAIN}", "watchman 2,0"]
        play(played.state, "watchman 2,0")
        assert watchmen(played.state) == {(2, 0): 1}


def test_h3_tiles_and_other_towers_between_do_not_block():
    # Towers at 1 and 2, both of height 2, and a watchman on the nearer one.
    with thieves("*plain post post plain", deck="thief2 plain plain") as played:
        played.draw()
        played.turn("place 2,1 0", "watchman 2,0")
        played.draw()
        play(played.state, "place 4,0 0")
        assert legal(played.state, "watchman") == ["watchman 2,0"]  # that at 1 is three away
    with thieves("*plain post post", deck="thief2 plain plain") as played:
        played.draw()
        played.turn("place 2,1 0", "watchman 2,0")
        played.draw()
        play(played.state, "place 3,0 0")
        assert legal(played.state, "watchman") == ["watchman 1,0", "watchman 2,0"]


def test_h3_it_is_the_turns_figure_action():
    with thieves("*plain post", deck="plain") as played:
        played.draw()
        play(played.state, "place 2,0 0")
        assert legal(played.state) == ["pass", f"deploy meeple 2,0 {PLAIN}", "watchman 1,0"]
        play(played.state, "watchman 1,0")
        assert (played.state.phase, played.state.turn_player) == ("draw", 0)
        assert [(f.owner, f.kind, f.x, f.y, f.place) for f in played.state.figures] == [(1, "meeple", 1, 0, "tower")]
        assert played.state.supply == ({"meeple": 7}, {"meeple": 6})


def test_h3_a_watchman_alone_makes_a_figure_step():
    with thieves("*plain post", f"0 1,0 {PLAIN}", deck="plain plain") as played:
        played.draw()
        play(played.state, "place 2,0 0")
        assert legal(played.state) == ["pass", "watchman 1,0"]
        play(played.state, "pass")
        played.draw()
        play(played.state, "place 3,0 0")
        assert played.state.phase == "draw"  # out of sight and the field taken: no figure step


def test_h3_an_older_tile_that_sees_the_tower_is_of_no_use():
    # The tile at 2,0 sees the tower at 1,0; that of this turn is two cells away from it.
    with thieves("*plain post plain", deck="plain") as played:
        played.draw()
        play(played.state, "place 3,0 0")
        assert legal(played.state, "watchman") == []


def test_h3_only_standard_meeples_can_be_watchmen():
    picture = "B B B B B B B *plain post"
    monks = [f"0 {x},0 monastery" for x in range(-7, 0)]
    with thieves(picture, *monks, deck="B", players=1, abbot=True, edition="c2") as played:
        assert played.state.supply == ({"meeple": 0, "abbot": 1},)
        played.draw()
        play(played.state, "place 2,0 0")
        assert legal(played.state) == ["pass", "deploy abbot 2,0 monastery"]


# -- H4


@pytest.mark.parametrize("height", [1, 3])
def test_h4_a_watchman_of_another_goes_home_and_its_owner_scores_2_section_9(height):
    growth = (height - 1) * "thief2 "
    with thieves("*plain post", deck=f"{growth}plain plain") as played:
        for _ in range(height - 1):
            played.draw()
        played.turn("place 2,0 0", "watchman 1,0")
        assert watchmen(played.state) == {(1, 0): 1}
        assert played.turn("place 1,1 0", "watchman 1,0") == [(1, 2, "watchman")]
        assert watchmen(played.state) == {(1, 0): 0}
        assert played.state.supply == ({"meeple": 6}, {"meeple": 7})


def test_h4_the_own_watchman_can_be_replaced_too_for_2():
    with thieves("*plain post", "0 1,0: watchman 1,0", deck="plain", players=1) as played:
        assert played.turn("place 2,0 0", "watchman 1,0") == [(0, 2, "watchman")]
        assert watchmen(played.state) == {(1, 0): 0}
        assert played.state.supply == ({"meeple": 6},)


def test_h4_by_option_the_own_watchman_cannot_be_replaced_but_those_of_others_can():
    picture = "*plain post\nplain post"
    figures = ["0 1,0: watchman 1,0", "1 1,1: watchman 1,1"]
    for replace_own, expected in ((True, ["watchman 1,0"]), (False, [])):
        with thieves(picture, *figures, deck="plain plain", watchman_replace_own=replace_own) as played:
            played.turn("place 0,2 0")
            assert played.state.turn_player == 0
            played.draw()
            state = played.state.copy()
            play(state, "place 2,1 0")
            assert legal(state, "watchman") == ["watchman 1,1"]
            state = played.state.copy()
            play(state, "place 1,-1 0")
            assert legal(state, "watchman") == expected


def test_h4_the_new_watchman_must_be_in_supply_before():
    for monks, expected in ((6, []), (5, ["watchman 1,0"])):
        picture = monks * "B " + "*plain post"
        figures = [*(f"0 {x},0 monastery" for x in range(-monks, 0)), "0 1,0: watchman 1,0"]
        with thieves(picture, *figures, deck="plain", players=1) as played:
            played.draw()
            play(played.state, "place 2,0 0")
            assert (legal(played.state, "watchman") if played.state.phase == "figure" else []) == expected


def test_h4_the_2_points_count_at_once_before_closed_features_are_scored():
    # The tile that closes the road sees the tower above the road's end.
    picture = """
        A/270 *D    .
        plain plain post
    """
    figures = ["0 -1,0 road E", "1 1,1: watchman 1,1"]
    with thieves(picture, *figures, deck="A") as played:
        played.turn("place 1,0 90", "watchman 1,1")
        events = [(event.player, event.points, event.source) for event in played.state.score_events]
        assert events == [(1, 2, "watchman"), (0, 3, "road")]


# -- H8


@pytest.mark.parametrize(("thief", "points"), [("", 5), ("thief2", 7), ("thief7", 12), ("thief.Q", 11)])
def test_h8_at_the_end_a_watchman_pays_5_and_the_stolen_tiles_value_section_9(thief, points):
    with thieves("*plain post", deck=f"{thief} plain", ends=True) as played:
        if thief:
            assert played.draw() == []
        assert played.turn("place 2,0 0", "watchman 1,0") == [(1, points, "watchman")]
        assert played.state.is_terminal
        assert played.state.scores == (0, points)


def test_h8_every_watchman_is_paid_with_the_stolen_value_each():
    figures = ["0 1,0: watchman 1,0", "1 2,0: watchman 2,0"]
    with thieves("*plain post post", *figures, deck="plain", ends=True) as played:
        assert played.turn("place 0,1 0") == [(0, 5, "watchman"), (1, 5, "watchman")]
    with thieves("*plain post post", deck="thief7 plain plain", ends=True) as played:
        played.draw()
        played.turn("place 3,0 0", "watchman 2,0")
        assert played.turn("place 1,1 0", "watchman 1,0") == [(0, 12, "watchman"), (1, 12, "watchman")]


def test_h8_a_stolen_tile_without_a_watchman_pays_nobody():
    with thieves("*plain post", deck="thief7 plain", ends=True) as played:
        played.draw()
        assert played.turn("place 2,0 0") == []
        assert played.state.scores == (0, 0)


def test_h8_a_watchman_does_not_occupy_the_field_of_its_tile_and_has_no_part_in_it():
    with thieves("E/180 .\n*E post", "1 1,0: watchman 1,0", deck="plain", ends=True) as played:
        assert all(f.figures == () for f in played.state.features())
        played.draw()
        play(played.state, "place 2,0 0")
        assert f"deploy meeple 2,0 {PLAIN}" in legal(played.state)
        # One farmer against one watchman: the farmer has the field to itself.
        gained = play(played.state, f"deploy meeple 2,0 {PLAIN}")
        assert gained == [(0, 3, "field"), (1, 5, "watchman")]


def test_h8_a_watchman_on_a_city_tile_is_no_knight():
    # thief.C has a city beside its tower; the city closes, and the watchman stays where it is.
    with thieves("*plain", deck="thief2 thief.C E") as played:
        played.draw()
        played.turn("place 1,0 0", "watchman 1,0")
        assert feature(played.state, 1, 0, "city N").figures == ()
        assert played.turn("place 1,-1 180", "deploy meeple 1,-1 city S") == [(1, 4, "city")]
        assert watchmen(played.state) == {(1, 0): 0}


def test_h8_a_watchman_is_no_robber_and_no_monk():
    with thieves("*plain keep", "0 1,0: watchman 1,0", deck="A plain", ends=True) as played:
        assert played.turn("place 1,1 180") == []
        assert played.turn("place 2,0 0", "pass") == [(0, 5, "watchman")]


# -- H9


@pytest.mark.parametrize("boxes", [("tower", "thieves"), ("thieves", "tower", "black-tower", "river")])
def test_h9_the_tower_and_towers_and_thieves_are_two_editions_of_one_box(boxes):
    with pytest.raises(RulesError, match=r"'tower' and 'thieves' are two editions of one box .*leave out one"):
        Rules(boxes=boxes)


def test_h9_the_black_tower_needs_the_tower_and_not_towers_and_thieves():
    with pytest.raises(RulesError, match=r"'black-tower' needs the box 'tower' \(H9\): add it, or leave out"):
        Rules(boxes=("thieves", "black-tower"))


def test_h9_the_options_of_one_edition_are_not_those_of_the_other():
    with pytest.raises(RulesError, match=r"watchman_replace_own=False needs the box 'thieves': add that"):
        Rules(boxes=("tower",), watchman_replace_own=False)
    with pytest.raises(RulesError, match=r"tower_gaps='cross' needs the box 'tower': add that"):
        Rules(boxes=("thieves",), tower_gaps="cross")


def test_an_unknown_edition_is_an_error_that_names_the_known_ones():
    with pytest.raises(RulesError, match=r"edition='c4' is not possible \(expected 'c3' or 'c2' or 'c1'\)"):
        Rules(boxes=("thieves",), edition="c4")


@pytest.mark.parametrize("copies", [0, 11])
def test_b14_there_are_one_to_ten_copies_of_towers_and_thieves(copies):
    with pytest.raises(RulesError, match=r"'thieves' is not possible \(expected 1 to 10\)"):
        Game(Rules(boxes=("thieves",), copies={"thieves": copies}))
