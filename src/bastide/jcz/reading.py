"""Read a .jcz file: replay its messages in a game of this package, and record it.

A message says what a player did, never what was drawn: each draw is the tile that is placed next. Tiles that were
drawn and fitted nowhere are known only where the annotations hold the order of drawing.
"""

from collections import deque
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cached_property

from bastide.actions import PASS, RANSOM, TAKE_BACK, split_text
from bastide.errors import BastideError, RecordError, show
from bastide.game import State
from bastide.jcz.ledger import Ledger, Spot
from bastide.jcz.locations import spots_of
from bastide.jcz.save import Message, Node, Save
from bastide.jcz.setup import game_of, rules_of
from bastide.record import Record, Recorder

__all__ = ["COLOURS", "Replay", "offered", "read"]

COLOURS = {"TOWER_PIECE": "normal", "BLACK_TOWER_PIECE": "black", "WHITE_TOWER_PIECE": "white"}


def read(text: str | bytes, source: str = "jcz") -> Record:
    """Return the game of a .jcz file; `source` names it in messages.

    A turn that awaits its COMMIT is scored already. Errors: RecordError that names the place, for what is malformed,
    illegal, or played by rules that this package does not have.
    """
    replay = Replay(Save.parse(text, source))
    for _ in replay.steps():
        pass
    return replay.record()


def offered(state: State) -> list[int]:
    """Return the actions that JCloisterZone offers in a position besides passing; without any it asks nothing.

    Ransom is no action there, and an abbot is not taken back from what is complete: it scores by itself.
    """
    cells = {(tile.x, tile.y) for tile in state.board}
    actions = []
    for action in state.legal_actions():
        kind = action >> 59
        if kind == TAKE_BACK:
            _, words = split_text(state.action_text(action))
            x, y = int(words[1]), int(words[2])
            if {(x + i, y + j) for i in (-1, 0, 1) for j in (-1, 0, 1)} <= cells:
                continue
        if kind not in (PASS, RANSOM):
            actions.append(action)
    return actions


