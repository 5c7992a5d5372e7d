"""State: its properties, chance, errors, copies, equality, pickles and score events.

Elsewhere: test_actions, test_undo, test_snapshot, test_bad_input.
"""

import copy
import pickle
from concurrent.futures import ThreadPoolExecutor
from dataclasses import FrozenInstanceError, fields
from fractions import Fraction

import pytest
from boards import Table, own_game, play
from games import C1, finish, illegal, position, step, walk

from bastide import (
    BastideError,
    Feature,
    Figure,
    Game,
    IllegalActionError,
    PlacedTile,
    Rng,
    Rules,
    ScoreEvent,
    State,
    TileSet,
)

PHASES = {"draw", "place", "figure", "end"}  # of the base game


def same(a, b):
    """Tell whether two states agree in everything, their bytes too."""
    return a == b and a.key == b.key and a.to_bytes() == b.to_bytes()


# -- properties


def test_a_new_state_is_the_position_before_the_first_draw():
    state = C1.new_state()
    assert type(state) is State
    assert state.game is C1
    assert (state.phase, state.is_chance, state.is_terminal) == ("draw", True, False)
    assert (state.current_player, state.turn_player, state.turn) == (0, 0, 0)
    assert (state.drawn_tile, state.tiles_left, state.discards) == (None, 71, 0)
    assert (state.scores, state.returns) == ((0, 0), (0.0, 0.0))
    assert (state.figures, state.score_events) == ((), ())
    assert state.board == (PlacedTile(C1.tile_index("base.D"), 0, 0, 0),)
    assert (state.prisoners, tuple(state.pieces), state.pieces.shared) == (({}, {}), ({}, {}), {})
    assert state.faults() == []


def test_properties_hold_together_in_random_games():
    for seed in range(15):
        turn = 0
        for state in walk(seed=seed):
            assert state.phase in PHASES
            assert state.is_chance == (state.phase == "draw")
            assert state.is_terminal == (state.phase == "end")
            assert state.current_player == state.turn_player == state.turn % 2
            assert (state.drawn_tile is not None) == (state.phase == "place")
            assert state.turn - turn in (0, 1)
            turn = state.turn
            assert len(state.board) == state.turn + 1 + (state.phase == "figure")
            assert len({(tile.x, tile.y) for tile in state.board}) == len(state.board)
            assert state.figures == tuple(sorted(state.figures))
            for player in range(2):
                out = sum(figure.owner == player for figure in state.figures)
                assert state.supply[player] == {"meeple": 7 - out}
            if not state.is_terminal:
                assert state.returns == (0.0, 0.0)


def test_features_part_all_segments_and_hold_all_figures():
    for seed in range(5):
        for state in walk(seed=seed):
            features = state.features()
            segments = [segment for feature in features for segment in feature.segments]
            assert len(segments) == len(set(segments))
            assert len(segments) == sum(state.game.tiles[tile.tile].n_segments for tile in state.board)
            assert sorted(figure for feature in features for figure in feature.figures) == list(state.figures)
            for feature in features:
                assert type(feature) is Feature
                assert feature.tiles == tuple(sorted({(x, y) for x, y, _ in feature.segments}))
                assert feature.kind in {"road", "city", "field", "monastery"}
                assert {name.split(" ")[0] for *_, name in feature.segments} == {feature.kind}
                if feature.kind != "field":
                    assert feature.closed == (feature.open_edges == 0)
                for figure in feature.figures:
                    assert (figure.x, figure.y, figure.place) in feature.segments


def test_a_feature_says_what_it_would_pay_now():
    picture = """
        .     E/180 E
        A/270 *D    U
    """
    features = Table(picture).state.features()
    found = {(f.kind, f.tiles): (f.closed, f.points, f.open_edges) for f in features if f.kind != "field"}
    assert found == {
        ("city", ((0, -1), (0, 0))): (True, 4, 0),
        ("city", ((1, -1),)): (False, 1, 1),
        ("road", ((-1, 0), (0, 0), (1, 0))): (False, 3, 1),
        ("monastery", ((-1, 0),)): (False, 3, 6),  # itself and two neighbours; six cells are empty
    }
    north = next(f for f in features if (0, -1, "field NL-NR-EL-ER-WL-WR") in f.segments)
    assert (north.closed, north.points, north.open_edges) == (False, 3, 0)


