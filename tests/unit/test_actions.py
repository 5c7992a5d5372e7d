"""Actions: which are legal, their integers and their texts (docs/actions.md). The placements: B4."""

import pytest
from boards import Table, play
from games import C1, illegal, position, step, walk

from bastide import ACTION_VERSION, Game, InvalidActionError, Rng, Rules


def test_the_version_is_that_of_the_documentation():
    assert ACTION_VERSION == 1


def test_legal_actions_are_ascending_without_duplicates_and_never_empty():
    for players in (1, 2, 6):
        game = Game(Rules(players=players, edition="c2"))
        for seed in range(8):
            for state in walk(game, seed):
                if not state.is_chance and not state.is_terminal:
                    actions = state.legal_actions()
                    assert actions == sorted(set(actions))
                    assert actions
                    assert all(type(action) is int and 0 <= action < 1 << 63 for action in actions)
                    assert actions != [0]  # a phase with nothing but pass is not entered


def test_only_listed_actions_are_legal():
    # The actions of one phase are tried in the next: most are not listed there.
    for seed in range(2):
        tried = set()
        for state in walk(seed=seed):
            if state.is_chance or state.is_terminal:
                continue
            actions = set(state.legal_actions())
            for action in sorted(tried - actions)[:20]:
                illegal(state, state.apply, action)
            tried = tried | actions if len(tried) < 400 else actions


def test_single_bit_changes_of_legal_actions_are_legal_only_if_listed():
    state = position(seed=9, steps=81)
    while state.phase != "place":
        step(state, Rng(1))
    actions = set(state.legal_actions())
    for action in actions:
        for bit in range(63):
            if action ^ 1 << bit not in actions:
                illegal(state, state.apply, action ^ 1 << bit)


def test_action_text_and_parse_action_are_inverse():
    n = 0
    for game in (C1, Game(Rules(edition="c3", players=3))):
        for seed in range(5):
            for state in walk(game, seed):
                if state.is_chance or state.is_terminal:
                    continue
                texts = [state.action_text(action) for action in state.legal_actions()]
                assert len(set(texts)) == len(texts)
                assert [state.parse_action(text) for text in texts] == state.legal_actions()
                n += len(texts)
    assert n > 10_000


def test_the_fields_of_an_action_are_those_documented():
    state = C1.new_state()
    play(state, "draw V")
    assert state.parse_action("place 0,1 270") == 1 << 59 | (1 + 1024) << 23 | (0 + 1024) << 12 | 3 << 6
    play(state, "place 0,1 270")
    assert state.parse_action("pass") == 0
    cell = (1 + 1024) << 23 | (0 + 1024) << 12
    assert state.parse_action("deploy meeple 0,1 road ES") == 6 << 59 | cell | 1 << 6  # first edge E
    assert state.parse_action("deploy meeple 0,1 field ER-SL") == 6 << 59 | cell | (4 + 3) << 6  # NL NR EL ER
    state = Table("*D", deck="B").state
    play(state, "draw B", "place 0,1 0")
    assert state.parse_action("deploy meeple 0,1 monastery") == 6 << 59 | cell | 12 << 6


def test_an_action_means_the_same_in_every_state():
    # Two orders of play, the same deployment: the same integer.
    one, two = C1.new_state(), C1.new_state()
    play(one, "draw U", "place 1,0 0", "pass", "draw B", "place 0,1 0")
    play(two, "draw B", "place 0,1 0")
    wanted = "deploy meeple 0,1 monastery"
    assert one.parse_action(wanted) == two.parse_action(wanted)


@pytest.mark.parametrize(
    ("part", "whole"),
    [
        ("city N", "city NW"),
        ("city W", "city NW"),
        ("city WN", "city NW"),
        ("road E", "road ES"),
        ("road S", "road ES"),
        ("field EL", "field EL-SR"),
        ("field SR", "field EL-SR"),
        ("field SR-EL", "field EL-SR"),
        ("field SL", "field ER-SL"),
    ],
)
def test_a_part_of_a_segments_name_is_enough(part, whole):
    # base.P: city NW, road ES, fields EL-SR and ER-SL
    state = Table("*H", deck="P").state
    play(state, "draw P", "place 0,1 0")
    assert state.parse_action(f"deploy meeple 0,1 {part}") == state.parse_action(f"deploy meeple 0,1 {whole}")
    assert state.action_text(state.parse_action(f"deploy meeple 0,1 {part}")) == f"deploy meeple 0,1 {whole}"


def test_parts_of_two_segments_are_none():
    state = Table("*H", deck="P").state
    play(state, "draw P", "place 0,1 0")
    for spot in (
        "city NE",
        "city E",
        "road N",
        "road NE",
        "field EL-ER",
        "field NL",
        "field inside",
        "city inside",
    ):
        with pytest.raises(InvalidActionError, match="it has city NW, road ES, field EL-SR, field ER-SL"):
            state.parse_action(f"deploy meeple 0,1 {spot}")


def test_rotations_that_give_the_same_tile_are_parsed_as_the_smallest():
    state = C1.new_state()
    play(state, "draw U")
    assert state.parse_action("place 1,0 180") == state.parse_action("place 1,0 0")
    assert state.parse_action("place 1,0 270") == state.parse_action("place 1,0 90")
    state = C1.new_state()
    play(state, "draw B")
    assert {state.parse_action(f"place 0,1 {90 * q}") for q in range(4)} == {state.parse_action("place 0,1 0")}
    state = C1.new_state()
    play(state, "draw V")
    assert len({state.parse_action(f"place 0,1 {90 * q}") for q in range(4)}) == 4


def test_parse_action_does_not_ask_whether_an_action_is_legal():
    state = C1.new_state()
    play(state, "draw U")
    action = state.parse_action("place 7,-9 90")
    assert state.action_text(action) == "place 7,-9 90"
    illegal(state, state.apply, action)