class Replay:
    """Play the messages of a file; `steps` plays all of them."""

    def __init__(self, save: Save) -> None:
        self.save = save
        rules, seed = rules_of(save.setup, len(save.players), save.own)
        try:
            self.game = game_of(rules)
            self._recorder = Recorder(self.game, save.players, seed)
        except BastideError as error:
            raise RecordError(f"{save.source}: {error}") from None
        self.state = self._recorder.state
        self.ledger = Ledger(rules)
        self.is_committed = True  # no turn awaits its COMMIT
        self.n_draws = 0
        self._draws = deque(save.draws)
        self._handlers: dict[str, Callable[[Node], None]] = {
            "PLACE_TILE": self._place_tile,
            "DEPLOY_MEEPLE": self._deploy,
            "PLACE_TOKEN": self._place_token,
            "CAPTURE_FOLLOWER": self._capture,
            "EXCHANGE_FOLLOWER": self._exchange,
            "PAY_RANSOM": self._pay_ransom,
            "RETURN_MEEPLE": self._return,
            "PASS": self._pass,
            "COMMIT": self._commit,
        }

    def steps(self) -> Iterator[None]:
        """Play all messages, pausing after each; then draw what has been drawn since, and pause again.

        Errors: RecordError that names the message.
        """
        for message in self.save.replay:
            self._play(message)
            yield
        while self._draws and self.state.is_chance and self.is_committed and not self.is_cut:
            self._draw_known()
        if not self.save.draws and not self.is_cut and self._is_used_up():
            while self.state.is_chance:
                self._draw(self.state.draws()[0][0])
        yield

    def _is_used_up(self) -> bool:
        """Tell whether nothing that is left fits: that program threw it away, now or before (B5)."""
        if not (self.state.is_chance and self.is_committed):
            return False
        state = self.state.copy()
        for tile, _, _ in self.state.draws():
            state.copy_from(self.state)
            state.draw(tile)
            if state.phase == "place":
                return False
        return True

    def _play(self, message: Message) -> None:
        try:
            if message.type not in self._handlers:
                raise RecordError(f"not supported (supported: {', '.join(self._handlers)})")
            if not self.is_committed and message.type not in ("COMMIT", "PASS", "PAY_RANSOM"):
                raise RecordError("the turn before awaits its COMMIT")
            self._handlers[message.type](message.payload)
        except BastideError as error:
            why = str(error).removeprefix(f"{self.save.source}: ")
            raise RecordError(f"{self.save.source}: {message.place.path}: {show(message.type)[1:-1]}: {why}") from None

    def record(self) -> Record:
        """Return the record of what was played so far."""
        return self._recorder.record()

    @property
    def moves(self) -> list[str]:
        """The draws and actions so far, as a record has them."""
        return self._recorder.moves

    @property
    def is_cut(self) -> bool:
        """Tell whether the file ends the game here, before the tiles are used up."""
        return self.save.end_turn is not None and self.n_draws >= self.save.end_turn and self.is_committed

    @cached_property
    def tiles(self) -> dict[str, int]:
        """Indexes of the tiles by their ids in JCloisterZone."""
        return {str(tile.jcz): i for i, tile in enumerate(self.game.tiles)}

    # -- messages

    def _place_tile(self, payload: Node) -> None:
        tile_id = payload.get("tileId").text()
        x, y = payload.get("position").cell()
        rotation = payload.get("rotation")
        if rotation.value not in ("R0", "R90", "R180", "R270"):
            rotation.fail(f"{show(rotation.value)} (expected R0, R90, R180 or R270)")
        if tile_id not in self.tiles:
            payload.fail(f"tileId {show(tile_id)} is not in this game")
        if self.state.phase not in ("draw", "place"):
            what = "the game is over" if self.state.is_terminal else f"the {self.state.phase} step is not done yet"
            raise RecordError(what)
        if self.is_cut:
            raise RecordError(f"the game ends after {self.save.end_turn} draws by gameAnnotations")
        while self.state.is_chance:
            if self._draws:
                self._draw_known()
            else:
                self._draw(self.tiles[tile_id])
        drawn = self.state.drawn_tile
        if drawn != self.tiles[tile_id]:
            in_hand = "nothing" if drawn is None else f"{self.game.tiles[drawn].jcz} by gameAnnotations.drawOrder"
            raise RecordError(f"{tile_id} is placed but {in_hand} was drawn")
        self._apply(f"place {x},{y} {rotation.value[1:]}")

    def _deploy(self, payload: Node) -> None:
        figure, kind = self._own_figure(payload)
        x, y, spot = self._spot(payload.get("pointer"))
        text = f"tower {kind} {x},{y}" if spot == "tower" else f"deploy {kind} {x},{y} {spot}"
        self._apply(text, lambda: self.ledger.deploy(figure, (x, y, spot)))

    def _place_token(self, payload: Node) -> None:
        token = payload.get("token").text()
        if token not in COLOURS:
            raise RecordError(f"token {show(token)} is not supported (supported: {', '.join(COLOURS)})")
        pointer = payload.get("pointer")
        x, y = pointer.get("position").cell()
        if "tower" not in self._meanings(pointer):
            pointer.fail("a tower piece belongs on a tower")
        self._apply(f"floor {COLOURS[token]} {x},{y}")

    def _capture(self, payload: Node) -> None:
        pointer = payload.get("pointer")
        figure = pointer.get("meepleId").text()
        owner, kind = self.ledger.owner_and_kind(figure)
        x, y, spot = self._stands(pointer, figure)
        captor = self.state.current_player
        self._apply(f"capture {x},{y} {kind} of {owner} {spot}", lambda: self.ledger.capture(figure, captor))

    def _exchange(self, payload: Node) -> None:
        figure, kind = self._own_figure(payload)
        self._apply(f"exchange {kind} from {self.ledger.holder(figure)}", lambda: self.ledger.release(figure))

    def _pay_ransom(self, payload: Node) -> None:
        if self.state.phase != "figure":
            raise RecordError("ransom is paid in the figure step before the figure action only (T8)")
        figure, kind = self._own_figure(payload)
        self._apply(f"ransom {kind} from {self.ledger.holder(figure)}", lambda: self.ledger.release(figure))

    def _return(self, payload: Node) -> None:
        cause = payload.get("source")
        if cause.value != "ABBOT_RETURN":
            cause.fail(f"{show(cause.value)} is not supported (supported: ABBOT_RETURN)")
        pointer = payload.get("pointer")
        figure, kind = self._own_figure(pointer)
        x, y, spot = self._stands(pointer, figure)
        self._apply(f"take back {kind} {x},{y} {spot}")

    def _pass(self, payload: Node) -> None:
        """Pass. Where range ends at gaps a capture can be passed there that is none here."""
        if self.is_committed:
            self._apply("pass")
        elif not (self.game.rules.tower_gaps == "block" and self.moves[-1].startswith("floor ")):
            raise RecordError("there is nothing to pass: the turn awaits its COMMIT")

    def _commit(self, payload: Node) -> None:
        """End the turn; where that program offers nothing, the figure step is passed without a message."""
        if self.is_committed and self.state.phase == "figure":
            if offered(self.state):
                raise RecordError("the figure step needs an action or PASS first")
            self._apply("pass")
        if self.is_committed:
            raise RecordError(f"nothing awaits it in the phase {self.state.phase!r}")
        self.is_committed = True

    # -- what they share

    def _apply(self, text: str, note: Callable[[], None] | None = None) -> None:
        """Do an action, note it in the ledger, and see whether the turn is over."""
        if self.state.is_chance or self.state.is_terminal:
            raise RecordError("no tile is placed yet" if self.state.is_chance else "the game is over")
        self._recorder.apply(self.state.parse_action(text))
        if note is not None:
            note()
        self.ledger.follow(self.state)
        self.is_committed = not (self.state.is_chance or self.state.is_terminal)

    def _draw_known(self) -> None:
        """Draw the next tile of the order; what was thrown out of the river already is no draw here (R4)."""
        node = self._draws.popleft()
        tile_id = node.text()
        if tile_id not in self.tiles:
            node.fail(f"the tile {show(tile_id)} is not in this game")
        tile = self.tiles[tile_id]
        listed = {drawn for drawn, _, _ in self.state.draws()}
        if tile not in listed and self.game.tiles[tile].pile == "river":
            self.n_draws += 1
            return
        try:
            self._draw(tile)
        except BastideError as error:
            node.fail(f"{tile_id}: {error}")

    def _draw(self, tile: int) -> None:
        self._recorder.draw(tile)
        self.n_draws += 1

    def _own_figure(self, node: Node) -> tuple[str, str]:
        """Return the id and kind of a figure, which must be of the player whose turn it is."""
        figure = node.get("meepleId").text()
        owner, kind = self.ledger.owner_and_kind(figure)
        if owner != self.state.current_player:
            raise RecordError(f"meeple {figure} is not of player {self.state.current_player}, whose turn it is")
        return figure, kind

    def _meanings(self, pointer: Node) -> tuple[str, ...]:
        """Return the spots that a pointer can mean."""
        feature = pointer.find("feature")
        location = pointer.get("location").text()
        name = None if feature is None else feature.text()
        spots = spots_of(name, location)
        if not spots:
            pointer.fail(f"feature {show(name)} at location {show(location)} is not supported")
        return spots

    def _spot(self, pointer: Node) -> Spot:
        """Return the cell and spot of a pointer; its location may be any part of the segment's."""
        x, y = pointer.get("position").cell()
        *others, last = self._meanings(pointer)
        for spot in others:
            with suppress(BastideError):
                return x, y, self._whole(x, y, spot)
        return x, y, self._whole(x, y, last)

    def _whole(self, x: int, y: int, spot: str) -> str:
        """Return the name of the whole segment of which a spot is a part; InvalidActionError if there is none."""
        action = self.state.parse_action(f"deploy meeple {x},{y} {spot}")
        return self.state.action_text(action).split(" ", 3)[3]

    def _stands(self, pointer: Node, figure: str) -> Spot:
        """Return where a figure stands, which must be where the pointer says."""
        place = pointer.get("featurePointer")
        spot = self.ledger.at(figure)
        if spot is None or spot[:2] != place.get("position").cell():
            place.fail(f"meeple {figure} does not stand there")
        if self._spot(place) != spot:
            place.fail(f"meeple {figure} stands on {spot[2]}")
        return spot
