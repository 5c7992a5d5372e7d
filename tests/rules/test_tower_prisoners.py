"""T6-T11: prisoners, exchange, ransom, followers on towers up to the end; what a state keeps of all that."""

from boards import Table, legal, play

PLAIN = "field NL-NR-EL-ER-SL-SR-WL-WR"
# A tower on the start tile among monks; turns go on with plain tiles further east.
STAR = """
    .     B        .
    B     *tower.I B
    plain B        .
"""
WEST, NORTH, EAST, SOUTH = "-1,0", "0,-1", "1,0", "0,1"


def table(picture, *figures, deck="", **options):
    return Table(picture, *figures, deck=deck, **({"boxes": ("tower",)} | options))


def star(*owners, turns, abbots=(), **options):
    """Lay the star with monks of these owners in the west, north, east and south, for this many turns."""
    figures = []
    for cell, owner in zip((WEST, NORTH, EAST, SOUTH), owners, strict=True):
        kind = "abbot" if cell in abbots else "meeple"
        figures.append(f"{owner} {cell}: deploy {kind} {cell} monastery")
    return table(STAR, *figures, deck="plain " * turns, **options)


def turn(played, cell=None, kind="meeple"):
    """Lay a plain tile in the east; put a floor and capture the monk on a cell, or pass. Returns points."""
    x = max(tile.x for tile in played.state.board) + 1
    if cell is None:
        return played.turn(f"place {x},0 0")
    (owner,) = [f.owner for f in played.state.figures if f"{f.x},{f.y}" == cell]
    gained = played.draw()
    capture = f"capture {cell} {kind} of {owner} monastery"
    return gained + play(played.state, f"place {x},0 0", "floor normal 0,0", capture)


# -- T6


def test_t6_an_opponents_follower_becomes_a_prisoner_and_stays_one():
    with table("*plain B", "0 1,0 monastery", deck="tower.I plain plain") as played:
        played.turn("place 2,0 0", "floor normal 2,0", "capture 1,0 meeple of 0 monastery")
        for x in (3, 4):
            assert played.state.prisoners == ({}, {("meeple", 0): 1})
            assert played.state.supply == ({"meeple": 6}, {"meeple": 7})
            played.turn(f"place {x},0 0")


def test_t6_an_own_captured_follower_goes_back_to_supply_and_is_no_prisoner():
    with table("*plain B tower.I", "0 1,0 monastery", deck="plain") as played:
        played.turn("place 3,0 0", "floor normal 2,0", "capture 1,0 meeple of 0 monastery")
        assert played.state.prisoners == ({}, {})
        assert played.state.supply == ({"meeple": 7}, {"meeple": 7})
        assert played.state.figures == ()


def test_t6_one_player_alone_captures_own_followers_only():
    with table("*plain B", "0 1,0 monastery", deck="tower.I", players=1) as played:
        played.turn("place 2,0 0", "floor normal 2,0", "capture 1,0 meeple of 0 monastery")
        assert played.state.prisoners == ({},)
        assert played.state.supply == ({"meeple": 7},)


# -- T7


def test_t7_prisoners_of_each_other_are_exchanged_at_once():
    with star(0, 1, 0, 1, turns=2) as played:
        assert played.state.turn_player == 1
        turn(played, WEST)
        assert played.state.prisoners == ({}, {("meeple", 0): 1})
        assert played.state.supply == ({"meeple": 5}, {"meeple": 5})
        turn(played, NORTH)
        assert played.state.phase == "draw"  # compulsory, and nothing to choose
        assert played.state.prisoners == ({}, {})
        assert played.state.supply == ({"meeple": 6}, {"meeple": 6})


def test_t7_of_several_prisoners_one_of_each_is_exchanged():
    with star(0, 1, 0, 1, turns=6) as played:
        turn(played, WEST)
        turn(played)
        turn(played, EAST)
        assert played.state.prisoners == ({}, {("meeple", 0): 2})
        assert played.state.supply == ({"meeple": 5}, {"meeple": 5})
        turn(played, NORTH)
        assert played.state.prisoners == ({}, {("meeple", 0): 1})
        assert played.state.supply == ({"meeple": 6}, {"meeple": 6})
        turn(played)
        turn(played, SOUTH)
        assert played.state.prisoners == ({}, {})
        assert played.state.supply == ({"meeple": 7}, {"meeple": 7})