def test_the_number_of_players_shapes_everything():
    for players in range(1, 7):
        state = finish(Game(Rules(players=players)).new_state(), Rng(players))
        for value in (state.scores, state.returns, state.supply, state.prisoners, state.pieces):
            assert len(value) == players


def test_views_are_plain_values_that_can_be_pasted_back():
    state = position(steps=50)
    for value in (*state.board, *state.figures, *state.features()):
        assert eval(repr(value)) == value
        for field in fields(value):
            with pytest.raises(FrozenInstanceError):
                setattr(value, field.name, 1)
    assert repr(state) == (
        f"<State turn {state.turn}, phase {state.phase}, player {state.current_player}, scores {state.scores}>"
    )
    assert Figure(0, "meeple", 1, 2, "road N") < Figure(1, "meeple", 0, 0, "city N")


def test_a_state_has_no_attributes_of_its_own_and_none_can_be_set():
    state = C1.new_state()
    for name, value in (("phase", "end"), ("scores", (9, 9)), ("game", None), ("own", 1)):
        with pytest.raises(AttributeError):
            setattr(state, name, value)
    with pytest.raises(AttributeError):
        del state.game


# -- returns


@pytest.mark.parametrize("players", range(1, 7))
def test_returns_are_zero_sum_and_follow_the_scores(players):
    game = Game(Rules(players=players, edition="c1"))
    for seed in range(12):
        state = finish(game.new_state(), Rng(seed))
        assert sum(state.returns) == pytest.approx(0, abs=1e-12)
        best = max(state.scores)
        k = state.scores.count(best)
        for score, value in zip(state.scores, state.returns, strict=True):
            if k == players:
                assert value == 0
            else:
                exact = Fraction(1, k) if score == best else Fraction(-1, players - k)
                assert value == pytest.approx(float(exact))


def test_returns_of_tied_winners_share_one():
    picture = """
        plain E/180 plain
        E/90  .     E/270
        plain *E    plain
    """
    figures = ["0 0,-2 city S", "1 -1,-1 city E"]
    table = Table(picture, *figures, deck="city", ends=True, players=5)
    table.turn("place 0,-1 0")
    assert table.state.scores == (10, 10, 0, 0, 0)
    assert table.state.returns == pytest.approx((1 / 2, 1 / 2, -1 / 3, -1 / 3, -1 / 3))


def test_returns_are_nought_if_all_players_are_equal():
    assert own_game({"plain": 1}, "plain", players=4).new_state().returns == (0.0,) * 4
    assert own_game({"plain": 1}, "plain", players=1).new_state().returns == (0.0,)


# -- chance


def test_the_probabilities_of_draws_are_their_shares_and_sum_to_one():
    for seed in range(5):
        for state in walk(seed=seed):
            if not state.is_chance:
                continue
            draws = state.draws()
            assert sum(count for _, count, _ in draws) == state.tiles_left
            assert sum(p for *_, p in draws) == pytest.approx(1, abs=1e-12)
            assert [tile for tile, *_ in draws] == sorted({tile for tile, *_ in draws})
            for _, count, probability in draws:
                assert count > 0
                assert probability == pytest.approx(count / state.tiles_left)


def test_draws_list_tiles_that_fit_nowhere_as_well():
    table = Table("*plain", deck="city city")
    assert {table.game.tiles[tile].id: count for tile, count, _ in table.state.draws()} == {
        "own.city": 2,
        "own.plain": 1,
    }


def test_a_drawn_tile_is_one_less():
    state = C1.new_state()
    tile = C1.tile_index("base.V")
    before = {t: n for t, n, _ in state.draws()}
    state.draw(tile)
    assert (state.drawn_tile, state.tiles_left) == (tile, 70)
    state.apply(state.legal_actions()[0])
    if state.phase == "figure":
        play(state, "pass")
    assert {t: n for t, n, _ in state.draws()} == before | {tile: before[tile] - 1}


