"""Assertions in JCloisterZone saves: which hold, which do not, which are not understood."""

import json

import pytest
from jczfiles import (
    ABBOT,
    COMMIT,
    PASS,
    SPRING,
    TOWER,
    deploy,
    document,
    floor,
    place,
    save,
    take_back,
)

from bastide import Game, RecordError, Rng, Rules, jcz
from bastide.record import Recorder

CITY = [place("BA/C", 180, 0, -1), deploy("0.small.1", 0, -1, "City", "S"), COMMIT]  # closed at once: 4 points
ROAD = [place("BA/RFr", 0, 1, 0), deploy("1.small.1", 1, 0, "Road", "WE"), COMMIT]
TURN = [place("BA/L", 0, 0, 1)]  # of the first player, not done


def claims(*texts_and_rest, **options):
    """Check a file made of messages and sentences; returns {sentence: whether it holds}."""
    messages = [part for part in texts_and_rest if isinstance(part, dict)]
    texts = [part for part in texts_and_rest if isinstance(part, str)]
    outcome = jcz.check(save(*messages, claims=texts, **options), "save.jcz")
    assert [claim.text for claim in outcome.claims] == texts
    return {claim.text: claim.holds for claim in outcome.claims}


def hold(*parts, **options):
    """Whether all sentences hold."""
    found = claims(*parts, **options)
    assert found
    return all(holds is True for holds in found.values())


def differ(*parts, **options):
    """Whether none of the sentences holds, though all are understood."""
    found = claims(*parts, **options)
    assert found
    return all(holds is False for holds in found.values())


def test_points_and_what_scored_are_compared():
    assert hold(*CITY, *ROAD, "Ann has 4 points", "Bob has 0 points.", "Ann scored city for 4 points.")
    assert differ(
        *CITY,
        "Ann has 5 points",
        "Ann has -4 points",
        "Bob has 4 points",
        "Cid has 0 points",
        "Ann scored city for 3 points",
        "Ann scored road for 4 points",
        "Bob scored city for 4 points",
        "Cid scored city for 4 points",
    )


def test_a_point_may_be_one_and_names_may_have_several_words():
    found = claims(*CITY, "Ann Lee has 4 points", "Bo has 1 point", players=["Ann Lee", "Bo"])
    assert found == {"Ann Lee has 4 points": True, "Bo has 1 point": False}


def test_what_is_found_instead_is_said():
    text = save(*CITY, claims=["Ann has 5 points", "Ann scored road for 4 points", "Phase is ActionPhase"])
    assert [claim.found for claim in jcz.check(text).claims] == [
        "Ann has 4",
        "Ann scored nothing for road",
        "it is TilePhase",
    ]


def test_other_sentences_are_not_understood():
    texts = ["Undo is allowed", "Ann has KING token with size 3.", "Available action Fairy", "", "Meeple Pig options: "]
    assert set(claims(*TURN, *texts).values()) == {None}
    assert claims(*TURN, "Meeple SmallFollower options: {Inn}; {City}") == {
        "Meeple SmallFollower options: {Inn}; {City}": None
    }


def test_the_figure_step_lists_its_options():
    assert hold(
        *TURN,
        "Phase is ActionPhase",
        "Player can pass",
        "Available action Meeple for SmallFollower",
        "Meeple SmallFollower options: {Monastery,I,[0,1]}; {Field,NL.NR.EL.ER.SL.SR.WL.WR,[0,1]}",
        "Meeple SmallFollower options: {Field,NL.NR.EL.ER.SL.SR.WL.WR,[0,1]}; {Monastery,I,[0,1]}.",
    )
    assert differ(
        *TURN,
        "Player can't pass",
        "Meeple SmallFollower options: {Monastery,I,[0,1]}",
        "Meeple SmallFollower options: {Monastery,I,[0,1]}; {Field,NL.NR,[0,1]}",
        "Meeple SmallFollower options: ",
        "Meeple Abbot options: {Monastery,I,[0,1]}",
        "Available action Meeple for Abbot",
        "Available action TowerPiece",
        "CaptureFollower options: {0.small.1,Monastery,I,[0,1]}",
        "TilePlacement BA/L options: [0,1] - [0]",
    )