def test_t7_an_own_follower_captured_exchanges_nothing():
    with star(0, 1, 0, 1, turns=2) as played:
        turn(played, WEST)
        turn(played, EAST)  # player 0 captures the own monk
        assert played.state.prisoners == ({}, {("meeple", 0): 1})
        assert played.state.supply == ({"meeple": 6}, {"meeple": 5})


def test_t7_prisoners_in_a_ring_of_three_players_are_not_exchanged():
    with star(0, 1, 0, 2, turns=4, players=3) as played:
        assert played.state.turn_player == 2
        turn(played, NORTH)
        turn(played, SOUTH)
        turn(played, WEST)
        assert played.state.prisoners == ({("meeple", 2): 1}, {("meeple", 0): 1}, {("meeple", 1): 1})
        turn(played, EAST)  # player 2 holds one of player 0 now, who holds one of player 2
        assert played.state.prisoners == ({}, {("meeple", 0): 1}, {("meeple", 1): 1})
        assert played.state.supply == ({"meeple": 6}, {"meeple": 6}, {"meeple": 7})


ABBOTS = {"edition": "c2", "abbot": True}


def test_t7_who_just_captured_chooses_which_own_figure_comes_back():
    for kind, supply, held in (("abbot", (6, 1), "meeple"), ("meeple", (7, 0), "abbot")):
        with star(0, 1, 0, 1, turns=4, abbots=[WEST], **ABBOTS) as played:
            turn(played, WEST, "abbot")
            turn(played)
            turn(played, EAST)
            assert played.state.prisoners == ({}, {("meeple", 0): 1, ("abbot", 0): 1})
            turn(played, NORTH)
            assert (played.state.phase, played.state.current_player) == ("exchange", 0)
            assert legal(played.state) == ["exchange meeple from 1", "exchange abbot from 1"]
            play(played.state, f"exchange {kind} from 1")
            assert played.state.supply[0] == {"meeple": supply[0], "abbot": supply[1]}
            assert played.state.supply[1] == {"meeple": 6, "abbot": 1}  # the one just captured is back
            assert played.state.prisoners == ({}, {(held, 0): 1})
            assert (played.state.phase, played.state.turn_player) == ("draw", 1)


def test_t7_an_abbot_captured_is_exchanged_for_a_meeple_without_a_choice():
    with star(0, 1, 0, 1, turns=2, abbots=[NORTH], **ABBOTS) as played:
        turn(played, WEST)
        turn(played, NORTH, "abbot")
        assert played.state.phase == "draw"
        assert played.state.prisoners == ({}, {})
        assert played.state.supply == ({"meeple": 6, "abbot": 1}, {"meeple": 6, "abbot": 1})


def test_t7_the_choice_can_be_taken_back_and_survives_bytes():
    played = star(0, 1, 0, 1, turns=4, abbots=[WEST], **ABBOTS)
    turn(played, WEST, "abbot")
    turn(played)
    turn(played, EAST)
    turn(played, NORTH)
    before, key = played.state.to_bytes(), played.state.key
    twin = played.game.state_from_bytes(before)
    assert legal(twin) == legal(played.state)
    play(twin, "exchange abbot from 1")
    play(played.state, "exchange meeple from 1")
    assert twin != played.state
    assert twin.key != played.state.key
    played.state.undo()
    assert (played.state.to_bytes(), played.state.key) == (before, key)


# -- T8

# Player 0 gets three points when A/90 closes the road, and has a monk beside the tower. Player 1 is next.
THREE = """
    A/270 *D
    B     tower.I
"""
THREE_FIGURES = ["0 -1,0 road E", "0 -1,1 monastery"]
ROBBED = ("place 1,0 90", "floor normal 0,1", "capture -1,1 meeple of 0 monastery")


def test_t8_ransom_costs_three_points_which_the_holder_gets():
    with table(THREE, *THREE_FIGURES, deck="A plain") as played:
        assert played.turn(*ROBBED) == [(0, 3, "road")]
        played.draw()
        play(played.state, "place 0,2 0")
        assert legal(played.state, "ransom") == ["ransom meeple from 1"]
        assert play(played.state, "ransom meeple from 1") == [(0, -3, "ransom"), (1, 3, "ransom")]
        assert played.state.scores == (0, 3)
        assert played.state.prisoners == ({}, {})
        assert played.state.supply == ({"meeple": 7}, {"meeple": 7})
        assert (played.state.phase, played.state.current_player) == ("figure", 0)


