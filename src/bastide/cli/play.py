"""`bastide play`: one game between agents."""

from collections import Counter
from typing import TYPE_CHECKING, Any

import click

from bastide.cli.app import INTERRUPTED, RunError
from bastide.cli.common import (
    CODES,
    GameOptions,
    Interrupt,
    check_can_write,
    check_one_form,
    chosen_seed,
    colour_option,
    dumps,
    game_and_seats,
    game_options,
    is_coloured,
    json_options,
    print_seed,
    seed_option,
)
from bastide.errors import BastideError

if TYPE_CHECKING:
    from bastide.game import State

EXAMPLES = """\b
Examples:
  bastide play --agents greedy,random --seed 7
  bastide play --preset river --players 3 --save game.json
  bastide play --deck deck.txt --json > game.json
"""


AGENTS = f"Agents by seat, or one for all: {CODES}."


@click.command("play", epilog=EXAMPLES)
@click.option("--agents", default="greedy", show_default=True, metavar="LIST", help=AGENTS)
@click.option("--deck", "deck_file", metavar="FILE", help="The order of the tiles, as text or bytes of a Deck.")
@click.option("--save", metavar="FILE", help="Write the game record.")
@game_options
@seed_option
@colour_option
@json_options
def command(
    agents: str,
    deck_file: str | None,
    save: str | None,
    game_options: GameOptions,
    seed: int | None,
    colour: str,
    as_json: bool,
    as_ndjson: bool,
) -> int:
    """Play one game between agents and print its moves, the board and the scores.

    --json prints the game record, --ndjson a line for each move. A deck file has a line for each pile, e.g.
    "deck base.V base.U ...".
    """
    check_one_form(as_json, as_ndjson)
    check_can_write(save)
    game, codes = game_and_seats(game_options, agents)
    assert codes is not None
    from bastide._core.api import Rng
    from bastide.agents import play_steps, seated
    from bastide.cli.files import read_deck
    from bastide.record import Recorder
    from bastide.render.text import board_text

    deck = None if deck_file is None else read_deck(game, deck_file)
    seed = chosen_seed(seed)
    recorder = Recorder(game, [_name(code) for code in codes], seed)
    state = recorder.state
    if deck is not None:
        deck.check(state)  # before anything is printed
    print_seed(seed)
    with Interrupt() as interrupt, seated(codes) as players:
        try:
            before = {"ply": 1, "turn": state.turn, "player": state.current_player}
            for text in play_steps(recorder, players, Rng(seed), deck):
                facts = {**before, **_facts(state, text)}
                before = {"ply": before["ply"] + 1, "turn": state.turn, "player": state.current_player}
                if as_ndjson:
                    click.echo(dumps(facts))
                elif not as_json:
                    click.echo(_line(facts))
                if interrupt.is_asked:
                    break
            record = recorder.record()
            if save is not None:
                record.save(save)
        except BastideError as error:
            raise RunError(str(error)) from error
    if as_json:
        click.echo(record.to_json(), nl=False)
    elif not as_ndjson:
        click.echo(board_text(state, colour=is_coloured(colour)), color=True)
        for seat, (code, score) in enumerate(zip(codes, state.scores, strict=True)):
            click.echo(f"player {seat} ({code}): {score}")
    return 0 if state.is_terminal else INTERRUPTED


def _name(code: str) -> str:
    """Return a code as the name of a player in a record."""
    from bastide.record import MAX_NAME

    return "".join(c if c.isprintable() else "?" for c in code[:MAX_NAME])


def _facts(state: "State", text: str) -> dict[str, Any]:
    """Return what a move was and what it scored, the events of one player and source as one."""
    points: Counter[tuple[int, str]] = Counter()
    for event in state.score_events:
        points[event.player, event.source] += event.points
    scored = [{"player": player, "source": source, "points": n} for (player, source), n in points.items() if n]
    return {"move": text, "scored": scored, "scores": list(state.scores)}


def _line(facts: dict[str, Any]) -> str:
    """Return a move for people: ply, player, move, points."""
    scored = ", ".join(f"{part['points']:+} {part['source']} {part['player']}" for part in facts["scored"])
    return f"{facts['ply']:>4}  {facts['player']}  {facts['move']:40}{scored}".rstrip()
