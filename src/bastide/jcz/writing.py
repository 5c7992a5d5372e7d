"""Write a record as a .jcz file, in the order of that program's messages.

Every turn ends with a COMMIT. What was drawn is written into the annotations, from which that program draws again;
numbers that it takes for its own draws come from the moves, so that the same record gives the same file.
"""

import hashlib
import json
from typing import Any

from bastide._core.api import Rng
from bastide.actions import (
    CAPTURE,
    DEPLOY,
    EXCHANGE,
    FLOOR,
    PASS,
    PLACE,
    RANSOM,
    TAKE_BACK,
    TOWER_FOLLOWER,
    split_text,
)
from bastide.errors import BastideError, RecordError, show
from bastide.game import Game
from bastide.jcz.ledger import Ledger
from bastide.jcz.locations import TOWER, pointer_of
from bastide.jcz.reading import COLOURS, offered
from bastide.jcz.setup import game_of, own_of, setup_of
from bastide.record import Record
from bastide.rules import Rules
from bastide.tables import type_tiles

__all__ = ["APP_VERSION", "write"]

APP_VERSION = "6.2.0"  # of JCloisterZone, whose form of file this is
CREATED = "1970-01-01T00:00:00.000Z"  # a record does not say when it was played
_TOKENS = {colour: token for token, colour in COLOURS.items()}


def write(record: Record) -> str:
    """Return the text of a .jcz file with the game of a record; search statistics are not in it.

    Errors: RecordError if the record is wrong, or its game is none that JCloisterZone has.
    """
    if not isinstance(record, Record):
        raise RecordError(f"a saved game is written of a Record, got {show(record)}")
    try:
        setup = setup_of(record.rules)
        game = game_of(record.rules)
        if record.tiles is not None:
            raise RecordError("own tiles have no counterpart in JCloisterZone")
    except BastideError as error:
        raise RecordError(f"{record.source}: {error}") from None
    record = record.checked(game)
    writer = _Writer(game, record)
    writer.run()
    document = {
        "appVersion": APP_VERSION,
        "gameId": writer.game_id,
        "name": "",
        "initialRandom": writer.first_random,
        "created": CREATED,
        "clock": 0,
        "setup": setup,
        "players": [{"name": name, "slot": slot} for slot, name in enumerate(record.players)],
        "chat": [],
        "replay": writer.replay,
        "gameAnnotations": writer.annotations(),
    }
    return json.dumps(document, indent=2, ensure_ascii=False, allow_nan=False) + "\n"