def test_t8_the_figure_action_comes_after_the_ransom():
    actions = [
        (f"deploy meeple 0,2 {PLAIN}", (0, 0, 2, PLAIN)),
        ("tower meeple 0,1", (0, 0, 1, "tower")),
    ]
    for action, figure in actions:
        with table(THREE, *THREE_FIGURES, deck="A plain") as played:
            played.turn(*ROBBED)
            played.turn("place 0,2 0", "ransom meeple from 1", action)
            assert [(f.owner, f.x, f.y, f.place) for f in played.state.figures] == [figure]
    with table(THREE, *THREE_FIGURES, deck="A plain") as played:
        played.turn(*ROBBED)
        played.turn("place 0,2 0", "ransom meeple from 1", "floor normal 0,1")
        assert played.state.pieces == ({"normal": 9}, {"normal": 9})


def test_t8_only_before_the_figure_action():
    played = table(THREE, *THREE_FIGURES, deck="A plain")
    played.turn(*ROBBED)
    played.turn("place 0,2 0", "floor normal 0,1")
    assert played.state.phase == "draw"  # no ransom after it
    assert played.state.prisoners == ({}, {("meeple", 0): 1})


def test_t8_a_ransomed_figure_may_be_captured_again_in_the_next_turn():
    with table(THREE, *THREE_FIGURES, deck="A A plain") as played:
        played.turn(*ROBBED)
        played.turn("place 0,2 0", "ransom meeple from 1", "deploy meeple 0,2 monastery")
        played.turn("place 1,1 270", "floor normal 0,1", "capture 0,2 meeple of 0 monastery")
        assert played.state.prisoners == ({}, {("meeple", 0): 1})


def test_t8_nobody_but_the_owner_can_ransom():
    # Players 0 and 2 get four points each; player 1 holds a monk of player 0.
    picture = """
        A/270 *D      .     A/90
        B     tower.I plain plain
    """
    figures = ["0 -1,0 road E", "2 2,0 road W", "0 -1,1 monastery"]
    with table(picture, *figures, deck="plain U plain plain plain", players=3) as played:
        played.turn("place 3,1 0")
        turn = played.turn("place 1,0 0", "floor normal 0,1", "capture -1,1 meeple of 0 monastery")
        assert turn == [(0, 4, "road"), (2, 4, "road")]
        for x, offered in ((4, []), (5, ["ransom meeple from 1"]), (6, [])):  # players 2, 0 and 1
            played.draw()
            play(played.state, f"place {x},1 0")
            assert legal(played.state, "ransom") == offered
            play(played.state, "pass")


def test_t8_of_several_holders_the_player_chooses_one():
    picture = """
        A/270 *D      U
        B     tower.I B
        .     plain   .
        .     plain   .
    """
    figures = ["0 -1,0 road E", "0 -1,1 monastery", "0 1,1 monastery"]
    with table(picture, *figures, deck="plain A plain", players=3) as played:
        played.turn("place 0,4 0", "floor normal 0,1", "capture -1,1 meeple of 0 monastery")
        turn = played.turn("place 2,0 90", "floor normal 0,1", "capture 1,1 meeple of 0 monastery")
        assert turn == [(0, 4, "road")]
        played.draw()
        play(played.state, "place 0,5 0")
        assert legal(played.state, "ransom") == ["ransom meeple from 1", "ransom meeple from 2"]
        assert play(played.state, "ransom meeple from 2") == [(0, -3, "ransom"), (2, 3, "ransom")]
        assert legal(played.state, "ransom") == []
        assert played.state.prisoners == ({}, {("meeple", 0): 1}, {})
        assert played.state.scores == (1, 0, 3)


def test_t8_no_ransom_with_fewer_than_three_points():
    with table("B tower.I *A plain", "0 -2,0 monastery", deck="plain A plain plain") as played:
        played.turn("place 2,0 0", "floor normal -1,0", "capture -2,0 meeple of 0 monastery")
        assert played.turn("place 0,1 180", "deploy meeple 0,1 road N") == [(0, 2, "road")]
        played.turn("place 3,0 0")
        played.draw()
        play(played.state, "place 4,0 0")
        assert legal(played.state, "ransom") == []


