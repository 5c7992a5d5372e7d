"""Boxes, options and tile piles (rules.md section 0, B2, B14, R1, R5)."""

from collections import Counter

BOXES = ("base", "river", "tower", "black-tower", "thieves", "watchtowers", "bridges-castles")

CHOICES = {
    "edition": (None, "c1", "c2", "c3"),
    "abbot": (False, True),
    "farmers": (True, False),
    "small_city_points": (2, 1),
    "river_start_tile": (None, "deck", "out"),
    "tower_gaps": ("block", "cross"),
    "tower_eye_for_an_eye": (False, True),
    "tower_no_surprise": (False, True),
    "tower_diagonal": (False, True),
    "watchman_replace_own": (True, False),
    "watchtower_c3_tile": ("J", "G"),
}


class Options:
    """The options of a game, checked; one attribute each."""

    def __init__(self, boxes, players, copies, **given):
        for name, value in given.items():
            if name not in CHOICES:
                raise ValueError(f"unknown option {name}")
            if value not in CHOICES[name]:
                raise ValueError(f"option {name} cannot be {value!r}")
        for name, values in CHOICES.items():
            setattr(self, name, given.get(name, values[0]))
        unknown = [box for box in boxes if box not in BOXES]
        if unknown:
            raise ValueError(f"unknown boxes {unknown}")
        self.boxes = frozenset(boxes) | {"base"}
        if players not in range(1, 7):
            raise ValueError("1 to 6 players (B1)")
        self.players = players
        if "tower" in self.boxes and "thieves" in self.boxes:
            raise ValueError("tower and thieves are two editions of one box: choose one (H9)")
        if "black-tower" in self.boxes and "tower" not in self.boxes:
            raise ValueError("black-tower needs tower (H9)")
        if self.edition is None:
            self.edition = "c1" if "tower" in self.boxes else "c3"
        if self.abbot and self.edition == "c1":
            raise ValueError("the abbot needs edition c2 or c3 (section 0)")
        if self.river_start_tile is None:
            self.river_start_tile = "deck" if self.edition == "c1" else "out"
        self.copies = dict.fromkeys(self.boxes, 1)
        for box, count in (copies or {}).items():
            if box not in self.boxes:
                raise ValueError(f"copies of {box}, which is not in play (B14)")
            if count not in range(1, 11):
                raise ValueError("copies are 1 to 10 (B14)")
            if count > 1 and box in ("river", "black-tower"):
                raise ValueError(f"{box} accepts no copies (B14)")
            self.copies[box] = count

    def set_name(self, box):
        """The tile set that a box takes in this edition (section 0); None if the box has no tiles."""
        c1 = self.edition == "c1"
        if box == "base":
            return "base_c1" if c1 else "base_c2c3"
        if box == "river":
            return f"river_{self.edition}"
        if box == "tower":
            return "tower_c1" if c1 else "tower_c2"
        if box == "watchtowers":
            if self.edition != "c3":
                return "watchtowers_c2"
            return "watchtowers_c3" if self.watchtower_c3_tile == "J" else "watchtowers_c3_g"
        if box == "thieves":
            return "towers_and_thieves_c31"
        if box == "bridges-castles":
            return "bridges_and_castles_c31"
        return None  # black-tower has no tiles (B14)


class Piles:
    """All tiles of the game: the start tile, and Counters of tile ids for deck, river and tower pile."""

    def __init__(self, options, tiles, sets, start):
        piles = {"deck": Counter(), "river": Counter(), "tower": Counter()}
        for box in BOXES:
            name = options.set_name(box)
            if box not in options.boxes or name is None:
                continue
            for tile_id, count in sets[name].items():
                piles[tiles[tile_id].pile][tile_id] += count * options.copies[box]
        self.deck, self.river, self.tower = piles["deck"], piles["river"], piles["tower"]
        if "river" in options.boxes:
            # R1: the spring is the start tile; one base.D leaves the game or stays in the deck.
            spring = next(tile_id for tile_id in self.river if tiles[tile_id].river_role == "spring")
            self.river = take(self.river, spring)
            self.start = spring
            if options.river_start_tile == "out":
                self.deck = take(self.deck, start)
        else:
            self.river = Counter()  # R5: without the river its tiles are left out
            self.start = start
            self.deck = take(self.deck, start)  # B2: outside the deck
        if self.left() + 1 > 1000:
            raise ValueError("more than 1,000 tiles in all (B14)")

    def left(self):
        """Tiles still to be drawn."""
        return self.deck.total() + self.river.total() + self.tower.total()


def take(pile, tile_id):
    """The pile without one tile of this id (without change if it has none)."""
    rest = pile.copy()
    if rest[tile_id] > 0:
        rest[tile_id] -= 1
    return +rest
