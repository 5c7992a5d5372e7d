"""B13: gardens and the abbot, who stands on gardens or monasteries and may be taken back for points."""

import pytest
from boards import Table, feature, legal, play

from bastide import Game, Rules, RulesError

PLAIN = "field NL-NR-EL-ER-SL-SR-WL-WR"
BOTH = {"meeple": 7, "abbot": 1}
GONE = {"meeple": 7, "abbot": 0}  # the abbot is on the board


def table(picture, *figures, **options):
    return Table(picture, *figures, **({"edition": "c2", "abbot": True} | options))


def spots(state, kind):
    """The spots at which a figure of this kind can be deployed."""
    return [text.split(" ", 3)[3] for text in legal(state, f"deploy {kind}")]


# -- the figure


@pytest.mark.parametrize("edition", ["c2", "c3"])
def test_b13_each_player_has_an_abbot_besides_seven_meeples(edition):
    state = Game(Rules(edition=edition, abbot=True, players=3)).new_state()
    assert state.supply == (BOTH,) * 3


def test_b13_without_the_option_there_is_no_abbot():
    assert Game(Rules()).new_state().supply == ({"meeple": 7},) * 2


@pytest.mark.parametrize("options", [{"edition": "c1"}, {"boxes": ("tower",)}])
def test_b13_the_first_edition_has_no_gardens_and_the_error_says_what_to_choose(options):
    with pytest.raises(RulesError, match=r"garden tiles, and edition 'c1' has none .*choose edition='c2' or 'c3'"):
        Rules(abbot=True, **options)


def test_b13_the_tower_is_played_with_the_abbot_in_a_later_edition():
    rules = Rules(boxes=("tower",), abbot=True, edition="c2")
    assert Game(rules).new_state().supply == (BOTH,) * 2


@pytest.mark.parametrize(
    ("boxes", "gardens"),
    [((), 8), (("river",), 9), (("thieves",), 10), (("tower",), 10), (("river", "bridges-castles"), 10)],
)
def test_b13_the_boxes_bring_gardens(boxes, gardens):
    game = Game(Rules(boxes=boxes, edition="c3", abbot=True))
    assert sum(count for tile, count in game.selection.entries if tile.garden) == gardens


# -- deploying


def test_b13_the_abbot_can_be_deployed_on_a_garden_where_a_meeple_cannot():
    state = table("*D", deck="base.U.g").state
    play(state, "draw base.U.g", "place 1,0 0")
    assert spots(state, "abbot") == ["garden"]
    assert spots(state, "meeple") == ["road EW", "field NL-NR-EL-WR", "field ER-SL-SR-WL"]
    play(state, "deploy abbot 1,0 garden")
    assert state.supply == (GONE, BOTH)
    assert [(f.owner, f.kind, f.x, f.y, f.place) for f in state.figures] == [(0, "abbot", 1, 0, "garden")]


def test_b13_abbot_and_meeple_can_both_be_deployed_on_a_monastery_and_the_abbot_nowhere_else():
    state = table("*D", deck="corners").state
    play(state, "draw corners", "place 0,-1 180")
    assert spots(state, "abbot") == ["monastery"]
    assert spots(state, "meeple") == ["road N", "city S", "field NL-NR-EL-ER-WL-WR", "monastery"]
    play(state, "deploy abbot 0,-1 monastery")
    assert state.supply[0] == GONE


def test_b13_an_abbot_is_deployed_on_the_tile_just_placed_only():
    state = table("*plain park B", deck="plain").state
    play(state, "draw plain", "place 3,0 0")
    assert legal(state) == ["pass", f"deploy meeple 3,0 {PLAIN}"]


def test_b13_a_garden_alone_is_a_figure_step_for_the_abbot():
    state = table("*plain plain", f"0 1,0 {PLAIN}", deck="park").state
    play(state, "draw park", "place 2,0 0")
    assert legal(state) == ["pass", "deploy abbot 2,0 garden"]


def test_b13_who_has_the_abbot_on_the_board_has_no_second_one():
    state = table("*plain", deck="park park park plain plain").state
    play(state, "draw park", "place 1,0 0", "deploy abbot 1,0 garden")
    play(state, "draw park", "place 2,0 0")
    assert spots(state, "abbot") == ["garden"]  # the other player has theirs
    play(state, "pass", "draw park", "place 3,0 0")
    assert legal(state, "deploy abbot", "take") == ["take back abbot 1,0 garden"]