def test_t8_at_most_one_ransom_a_turn():
    picture = """
        A/270 *D      U U U
        B     tower.I B . .
    """
    figures = ["0 -1,0 road E", "0 -1,1 monastery", "0 1,1 monastery"]
    with table(picture, *figures, deck="plain plain A plain plain plain") as played:
        played.turn("place 0,2 0", "floor normal 0,1", "capture -1,1 meeple of 0 monastery")
        played.turn("place 0,3 0")
        turn = played.turn("place 4,0 90", "floor normal 0,1", "capture 1,1 meeple of 0 monastery")
        assert turn == [(0, 6, "road")]
        played.draw()
        play(played.state, "place 0,4 0")
        assert legal(played.state, "ransom") == ["ransom meeple from 1"]  # there are two of a kind
        play(played.state, "ransom meeple from 1")
        assert legal(played.state, "ransom") == []
        assert played.state.prisoners == ({}, {("meeple", 0): 1})
        play(played.state, "pass")
        played.turn("place 0,5 0")
        played.turn("place 0,6 0", "ransom meeple from 1")  # in the next turn it can
        assert played.state.scores == (0, 6)
        assert played.state.prisoners == ({}, {})


def test_t8_the_ransomed_figure_can_be_used_at_once_when_there_is_no_other():
    picture = """
        .     .     A/270 *D      .     .     .
        B     B     B     tower.I B     B     B
        plain plain plain plain   plain .     .
    """
    monks = [f"0 {x},1 monastery" for x in (-3, -2, -1, 1, 2, 3)]
    with table(picture, "0 -1,0 road E", *monks, deck="A B plain plain") as played:
        assert played.turn(*ROBBED) == [(0, 3, "road")]
        played.turn("place 4,1 0", "deploy meeple 4,1 monastery")
        assert played.state.supply[0] == {"meeple": 0}
        played.turn("place 5,1 0")
        played.draw()
        play(played.state, "place 6,1 0")
        assert legal(played.state) == ["pass", "ransom meeple from 1", "floor normal 0,1"]
        play(played.state, "ransom meeple from 1")
        assert legal(played.state) == [
            "pass",
            f"deploy meeple 6,1 {PLAIN}",
            "floor normal 0,1",
            "tower meeple 0,1",
        ]
        play(played.state, "tower meeple 0,1")
        assert played.state.supply[0] == {"meeple": 0}


def test_t8_ransom_alone_opens_the_figure_step():
    # No open tower and no free segment: the field is the farmer's.
    with table(THREE, *THREE_FIGURES, deck="A plain plain plain") as played:
        played.turn(*ROBBED)
        played.turn("place 0,2 0", f"deploy meeple 0,2 {PLAIN}")
        played.turn("place 0,3 0", "tower meeple 0,1")
        played.draw()
        play(played.state, "place 0,4 0")
        assert legal(played.state) == ["pass", "ransom meeple from 1"]
        play(played.state, "ransom meeple from 1")
        assert (played.state.phase, played.state.turn_player) == ("draw", 1)  # only a pass would be left


# -- T9


def test_t9_a_follower_on_a_tower_can_be_captured_by_another_tower_and_the_first_reopens():
    with table("tower.I tower.I *plain", deck="plain plain plain plain") as played:
        played.turn("place 1,0 0", "floor normal -2,0")
        played.turn("place 2,0 0", "tower meeple -2,0")
        played.turn("place 3,0 0", "floor normal -1,0", "capture -2,0 meeple of 1 tower")
        assert played.state.figures == ()
        assert played.state.prisoners == ({("meeple", 1): 1}, {})
        played.draw()
        play(played.state, "place 4,0 0")
        assert legal(played.state, "floor", "tower") == [
            "floor normal -2,0",
            "floor normal -1,0",
            "tower meeple -2,0",
            "tower meeple -1,0",
        ]


def test_t9_an_own_follower_on_a_tower_can_be_called_back_by_another_tower():
    with table("tower.I tower.I *plain", deck="plain plain plain plain") as played:
        played.turn("place 1,0 0", "floor normal -2,0")
        played.turn("place 2,0 0", "tower meeple -2,0")
        played.turn("place 3,0 0")
        played.turn("place 4,0 0", "floor normal -1,0", "capture -2,0 meeple of 1 tower")
        assert played.state.prisoners == ({}, {})
        assert played.state.supply == ({"meeple": 7}, {"meeple": 7})


def test_t9_a_follower_on_a_tower_belongs_to_no_feature():
    with table("*plain tower.I", "0 1,0: floor normal 1,0", deck="plain plain", ends=True) as played:
        played.turn("place 2,0 0", "tower meeple 1,0")
        assert all(not f.figures for f in played.state.features())
        played.draw()
        play(played.state, "place 3,0 0")
        assert legal(played.state, "deploy") == [f"deploy meeple 3,0 {PLAIN}"]  # nobody is on the field (B6)