def test_differences_between_options_are_listed():
    text = save(*TURN, claims=["Meeple SmallFollower options: {Monastery,I,[0,1]}; {Road,N,[0,1]}"])
    (claim,) = jcz.check(text).claims
    assert claim.found == "not here: 0,1 road N, only here: 0,1 field NL-NR-EL-ER-SL-SR-WL-WR"


def test_towers_offer_floors_followers_and_captures():
    floors = [place("TO/F", 0, 0, 1), floor(0, 1), COMMIT, place("BA/L", 0, -1, 1)]
    assert hold(
        *floors,
        "Tower piece TOWER_PIECE options: [0,1]",
        "Available action TowerPiece for TOWER_PIECE",
        "Meeple SmallFollower options: {Monastery,I,[-1,1]}; {Tower,I,[0,1]}; {Field,NL.NR.EL.ER.SL.SR.WL.WR,[-1,1]}",
        **TOWER,
    )
    assert differ(*floors, "Tower piece TOWER_PIECE options: [0,1]; [0,0]", **TOWER)
    reached = [*floors, deploy("1.small.1", -1, 1, "Monastery", "I"), COMMIT, place("BA/RFr", 0, 1, 0), floor(0, 1)]
    assert hold(
        *reached,
        "Phase is TowerCapturePhase",
        "Player can pass",
        "Available action CaptureFollower",
        "CaptureFollower options: {1.small.1,Monastery,I,[-1,1]}",
        **TOWER,
    )
    assert differ(*reached, "CaptureFollower options: {1.small.2,Monastery,I,[-1,1]}", **TOWER)


def test_black_towers_offer_three_kinds_of_floors():
    both = {"sets": TOWER["sets"], "elements": {**TOWER["elements"], "black-tower": 1}}
    assert hold(
        *(place("TO/F", 0, 0, 1), floor(0, 1, "BLACK_TOWER_PIECE"), COMMIT, place("TO/L", 0, 0, 2)),
        "Tower piece TOWER_PIECE options: [0,1]; [0,2]",
        "Tower piece BLACK_TOWER_PIECE options: [0,1]; [0,2]",
        "Tower piece WHITE_TOWER_PIECE options: [0,1]",
        **both,
    )


def test_the_tile_step_lists_placements_in_all_rotations_that_look_the_same():
    options = "[1,0] - [0,180]; [-1,0] - [0,180]; [0,1] - [0,180]"
    assert hold(
        "Phase is TilePhase",
        "Player can't pass",
        f"TilePlacement BA/RFr options: {options}",
        f"Placement options: {options}",
        "Available action TilePlacement for BA/RFr",
        order=["BA/RFr"],
    )
    assert differ("TilePlacement BA/RFr options: [1,0] - [0]; [-1,0] - [0,180]; [0,1] - [0,180]", order=["BA/RFr"])


def test_the_tile_in_hand_may_be_known_from_the_sentence_alone():
    assert hold("TilePlacement BA/L options: [0,1] - [0,90,180,270]", "Available action TilePlacement for BA/L")
    assert hold("TilePlacement RI.1/IFI options: [1,0] - [0,180]", start=SPRING, sets={"basic:1": 1, "river/1:1": 1})
    assert differ("TilePlacement XX/Y options: [0,1] - [0]", "Placement options: [0,1] - [0]")


def test_before_the_commit_nothing_has_scored():
    assert hold(*CITY[:2], "Ann has 0 points", "Phase is CommitActionPhase", "Player can't pass")
    assert differ(*CITY[:2], "Ann scored city for 4 points", "Available action Meeple")


def test_an_abbot_taken_back_scores_at_once():
    garden = [
        *(place("BA/RFrG", 0, 1, 0), deploy("0.abbot.1", 1, 0, "Garden", "I"), COMMIT),
        *(place("BA/RFr", 0, 2, 0), PASS, COMMIT),
        *(place("BA/RFr", 0, 3, 0), take_back("0.abbot.1", 1, 0, "Garden")),
    ]
    assert hold(*garden[:-1], "Available action ReturnMeeple", **ABBOT)
    assert hold(*garden, "Ann has 3 points", "Ann scored garden for 3 points", "Phase is CommitActionPhase", **ABBOT)