def test_sample_draw_changes_nothing_but_the_generator_and_follows_the_counts():
    state, rng = position(seed=3, steps=10), Rng(5)
    while not state.is_chance:
        step(state, rng)
    before = state.to_bytes()
    n = 20_000
    seen = {}
    for _ in range(n):
        tile = state.sample_draw(rng)
        seen[tile] = seen.get(tile, 0) + 1
    assert state.to_bytes() == before
    draws = state.draws()
    assert seen.keys() <= {tile for tile, *_ in draws}
    # Chi squared with len - 1 degrees of freedom: mean len - 1, deviation sqrt(2 (len - 1)); five deviations.
    chi = sum((seen.get(t, 0) - n * p) ** 2 / (n * p) for t, _, p in draws)
    assert chi < len(draws) - 1 + 5 * (2 * (len(draws) - 1)) ** 0.5


def test_the_same_seed_gives_the_same_game():
    texts = [[state.to_bytes() for state in walk(seed=11)] for _ in range(2)]
    assert texts[0] == texts[1]
    assert texts[0][-1] != [state.to_bytes() for state in walk(seed=11, stream=1)][-1]


# -- errors


def test_at_chance_there_are_no_actions():
    for state in walk(seed=1):
        if state.is_chance:
            illegal(state, state.legal_actions)
            illegal(state, state.apply, 0)


def test_in_a_player_phase_and_at_the_end_there_are_no_draws():
    for state in walk(seed=1):
        if not state.is_chance:
            illegal(state, state.draws)
            illegal(state, state.draw, 0)
            illegal(state, state.sample_draw, Rng(0))


def test_at_the_end_there_are_no_actions():
    state = finish(C1.new_state(), Rng(4))
    assert state.legal_actions() == []
    for action in (0, 1 << 59):
        illegal(state, state.apply, action)


def test_tiles_that_are_not_left_cannot_be_drawn():
    for state in walk(seed=2):
        if state.is_chance:
            left = {tile for tile, *_ in state.draws()}
            for tile in range(len(C1.tiles)):
                if tile not in left:
                    illegal(state, state.draw, tile)
    assert len(left) < len(C1.tiles)


def test_a_failed_draw_and_a_failed_action_can_be_followed_by_good_ones():
    state, twin, rng = C1.new_state(), C1.new_state(), Rng(6)
    while not twin.is_terminal:
        with pytest.raises(IllegalActionError):
            state.apply(3 << 59)
        with pytest.raises(IllegalActionError):
            state.draw(len(C1.tiles))
        given = twin.is_chance
        choice = step(twin, rng)
        (state.draw if given else state.apply)(choice)
        assert state.score_events == twin.score_events
        assert same(state, twin)


# -- copies, equality, pickles


def test_a_copy_is_equal_and_goes_its_own_way():
    for seed in range(4):
        state = position(seed=seed, steps=40 + 7 * seed)
        other = state.copy()
        assert type(other) is State
        assert other.game is state.game
        assert same(state, other)
        before = state.to_bytes()
        finish(other, Rng(1))
        assert state.to_bytes() == before
        assert state.faults() == []
        assert same(finish(state, Rng(1)), other)


def test_copy_from_takes_over_any_position_of_the_game():
    target = C1.new_state()
    for seed, steps in ((1, 90), (2, 3), (3, 400), (4, 0), (5, 61)):
        source = position(seed=seed, steps=steps)
        target.copy_from(source)
        assert same(target, source)
        assert target.faults() == []
    twin = target.copy()
    assert same(finish(target, Rng(2)), finish(twin, Rng(2)))


def test_copy_from_itself_changes_nothing():
    state = position(steps=33)
    before = state.to_bytes()
    state.copy_from(state)
    assert state.to_bytes() == before
    assert state.faults() == []


def test_copy_from_another_game_is_refused():
    state, other = position(steps=20), Game(Rules(edition="c2")).new_state()
    before = state.to_bytes()
    with pytest.raises(BastideError, match="same game"):
        state.copy_from(other)
    assert state.to_bytes() == before


