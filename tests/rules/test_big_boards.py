"""Boards at the limits: a thousand tiles in a city, a field, a line, and hundreds of cities on a field."""

from itertools import pairwise

import pytest
from boards import own_game
from games import finish, illegal, step

from bastide import Game, Rng, Rules
from bastide.spots import spot_names

PLAIN = "field NL-NR-EL-ER-SL-SR-WL-WR"
N = 1000  # tiles, the start tile included


def put(state, tile, x, y, rotation=0, spot=None):
    """Play one turn; a figure only where `spot` says so. Quicker than `boards.play` on large boards."""
    state.draw(state.game.tile_index(tile))
    state.apply(state.parse_action(f"place {x},{y} {rotation}"))
    if state.phase == "figure":
        state.apply(0 if spot is None else state.parse_action(f"deploy meeple {x},{y} {spot}"))


def biggest(state, kind):
    return max((feature for feature in state.features() if feature.kind == kind), key=lambda f: len(f.tiles))


# -- one city


def test_b7_a_city_of_a_thousand_tiles_in_a_line_with_three_pennants_each():
    game = own_game({"E": 1, "line": N - 2, "cap": 1}, "cap")
    state = game.new_state()
    put(state, "own.line", 0, -1, 90, "city NS")
    for n in range(2, N - 1):
        put(state, "own.line", 0, -n, 90)
    assert biggest(state, "city").points == N - 1 + 3 * (N - 2) + 1
    assert state.scores == (0, 0)
    put(state, "base.E", 0, 1 - N, 180)
    # 1,000 tiles; 3 pennants on 998 of them and 1 on the start tile
    assert state.scores == (2 * (1000 + 3 * 998 + 1), 0)
    assert state.is_terminal
    assert state.faults() == []


def square(width, height):
    """The cells of a rectangle, row by row from its south-east corner, each beside an earlier one."""
    return [(-x, -y) for y in range(height) for x in range(width)]


def city_square(width, height):
    """A game whose tiles make one closed city of this size, and the (tile, x, y, rotation) that lay it."""
    right, bottom, left, top = 0, 0, 1 - width, 1 - height
    # base.N joins north and west; base.R all but the south, where its field is.
    corners = {(right, bottom): 0, (left, bottom): 90, (left, top): 180, (right, top): 270}
    rotations = {("y", bottom): 0, ("x", left): 90, ("y", top): 180, ("x", right): 270}
    laid = []
    for x, y in square(width, height):
        if (x, y) in corners:
            laid.append(("base.N", x, y, corners[x, y]))
        else:
            rotation = rotations.get(("x", x), rotations.get(("y", y)))
            laid.append(("own.city", x, y, 0) if rotation is None else ("base.R", x, y, rotation))
    counts = {name: sum(tile == name for tile, *_ in laid) for name in ("base.N", "base.R", "own.city")}
    return own_game(counts, "base.N"), laid


def test_b7_a_city_of_a_thousand_tiles_in_a_square():
    game, laid = city_square(25, 40)
    assert len(laid) == N
    state = game.new_state()
    for n, (tile, x, y, rotation) in enumerate(laid[1:]):
        put(state, tile, x, y, rotation, {0: "city NEW", 1: None}.get(n))
    assert state.scores == (2000, 0)
    assert state.is_terminal
    city = biggest(state, "city")
    assert (city.closed, city.points, len(city.tiles), city.open_edges) == (True, 2000, 1000, 0)
    assert state.faults() == []


def test_b9_all_meeples_of_six_players_in_one_city():
    # A comb of 42 teeth, a knight on each; the last row joins them and its last tile closes the city.
    width = 2 * 42 + 1
    counts = {"plain": width + 43, "E": 42 + 2, "R": 42, "G": 41}
    state = own_game(counts, "plain", players=6).new_state()
    for x in range(1, width):
        put(state, "own.plain", x, 0)
    for x in range(1, width, 2):
        put(state, "base.E", x, -1, 0, "city N")
    for x in range(0, width, 2):
        put(state, "own.plain", x, -1)
    assert [sum(figure.owner == player for figure in state.figures) for player in range(6)] == [7] * 6
    put(state, "base.E", 0, -2, 90)
    for x in range(1, width - 1):
        put(state, "base.R" if x % 2 else "base.G", x, -2, 180 if x % 2 else 0)
    assert state.scores == (0,) * 6
    put(state, "base.E", width - 1, -2, 270)
    assert state.scores == (2 * (42 + width),) * 6  # the teeth and the last row; all six tie
    assert state.figures == ()
    assert state.is_terminal