class _Writer:
    """Replay a record and write down the messages."""

    def __init__(self, game: Game, record: Record) -> None:
        self.game, self.record = game, record
        digest = hashlib.blake2b("\n".join([*record.players, *record.moves]).encode(), digest_size=16)
        self.game_id = digest.hexdigest()
        self._rng = Rng(int.from_bytes(digest.digest()[:8], "little"))
        self.first_random = self._rng.random()
        self.replay: list[dict[str, Any]] = []
        self._draw_order: list[int] = []
        types = enumerate(type_tiles(game.selection))
        river = sorted((tile.river_role, i, n) for i, (tile, n) in types if tile.pile == "river")
        self._river = [i for _, i, n in river for _ in range(n)]  # not drawn yet, the lake last
        self._ledger = Ledger(record.rules)
        self._states = record.states(game)
        self._state = next(self._states)
        # That program's towers reach across gaps, so it may ask for a capture where the record has none.
        self._wide = None
        if "tower" in record.rules.boxes and record.rules.tower_gaps == "block":
            self._wide = game_of(Rules(**{**record.rules.canonical(), "tower_gaps": "cross"})).new_state()

    def run(self) -> None:
        """Write down all moves."""
        for text in self.record.moves:
            is_draw = self._state.is_chance
            player = self._state.current_player
            if is_draw:
                self._draw(text.removeprefix("draw "))
            else:
                self._act(player, text)
            next(self._states)
            self._ledger.follow(self._state)
            if not is_draw and (self._state.is_chance or self._state.is_terminal):
                self._pass_wide_capture(player)
                self._say(player, "COMMIT", {"random": self._rng.random()})

    def annotations(self) -> dict[str, Any]:
        """Return the order of drawing, and what the setup does not say."""
        annotations: dict[str, Any] = {"drawOrder": [self.game.tiles[tile].jcz for tile in self._draw_order]}
        rules = self.record.rules
        if self._state.is_terminal and "river" in rules.boxes and rules.river_start_tile == "out":
            annotations["endTurn"] = len(self._draw_order)  # that program has one more tile
        if own := own_of(rules, self.record.seed):
            annotations["bastide"] = own
        return annotations

    def _say(self, player: int, kind: str, payload: dict[str, Any]) -> None:
        self.replay.append({"type": kind, "payload": payload, "player": player, "clock": 0})

    def _draw(self, tile_id: str) -> None:
        """Note a draw. That program draws each river tile that fits nowhere, which here just leaves the game (R4)."""
        tile = self.game.tile_index(tile_id)
        is_last = self.game.tiles[tile].river_role == "lake" or tile not in self._river
        if tile in self._river:
            self._river.remove(tile)
        if is_last:
            self._draw_order += self._river
            self._river = []
        self._draw_order.append(tile)
        if self._wide is not None:
            self._wide.draw(tile)

    def _act(self, player: int, text: str) -> None:
        """Write the message of an action; what the ledger must know of it is noted."""
        kind, words = split_text(text)
        if self._wide is not None:
            self._wide.apply(self._wide.parse_action(text))
        if kind == PLACE:
            tile = self.game.tiles[self._state.drawn_tile or 0].jcz
            payload = {"tileId": tile, "rotation": f"R{words[2]}", "position": _cell(words[0:2])}
            self._say(player, "PLACE_TILE", payload)
        elif kind == PASS:
            if offered(self._state):
                self._say(player, "PASS", {})
        elif kind in (DEPLOY, TOWER_FOLLOWER):
            figure = self._ledger.free(player, words[0])
            x, y = _cell(words[1:3])
            spot = words[3] if kind == DEPLOY else "tower"
            self._ledger.deploy(figure, (x, y, spot))
            self._say(player, "DEPLOY_MEEPLE", {"pointer": _pointer(x, y, spot), "meepleId": figure})
        elif kind == FLOOR:
            pointer = {"position": _cell(words[1:3]), **TOWER}
            self._say(player, "PLACE_TOKEN", {"token": _TOKENS[words[0]], "pointer": pointer})
        elif kind == CAPTURE:
            figure, pointer = self._standing(int(words[3]), words[2], (*words[0:2], words[4]))
            self._ledger.capture(figure, player)
            self._say(player, "CAPTURE_FOLLOWER", {"pointer": pointer})
        elif kind == TAKE_BACK:
            _, pointer = self._standing(player, words[0], words[1:4])
            self._say(player, "RETURN_MEEPLE", {"pointer": pointer, "source": "ABBOT_RETURN"})
        elif kind in (RANSOM, EXCHANGE):
            figure = self._ledger.prisoner(int(words[1]), player, words[0])
            self._ledger.release(figure)
            self._say(player, "PAY_RANSOM" if kind == RANSOM else "EXCHANGE_FOLLOWER", {"meepleId": figure})

    def _standing(self, owner: int, kind: str, words: tuple[str, ...]) -> tuple[str, dict[str, Any]]:
        """Return the id of a figure on the board and the pointer to it."""
        x, y = _cell(words)
        figure = self._ledger.standing(owner, kind, (x, y, words[2]))
        return figure, {"featurePointer": _pointer(x, y, words[2]), "meepleId": figure}

    def _pass_wide_capture(self, player: int) -> None:
        """Pass the capture that is possible there alone."""
        if self._wide is not None and self._wide.phase == "capture":
            self._wide.apply(self._wide.parse_action("pass"))
            self._say(player, "PASS", {})


def _cell(words: tuple[str, ...]) -> list[int]:
    return [int(words[0]), int(words[1])]


def _pointer(x: int, y: int, spot: str) -> dict[str, Any]:
    return {"position": [x, y], **pointer_of(spot)}