def test_b13_without_the_option_nobody_can_stand_on_a_garden_and_it_scores_nothing():
    with Table("*plain park", deck="park", edition="c2", ends=True) as played:
        assert played.turn("place 2,0 0") == []
        assert feature(played.state, 2, 0, "garden").kind == "garden"


# -- scoring


RING = """
    plain plain plain
    *plain {} plain
    plain plain .
"""


@pytest.mark.parametrize("owner", [0, 1])
@pytest.mark.parametrize(("tile", "kind"), [("park", "garden"), ("B", "monastery")])
def test_b13_a_garden_or_monastery_of_an_abbot_pays_nine_when_all_eight_neighbours_are_placed(tile, kind, owner):
    with table(RING.format(tile), f"{owner} 1,0: deploy abbot 1,0 {kind}", deck="plain") as played:
        assert played.state.turn_player == 1
        assert played.turn("place 2,1 0", "pass") == [(owner, 9, kind)]
        assert played.state.supply == (BOTH, BOTH)
        assert played.state.figures == ()


def test_b13_a_garden_placed_into_its_hole_scores_at_once():
    picture = "plain plain plain\n*plain . plain\nplain plain plain"
    with table(picture, deck="park") as played:
        assert played.turn("place 1,0 0", "deploy abbot 1,0 garden") == [(1, 9, "garden")]
        assert played.state.supply == (BOTH, BOTH)


@pytest.mark.parametrize(("tile", "kind"), [("park", "garden"), ("B", "monastery")])
def test_b13_at_the_end_an_abbot_scores_one_and_one_per_neighbour(tile, kind):
    with table(f"*plain {tile}", f"0 1,0: deploy abbot 1,0 {kind}", deck="plain", ends=True) as played:
        assert played.turn("place 1,1 0", "pass") == [(0, 3, kind)]
        assert played.state.is_terminal


def test_b13_a_monk_and_an_abbot_on_neighbouring_tiles_score_each_their_own():
    figures = ["0 1,0: deploy abbot 1,0 monastery", "1 2,0 monastery"]
    with table("*plain B B", *figures, deck="plain", ends=True) as played:
        assert played.turn("place 3,0 0") == [(0, 3, "monastery"), (1, 3, "monastery")]


# -- taking back


def test_b13_taking_the_abbot_back_scores_what_the_garden_is_worth_now():
    # The garden, its neighbours to the west and east, and the tile of this turn at its corner.
    with table("*plain park plain", "0 1,0: deploy abbot 1,0 garden", deck="plain") as played:
        played.draw()
        play(played.state, "place 2,1 0")
        assert legal(played.state) == ["pass", f"deploy meeple 2,1 {PLAIN}", "take back abbot 1,0 garden"]
        assert play(played.state, "take back abbot 1,0 garden") == [(0, 4, "garden")]
        assert played.state.scores == (4, 0)
        assert played.state.supply == (BOTH, BOTH)
        assert (played.state.phase, played.state.turn_player) == ("draw", 1)  # it was the figure action


def test_b13_taking_the_abbot_back_from_a_monastery_is_scored_as_monastery():
    with table("*plain B plain", "0 1,0: deploy abbot 1,0 monastery", deck="plain") as played:
        assert played.turn("place 3,0 0", "take back abbot 1,0 monastery") == [(0, 3, "monastery")]


def test_b13_the_event_of_an_abbot_taken_back_names_the_garden():
    with table("*plain park plain", "0 1,0: deploy abbot 1,0 garden", deck="plain") as played:
        played.turn("place 3,0 0", "take back abbot 1,0 garden")
        (event,) = played.state.score_events
        assert (event.player, event.points, event.source, event.cells) == (0, 3, "garden", ((1, 0),))


def test_b13_only_the_own_abbot_can_be_taken_back_and_no_monk():
    figures = ["0 1,0: deploy abbot 1,0 garden", "1 2,0 monastery", "0 3,0 monastery"]
    with table("*plain park B B", *figures, deck="plain plain") as played:
        played.draw()
        play(played.state, "place 4,0 0")
        assert legal(played.state, "take") == []  # player 1 has only a monk
        play(played.state, "pass")
        played.draw()
        play(played.state, "place 5,0 0")
        assert legal(played.state, "take") == ["take back abbot 1,0 garden"]