# -- one field


def test_b12_a_field_of_a_thousand_tiles_in_a_line():
    # 996 in a row, and beside its beginning a closed city that the field goes round.
    state = own_game({"plain": N - 2, "E": 2}, "plain").new_state()
    put(state, "own.plain", 1, 0, 0, PLAIN)
    for x in range(2, N - 4):
        put(state, "own.plain", x, 0)
    put(state, "base.E", 0, 1, 180)
    put(state, "own.plain", 1, 1)
    put(state, "own.plain", 1, 2)
    put(state, "base.E", 0, 2, 0)
    assert state.is_terminal
    assert len(biggest(state, "field").tiles) == N
    assert state.scores == (3, 0)
    assert state.faults() == []


def test_b12_a_field_of_a_thousand_tiles_in_a_square():
    state = own_game({"plain": N}, "plain").new_state()
    cells = square(40, 25)
    put(state, "own.plain", *cells[1], 0, PLAIN)
    for cell in cells[2:]:
        put(state, "own.plain", *cell)
    assert state.is_terminal
    (field,) = state.features()
    assert (len(field.tiles), len(field.figures), field.points) == (N, 1, 0)
    assert state.scores == (0, 0)
    assert state.faults() == []


@pytest.mark.parametrize("n", [1, 63, 64, 65, 127, 128, 129, 499])
def test_b12_a_field_that_touches_many_closed_cities_counts_each_once(n):
    """Two rows of caps that face each other make n cities; plain tiles at the end join the rows' fields."""
    state = own_game({"E": 2 * n, "plain": 2}, "E", players=1).new_state()
    for x in range(1, n):
        put(state, "base.E", x, 0)
    for x in range(n):
        put(state, "base.E", x, -1, 180, "field NL-NR-EL-ER-WL-WR" if x == 0 else None)
    fields = [feature for feature in state.features() if feature.kind == "field"]
    assert [field.points for field in fields] == [3 * n, 3 * n]  # each city touches both
    put(state, "own.plain", n, 0)
    put(state, "own.plain", n, -1)
    assert state.is_terminal
    assert state.scores == (3 * n,)  # one field now, each city once
    assert biggest(state, "field").points == 3 * n


def test_b12_fields_among_many_cities_count_only_their_own():
    # 100 cities in two rows whose fields stay apart, and 30 more north of them.
    n, more = 100, 30
    state = own_game({"E": 2 * n + 2 * more, "plain": 1}, "E").new_state()
    put(state, "base.E", 1, 0, 0, "field EL-ER-SL-SR-WL-WR")  # player 0: the south
    for x in range(2, n):
        put(state, "base.E", x, 0)
    for x in range(n):
        put(state, "base.E", x, -1, 180)
    for x in range(more):  # the southern row of these joins the northern field of the first
        put(state, "base.E", x, -2, 0)
    put(state, "base.E", 0, -3, 180, "field NL-NR-EL-ER-WL-WR")  # player 1, after 229 turns: the field north of all
    for x in range(1, more):
        put(state, "base.E", x, -3, 180)
    fields = [feature for feature in state.features() if feature.kind == "field"]
    owners = {tuple(figure.owner for figure in field.figures): field.points for field in fields}
    assert owners == {(0,): 3 * n, (1,): 3 * more, (): 3 * (n + more)}
    put(state, "own.plain", n, 0)  # in the south alone
    assert state.is_terminal
    assert state.scores == (3 * n, 3 * more)


# -- growing in one direction