def test_t9_a_follower_on_a_tower_stays_to_the_end_and_scores_nothing_t10():
    # A city on the tower's tile closes, which does not send the follower home.
    with table("*plain tower.K", "0 1,0: floor normal 1,0", deck="B E plain", ends=True) as played:
        played.turn("place 2,0 0", "tower meeple 1,0")
        assert played.turn("place 1,-1 180") == []
        assert played.turn("place 3,0 0") == []
        assert played.state.is_terminal
        assert [(f.owner, f.x, f.y, f.place) for f in played.state.figures] == [(1, 1, 0, "tower")]
        assert played.state.scores == (0, 0)


# -- T10


def test_t10_prisoners_score_nothing_at_the_end():
    with table("*plain B", "0 1,0 monastery", deck="tower.I plain", ends=True) as played:
        played.turn("place 2,0 0", "floor normal 2,0", "capture 1,0 meeple of 0 monastery")
        assert played.turn("place 3,0 0") == []
        assert played.state.is_terminal
        assert played.state.prisoners == ({}, {("meeple", 0): 1})
        assert played.state.scores == (0, 0)


def test_t10_a_captured_follower_is_missing_in_the_final_scoring_of_this_very_turn():
    def end(*actions):
        with table("*plain B", "0 1,0 monastery", deck="tower.I", ends=True) as played:
            return played.turn("place 2,0 0", "floor normal 2,0", *actions)

    assert end("pass") == [(0, 3, "monastery")]
    assert end("capture 1,0 meeple of 0 monastery") == []


# -- T11


def test_t11_an_eye_for_an_eye_allows_no_ransom():
    with table(THREE, *THREE_FIGURES, deck="A plain", tower_eye_for_an_eye=True) as played:
        assert played.turn(*ROBBED) == [(0, 3, "road")]
        played.draw()
        play(played.state, "place 0,2 0")
        assert legal(played.state, "ransom") == []


def test_t11_an_eye_for_an_eye_still_exchanges():
    with star(0, 1, 0, 1, turns=2, tower_eye_for_an_eye=True) as played:
        turn(played, WEST)
        turn(played, NORTH)
        assert played.state.prisoners == ({}, {})
        assert played.state.supply == ({"meeple": 6}, {"meeple": 6})


# -- what a state keeps


def observed(state):
    floors = {(tile.x, tile.y): (tile.floors, tile.top) for tile in state.board if tile.floors}
    return floors, state.figures, state.prisoners, state.pieces, state.supply, state.scores, state.phase


def test_floors_prisoners_and_tower_followers_come_back_on_undo_and_are_part_of_bytes_and_key():
    played = table(THREE, *THREE_FIGURES, deck="A plain plain")
    state = played.state
    steps = ["draw A", *ROBBED, "draw plain", "place 0,2 0", "ransom meeple from 1", "tower meeple 0,1"]
    marks = []
    for step in steps:
        marks.append((observed(state), state.to_bytes(), state.key))
        play(state, step)
    marks.append((observed(state), state.to_bytes(), state.key))
    assert len({data for _, data, _ in marks}) == len({key for *_, key in marks}) == len(marks)
    for seen, data, key in marks:
        twin = played.game.state_from_bytes(data)
        assert (observed(twin), twin.to_bytes(), twin.key) == (seen, data, key)
        assert twin.faults() == []
    for seen, data, key in reversed(marks[:-1]):
        state.undo()
        assert (observed(state), state.to_bytes(), state.key) == (seen, data, key)


def test_states_that_differ_only_in_who_put_a_floor_differ():
    first = table("*plain tower.I", "0 1,0: floor normal 1,0", deck="plain")
    second = table("*plain tower.I", deck="plain")
    first.turn("place 2,0 0")
    second.turn("place 2,0 0", "floor normal 1,0")
    assert first.state.board == second.state.board
    assert first.state != second.state
    assert first.state.key != second.state.key


def test_states_that_differ_only_in_who_holds_a_prisoner_differ():
    def played(*captors):
        game = star(0, 1, 0, 2, turns=3, players=3)
        for x, player in ((2, 2), (3, 0), (4, 1)):
            action = f"capture {WEST} meeple of 0 monastery" if player in captors else "pass"
            game.turn(f"place {x},0 0", "floor normal 0,0", action)
        return game.state

    first, second = played(1), played(2)
    assert first.board == second.board
    assert first.figures == second.figures
    assert first.pieces == second.pieces
    assert first.prisoners == ({}, {("meeple", 0): 1}, {})
    assert second.prisoners == ({}, {}, {("meeple", 0): 1})
    assert first != second
    assert first.key != second.key