def test_a_file_can_end_the_game_early_and_all_is_scored():
    field = [place("BA/L", 0, 0, 1), deploy("0.small.2", 0, 1, "Monastery", "I"), COMMIT]
    assert hold(
        *(*CITY, *ROAD, *field),
        "Ann has 7 points",  # 4, and 1 + 2 neighbours of the monastery, the start tile and the one east of it
        "Bob has 2 points",
        "Ann scored monastery for 3 points",
        "Bob scored road for 2 points",
        "Phase is GameOverPhase",
        "Player can't pass",
        end=3,
    )
    assert hold(*(*CITY, *ROAD, *field), "Ann has 4 points", "Phase is TilePhase", end=4)


def test_ties_and_closed_cities_score_as_at_the_end():
    """A file cut at any turn has the points that the engine gives for the position."""
    game = Game(Rules.preset("tower", edition="c2", abbot=True, players=3))
    for seed in range(12):
        recorder, rng = Recorder(game, ["A", "B", "C"]), Rng(seed)
        state = recorder.state
        while not state.is_chance or len(recorder.moves) < 20 + 15 * seed:
            if state.is_chance:
                recorder.draw(state.sample_draw(rng))
            else:
                actions = state.legal_actions()
                recorder.apply(actions[rng.below(len(actions))])
        parts = json.loads(jcz.write(recorder.record()))
        order = parts["gameAnnotations"]["drawOrder"]
        parts["gameAnnotations"] |= {"endTurn": len(order)}
        parts["test"] = {
            "assertions": [f"{name} has {n} points" for name, n in zip("ABC", state.scores_now(), strict=True)]
        }
        for i, name in enumerate("ABC"):
            gained = sum(event[1] for event in at_the_end(state) if event[0] == i)
            assert state.scores_now()[i] == state.scores[i] + gained
            parts["test"]["assertions"] += [
                f"{name} scored {kind} for {points} points" for who, points, kind in at_the_end(state) if who == i
            ]
        assert all(claim.holds for claim in jcz.check(json.dumps(parts)).claims)


def at_the_end(state):
    """(player, points, kind) of what scores if the game ends: majorities, ties for all, counted anew."""
    for feature in state.features():
        owners = [figure.owner for figure in feature.figures]
        if owners and not (feature.closed and feature.kind != "field"):
            most = max(map(owners.count, owners))
            yield from ((who, feature.points, feature.kind) for who in set(owners) if owners.count(who) == most)


def test_a_file_without_assertions_has_none_to_check():
    outcome = jcz.check(json.dumps(document(*CITY)))
    assert (outcome.claims, outcome.count(True)) == ((), 0)


def test_a_file_that_cannot_be_played_is_an_error():
    with pytest.raises(RecordError, match="phantom"):
        jcz.check(save(*CITY, claims=["Ann has 4 points"], elements={"small-follower": 7, "phantom": 1}))


def closed_cities():
    """A game in which cities are kept closed, so that the tile of four city edges comes last and fits nowhere."""
    recorder, rng = Recorder(Game(Rules(edition="c1")), ["Ann", "Bob"]), Rng(0)
    state, last = recorder.state, recorder.state.game.tile_index("base.C")

    def open_edges(action):
        after = state.copy()
        after.apply(action)
        return sum(feature.open_edges for feature in after.features() if feature.kind == "city")

    while not state.is_terminal:
        if state.is_chance:
            tile = state.sample_draw(rng)
            while tile == last and state.tiles_left > 1:
                tile = state.sample_draw(rng)
            recorder.draw(tile)
        else:
            actions = state.legal_actions()
            is_place = state.phase == "place"
            recorder.apply(min(actions, key=open_edges) if is_place else actions[rng.below(len(actions))])
    return recorder.record()


def test_a_last_tile_that_fits_nowhere_ends_the_game_even_where_no_draws_are_noted():
    record = closed_cities()
    assert record.moves[-1] == "draw base.C"
    parts = json.loads(jcz.write(record))
    parts["test"] = {
        "assertions": [
            "Phase is GameOverPhase",
            *(f"{n} has {s} points" for n, s in zip(record.players, record.scores, strict=True)),
        ]
    }
    assert all(claim.holds for claim in jcz.check(json.dumps(parts)).claims)
    parts["gameAnnotations"] = {}
    assert all(claim.holds for claim in jcz.check(json.dumps(parts)).claims)
    assert jcz.read(json.dumps(parts)) == record
    parts["replay"] = parts["replay"][:-3]
    assert not jcz.read(json.dumps(parts)).replay().is_terminal