LINES = {
    "east": lambda n: (n, 0),
    "west": lambda n: (-n, 0),
    "north": lambda n: (0, -n),
    "south": lambda n: (0, n),
    "stairs": lambda n: ((n + 1) // 2, -(n // 2)),
}


def turns(line, n_tiles=N):
    """Turns (tile, x, y, rotation, spot) along a line, with a figure now and then."""
    for n in range(1, n_tiles):
        yield "own.plain", *line(n), 0, PLAIN if n % 100 == 1 else None


@pytest.mark.parametrize("name", LINES)
def test_a_board_can_grow_a_thousand_tiles_in_one_direction_and_back(name):
    line = LINES[name]
    game = own_game({"plain": N}, "plain")
    state = game.new_state()
    marks = {}  # number of turns: bytes, key
    copies = {}
    for n, turn in enumerate(turns(line), 1):
        put(state, *turn)
        if n % 37 == 0 or n > N - 4:
            data = state.to_bytes()
            marks[n] = data, state.key
            copies[n] = state.copy()
            restored = game.state_from_bytes(data)
            assert (restored.to_bytes(), restored.key) == (data, state.key)
            if n % 111 == 0 or n == N - 1:
                assert state.faults() == restored.faults() == copies[n].faults() == []
    assert state.is_terminal
    far = line(N - 1)
    assert (state.board[-1].x, state.board[-1].y) == far
    while True:
        n = state.turn
        if state.is_chance or state.is_terminal:
            if n in marks:
                assert (state.to_bytes(), state.key) == marks.pop(n)
                if n % 111 == 0:
                    assert state.faults() == []
            if n == 0:
                break
        state.undo()
    assert not marks
    assert state == game.new_state()
    illegal(state, state.undo)
    for n, other in copies.items():
        assert other.turn == n
        assert (other.board[-1].x, other.board[-1].y) == line(n)


def test_growing_undoing_and_growing_elsewhere():
    game = own_game({"plain": N}, "plain")
    state = game.new_state()
    before = state.to_bytes()
    for line in LINES.values():
        steps = 0
        for turn in turns(line, 700):
            put(state, *turn)
        assert state.faults() == []
        while state.turn or not state.is_chance:
            state.undo()
            steps += 1
        assert steps > 1000
        assert state.to_bytes() == before
        assert state.faults() == []


def test_copies_between_small_and_large_boards():
    game = own_game({"plain": N}, "plain")
    sizes = [game.new_state()]
    state = game.new_state()
    for n, turn in enumerate(turns(LINES["east"], 900), 1):
        put(state, *turn)
        if n in (30, 80, 130, 200, 300, 400, 600, 899):
            sizes.append(state.copy())
    for target in [*sizes, *reversed(sizes)]:
        target = target.copy()
        for source in [*sizes, *reversed(sizes)]:
            target.copy_from(source)
            assert (target.to_bytes(), target.key) == (source.to_bytes(), source.key)
        assert target.faults() == []
    for small, large in pairwise(sizes):
        other = game.state_from_bytes(large.to_bytes())
        other.copy_from(small)
        put(other, "own.plain", 0, 1)
        other.undo()
        assert other.faults() == []


# -- many copies


@pytest.mark.parametrize("players", [2, 6])
def test_a_random_game_of_720_tiles(players):
    game = Game(Rules(edition="c1", copies=10, players=players))
    state, rng, steps = game.new_state(), Rng(players), 0
    while not state.is_terminal:
        step(state, rng)
        steps += 1
        if steps % 300 == 0:
            assert state.faults() == []
            assert game.state_from_bytes(state.to_bytes()) == state
    assert state.faults() == []
    assert len(state.board) + state.discards == 720
    assert {f.segments: f.points for f in state.features() if f.kind == "field"} == fields_by_hand(state)
    twin = game.state_from_bytes(state.to_bytes())
    assert twin == state
    for _ in range(steps):
        state.undo()
    assert state == game.new_state()
    assert finish(state, Rng(players)) == twin


def fields_by_hand(state):
    """3 points for each closed city of which some tile says that it touches the field there (B12)."""
    at = {segment: feature for feature in state.features() for segment in feature.segments}
    cities = {feature.segments: set() for feature in at.values() if feature.kind == "field"}
    for placed in state.board:
        tile = state.game.tiles[placed.tile]
        names = spot_names(tile, placed.rotation // 90)
        for i, field in enumerate(tile.fields):
            feature = at[placed.x, placed.y, names[len(tile.cities) + len(tile.roads) + i]]
            touched = [at[placed.x, placed.y, names[city]] for city in field.cities]
            cities[feature.segments] |= {city.segments for city in touched if city.closed}
    return {field: 3 * len(closed) for field, closed in cities.items()}