def test_transposed_moves_lead_to_equal_states_with_equal_keys():
    one, two = C1.new_state(), C1.new_state()
    first, second = ("draw U", "place 1,0 0", "pass"), ("draw U", "place -1,0 0", "pass")
    play(one, *first, *second)
    play(two, *second, *first)
    assert one == two
    assert one.key == two.key
    assert one.to_bytes() != two.to_bytes()  # the order of play is in the bytes, not in the position
    rest = ("draw A", "place 2,0 90", "deploy meeple 2,0 road W", "draw E", "place 0,-1 180", "pass")
    for n in range(1, len(rest) + 1):
        play(one, rest[n - 1])
        play(two, rest[n - 1])
        assert (one == two, one.key == two.key) == (True, True)
        assert one.is_chance or one.legal_actions() == two.legal_actions()
        assert sorted(f.points for f in one.features()) == sorted(f.points for f in two.features())


def test_transposed_games_stay_equal_to_their_ends():
    # Turns of two tiles that do not touch, with figures, exchanged: the same position from there on.
    pair = [
        (("draw W", "place 1,0 0", "deploy meeple 1,0 road S"), ("draw W", "place -1,0 0", "pass")),
        (("draw B", "place 0,1 0", "pass"), ("draw E", "place 0,-1 180", "pass")),
    ]
    for first, second in pair:
        game = Game(Rules(edition="c1", players=1))
        one, two = game.new_state(), game.new_state()
        play(one, *first, *second)
        play(two, *second, *first)
        rng = Rng(3)
        while not one.is_terminal:
            assert one == two
            assert one.key == two.key
            given = one.is_chance
            choice = step(one, rng)
            (two.draw if given else two.apply)(choice)
        assert one == two
        assert one.scores == two.scores


def test_different_positions_are_unequal_and_have_different_keys():
    keys = {}
    for seed in range(6):
        for state in walk(seed=seed):
            for key_of_other, other in list(keys.items())[-3:]:
                assert (state == other) == (state.key == key_of_other)
            keys[state.key] = state.copy()
    assert len(keys) > 900


def test_the_last_tile_matters_only_while_a_figure_may_go_on_it():
    one, two = C1.new_state(), C1.new_state()
    play(one, "draw U", "place 1,0 0", "pass", "draw U", "place -1,0 0")
    play(two, "draw U", "place -1,0 0", "pass", "draw U", "place 1,0 0")
    assert one != two  # other cells are open to a figure
    assert one.key != two.key
    play(one, "pass")
    play(two, "pass")
    assert one == two


def test_players_scores_and_the_drawn_tile_are_part_of_the_position():
    states = []
    for text in (
        ("draw E", "place 0,-1 180", "deploy meeple 0,-1 city S"),
        ("draw E", "place 0,-1 180", "pass"),
        ("draw E", "place 0,-1 180", "deploy meeple 0,-1 field NL"),
        ("draw E", "place 0,-1 180", "pass", "draw U"),
        ("draw E", "place 0,-1 180", "pass", "draw V"),
    ):
        states.append(C1.new_state())
        play(states[-1], *text)
    for i, one in enumerate(states):
        for k, two in enumerate(states):
            assert (one == two) == (one.key == two.key) == (i == k)


def test_equality_asks_for_the_same_rules_and_tiles_not_for_the_same_game_object():
    twin = Game(Rules(edition="c1"))
    assert twin.new_state() == C1.new_state()
    assert twin.new_state() != Game(Rules(edition="c1", farmers=False)).new_state()
    assert C1.new_state() != 3
    assert C1.new_state() != "state"


def test_states_and_generators_are_unhashable():
    with pytest.raises(TypeError, match="unhashable"):
        hash(C1.new_state())
    with pytest.raises(TypeError, match="unhashable"):
        hash(Rng(1))


@pytest.mark.parametrize("steps", [0, 1, 2, 3, 50, 51, 52, 1000])
def test_a_state_can_be_pickled_and_copied_by_the_copy_module(steps):
    state = position(seed=8, steps=steps)
    for other in (pickle.loads(pickle.dumps(state)), copy.copy(state), copy.deepcopy(state)):
        assert same(state, other)
        assert same(finish(state.copy(), Rng(5)), finish(other, Rng(5)))