def test_b13_an_abbot_is_not_taken_back_in_the_turn_it_is_deployed():
    with table("*plain", deck="park") as played:
        played.turn("place 1,0 0", "deploy abbot 1,0 garden")
        assert (played.state.phase, played.state.turn_player) == ("draw", 1)
        assert played.state.scores == (0, 0)


def test_b13_nothing_but_taking_back_is_left_and_still_it_is_a_choice():
    figures = [f"1 2,0 {PLAIN}", "0 1,0: deploy abbot 1,0 garden"]
    with table("*plain park plain", *figures, deck="plain") as played:
        played.draw()
        play(played.state, "place 3,0 0")
        assert legal(played.state) == ["pass", "take back abbot 1,0 garden"]
        play(played.state, "pass")
        assert played.state.supply[0] == GONE


def test_b13_an_abbot_taken_back_can_be_deployed_again_in_a_later_turn():
    figures = ["0 1,0: deploy abbot 1,0 garden"]
    with table("*plain park plain", *figures, deck="park plain park") as played:
        played.turn("place 3,0 0", "take back abbot 1,0 garden")  # and not onto the new garden in the same turn
        assert played.state.supply[0] == BOTH
        played.turn("place 4,0 0")
        assert played.turn("place 5,0 0", "deploy abbot 5,0 garden") == []
        assert played.state.supply[0] == GONE


def test_b13_an_abbot_taken_back_from_what_this_tile_completes_scores_once():
    figures = "1 1,0: deploy abbot 1,0 garden"
    with table(RING.format("park"), figures, deck="plain") as played:
        assert played.turn("place 2,1 0", "take back abbot 1,0 garden") == [(1, 9, "garden")]
        assert played.state.supply == (BOTH, BOTH)


def test_b13_the_abbot_is_scored_in_the_figure_step_and_closed_features_after_it_c1():
    figures = ["0 -1,0: deploy abbot -1,0 monastery", "1 1,0 road EW"]
    with table("A/270 *D U", *figures, deck="A") as played:
        played.draw()
        play(played.state, "place 2,0 90", "take back abbot -1,0 monastery")
        events = [(event.player, event.points, event.source) for event in played.state.score_events]
        assert events == [(0, 2, "monastery"), (1, 4, "road")]


def test_b13_an_abbot_taken_back_is_off_the_board_before_watchtowers_count_c1():
    # A watchtower that pays 2 for each follower around; the abbot stands at its corner.
    picture = """
        park   .
        *plain watch.A
    """
    figures = ["0 0,-1: deploy abbot 0,-1 garden", "1 1,0 road S"]
    with table(picture, *figures, deck="A", boxes=("watchtowers",)) as played:
        assert played.turn("place 1,1 180") == [(1, 2, "road"), (1, 4, "watchtower")]
    with table(picture, *figures, deck="A", boxes=("watchtowers",)) as played:
        turn = played.turn("place 1,1 180", "take back abbot 0,-1 garden")
        assert turn == [(0, 3, "garden"), (1, 2, "road"), (1, 2, "watchtower")]


def test_b13_a_garden_is_no_monastery_for_a_watchtower_w4():
    figures = ["0 1,0 city N", "1 2,0: deploy abbot 2,0 garden"]
    for other, bonus in (("plain", 0), ("B", 3)):
        with table(f"*{other} watch.D park", *figures, deck="E", boxes=("watchtowers",)) as played:
            played.turn("place 1,-1 180")
            assert played.state.scores == (bonus + 4, 0)


def test_b13_a_player_alone_takes_the_abbot_back_too():
    with table("*plain park", "0 1,0: deploy abbot 1,0 garden", deck="plain", players=1) as played:
        assert played.turn("place 2,0 0", "take back abbot 1,0 garden") == [(0, 3, "garden")]


def test_b14_copies_do_not_multiply_abbots():
    assert Game(Rules(abbot=True, copies=5)).new_state().supply == (BOTH,) * 2
