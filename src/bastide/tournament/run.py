"""Run a tournament: hand out the deals that the journal does not have, until all are played or a test is decided."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, islice

from bastide.agents import close_idle
from bastide.errors import BastideError
from bastide.tournament.journal import Journal
from bastide.tournament.match import GameResult, play_deals, shares
from bastide.tournament.pairings import Deal, Standing, deals, lineups, swiss_tables
from bastide.tournament.plan import Plan
from bastide.tournament.sprt import Verdict
from bastide.workers import Pace, Workers

__all__ = ["check_shard", "counted", "n_games", "n_played", "run", "verdict"]

MAX_CHUNK = 1000  # deals


def check_shard(plan: Plan, shard: tuple[int, int]) -> None:
    """Raise BastideError for a part of a tournament whose deals depend on earlier ones."""
    if shard != (1, 1) and (plan.format == "swiss" or plan.sprt is not None):
        raise BastideError("a Swiss tournament or one with a sequential test cannot be played in parts")


def n_games(plan: Plan, shard: tuple[int, int] = (1, 1)) -> int:
    """Return how many games a tournament, or a part of it, has, if no test ends it before."""
    tables = len(plan.entrants) // plan.seats if plan.format == "swiss" else len(lineups(plan))
    number, n_shards = shard
    return len(range(number - 1, plan.rounds * tables * plan.deals, n_shards)) * plan.seats


def n_played(journal: Journal, shard: tuple[int, int]) -> int:
    """Return how many games of a part are in a journal. Errors: RecordError."""
    return sum(_is_in(number // journal.plan.seats, shard) for number in journal.numbers())


def _is_in(deal: int, shard: tuple[int, int]) -> bool:
    number, n_shards = shard
    return deal % n_shards == number - 1


def run(
    journal: Journal,
    workers: Workers,
    done: Callable[[int], bool] = lambda _: True,
    shard: tuple[int, int] | None = None,
) -> bool:
    """Play what is missing; return whether the tournament is over.

    `done` is told how many games are new, and says whether to go on. `shard` (i, n): only each n-th deal, from the
    i-th; None: the one that the journal is for. Errors: those of `check_shard`; WorkerError, JournalError.
    """
    part = shard or journal.shard
    check_shard(journal.plan, part)
    test = _Test(journal)
    try:
        for stage in _stages(journal):
            mine = (deal for deal in stage if _is_in(deal.number, part))
            if not _play(journal, workers, mine, done, test):
                return test.is_decided
            if test.is_decided:
                break
    finally:
        close_idle()
    return True


def counted(journal: Journal) -> Iterator[GameResult]:
    """Yield the games that count, in order: of whole deals, and none after a test was decided."""
    plan = journal.plan
    decided = verdict(journal)
    end = decided.pairs if decided is not None and decided.accepted else None
    for games in _deals(journal.games(), plan.seats):
        if end is not None and games[0].number >= end * plan.seats:
            return
        yield from games


def verdict(journal: Journal) -> Verdict | None:
    """Return where the test stands, None if there is none. Only pairs without a gap before them count."""
    sprt = journal.plan.sprt
    if sprt is None:
        return None
    found = sprt.begin()
    for number, share in _pair_shares(journal.games()):
        if number != found.pairs or found.accepted is not None:
            break
        found = sprt.after(found, share)
    return found


def _pair_shares(games: Iterable[GameResult]) -> Iterator[tuple[int, float]]:
    """Yield the number of each pair and the first entrant's share in it."""
    for pair in _deals(games, 2):
        yield pair[0].number // 2, sum(shares(game)[game.lineup.index(0)] for game in pair) / 2


def _deals(games: Iterable[GameResult], seats: int) -> Iterator[list[GameResult]]:
    """Yield the games of each whole deal."""
    deal: list[GameResult] = []
    for game in games:
        if deal and deal[0].number // seats != game.number // seats:
            deal = []
        deal.append(game)
        if len(deal) == seats:
            yield deal
            deal = []


def _stages(journal: Journal) -> Iterator[Iterator[Deal]]:
    """Yield the deals in stages; those of a stage do not depend on each other's results."""
    plan = journal.plan
    if plan.format != "swiss":
        tables = lineups(plan)
        yield chain.from_iterable(deals(plan, i, tables) for i in range(plan.rounds))
        return
    standings = [Standing(entrant, 0.0) for entrant in range(len(plan.entrants))]
    for i in range(plan.rounds):
        tables, byes = swiss_tables(standings, plan.seats)
        yield deals(plan, i, tables)
        games = len(tables) * plan.deals * plan.seats
        standings = _after(standings, journal.games(i * games, (i + 1) * games), byes, plan)


def _after(
    standings: Sequence[Standing], games: Iterable[GameResult], byes: Sequence[int], plan: Plan
) -> list[Standing]:
    """Return the standings after a round; a bye counts as all its games won."""
    points = [standing.points for standing in standings]
    met = [set(standing.met) for standing in standings]
    for game in games:
        for entrant, share in zip(game.lineup, shares(game), strict=True):
            points[entrant] += share
            met[entrant].update(set(game.lineup) - {entrant})
    for entrant in byes:
        points[entrant] += plan.deals * plan.seats
    return [
        Standing(i, points[i], frozenset(met[i]), standing.byes + (i in byes)) for i, standing in enumerate(standings)
    ]


def _play(
    journal: Journal, workers: Workers, stage: Iterable[Deal], done: Callable[[int], bool], test: "_Test"
) -> bool:
    """Play what is missing of a stage; tell whether it was not stopped."""
    plan = journal.plan
    known = journal.numbers()
    missing = (deal for deal in stage if not known.issuperset(_numbers(deal, plan.seats)))
    pace = Pace(workers.seconds, most=MAX_CHUNK)
    for results, seconds in workers.map(play_deals, _tasks(plan, missing, pace)):
        journal.add(results)
        pace.learn(len(results) // plan.seats, seconds)
        if not done(sum(result.number not in known for result in results)) or test.sees(results):
            return test.is_decided
    return True


def _numbers(deal: Deal, seats: int) -> range:
    return range(deal.number * seats, (deal.number + 1) * seats)


def _tasks(plan: Plan, missing: Iterator[Deal], pace: Pace) -> Iterator[tuple[Plan, tuple[Deal, ...]]]:
    while chunk := tuple(islice(missing, pace.n)):
        yield plan, chunk


class _Test:
    """Follow the sequential test while results come in any order: pairs count in theirs."""

    def __init__(self, journal: Journal) -> None:
        self.sprt = journal.plan.sprt
        self.verdict = verdict(journal)
        self._ahead: dict[int, float] = {}  # shares of pairs that came before an earlier one
        if self.verdict is not None:
            for number, share in _pair_shares(journal.games(2 * self.verdict.pairs)):
                self._ahead[number] = share

    @property
    def is_decided(self) -> bool:
        return self.verdict is not None and self.verdict.accepted is not None

    def sees(self, results: Sequence[GameResult]) -> bool:
        """Tell whether the test is decided now."""
        if self.sprt is not None and self.verdict is not None:
            self._ahead.update(_pair_shares(results))
            while not self.is_decided and self.verdict.pairs in self._ahead:
                self.verdict = self.sprt.after(self.verdict, self._ahead.pop(self.verdict.pairs))
        return self.is_decided