def test_everything_else_can_be_pickled():
    tiles = TileSet.loads('format = 1\nstart = "base.D"\n[sets.base_c1]\n"base.D" = 2\n"base.U" = 3\n')
    for value in (Rules(edition="c1", players=4), tiles, Rng(7, 3)):
        assert pickle.loads(pickle.dumps(value)) == value
    for game in (C1, Game(Rules(edition="c1"), tiles)):
        other = pickle.loads(pickle.dumps(game))
        assert (other.rules, other.fingerprint) == (game.rules, game.fingerprint)
        assert other.tiles == game.tiles
    states = pickle.loads(pickle.dumps([position(seed=1), position(seed=2)]))
    assert states[0].game is states[1].game  # one pickle, one game
    for value in (*states[0].board, *states[0].figures, *states[0].features()):
        assert pickle.loads(pickle.dumps(value)) == value


def test_the_fingerprint_tells_rules_and_tiles_apart():
    games = [C1, Game(Rules()), Game(Rules(players=3)), Game(Rules(farmers=False)), Game(Rules(edition="c2"))]
    games.append(own_game({"base.D": 72}, "base.D"))
    prints = {game.fingerprint for game in games}
    assert len(prints) == len(games)
    assert all(0 <= number < 1 << 64 for number in prints)
    assert Game(Rules(edition="c1")).fingerprint == C1.fingerprint


# -- what was scored


def test_score_events_tell_what_the_last_step_scored():
    table = Table("A/270 *D", "0 -1,0 road E", deck="A U")
    table.draw()
    play(table.state, "place 1,0 90")
    assert table.state.score_events == ()
    play(table.state, "pass")
    assert table.state.score_events == (
        ScoreEvent(0, 3, "road", ((-1, 0), (0, 0), (1, 0)), (Figure(0, "meeple", -1, 0, "road E"),)),
    )
    table.draw()
    assert table.state.score_events == ()


def test_score_events_add_up_to_the_scores():
    for players in (1, 3, 6):
        game = Game(Rules(players=players))
        for seed in range(6):
            total = [0] * players
            for state in walk(game, seed):
                for event in state.score_events:
                    total[event.player] += event.points
                    assert event.source in {"road", "city", "monastery", "field"}
                    assert event.figures
                    assert {figure.owner for figure in event.figures} == {event.player}
                    assert event.points > 0
                assert tuple(total) == state.scores


def test_score_events_are_empty_after_undo_copy_and_restore():
    for state in walk(seed=4):
        if state.score_events:
            assert state.copy().score_events == ()
            assert C1.state_from_bytes(state.to_bytes()).score_events == ()
            assert pickle.loads(pickle.dumps(state)).score_events == ()
            events = state.score_events
            target = C1.new_state()
            target.copy_from(state)
            assert target.score_events == ()
            assert state.score_events == events
            again = state.copy()
            state.undo()
            assert state.score_events == ()
            state.copy_from(again)
    table = Table("A/270 *D", "0 -1,0 road E", deck="A")
    table.turn("place 1,0 90")
    assert table.state.score_events
    table.state.copy_from(table.state.copy())
    assert table.state.score_events == ()


# -- threads


def test_threads_with_states_of_their_own_share_a_game():
    game = Game(Rules(edition="c1", players=4))

    def run(seed):
        state, rng, texts = game.new_state(), Rng(seed), []
        while not state.is_terminal:
            if state.phase == "figure":
                texts += [state.action_text(action) for action in state.legal_actions()]
            step(state, rng)
        for _ in range(30):
            state.undo()
        assert state.faults() == []
        return state.to_bytes(), texts

    alone = [run(seed) for seed in range(24)]
    with ThreadPoolExecutor(6) as pool:
        assert list(pool.map(run, range(24))) == alone


def test_copies_by_the_copy_module_are_of_the_same_game():
    state = position(steps=50)
    for duplicate in (copy.copy(state), copy.deepcopy(state), copy.deepcopy([state])[0]):
        assert duplicate == state
        assert duplicate is not state
        assert duplicate.game is state.game
        duplicate.copy_from(state)
    assert copy.copy(C1) is copy.deepcopy(C1) is C1
