"""Change documents, texts and bytes at random. `pick(n)` gives a number of 0 .. n-1, from wherever the caller likes."""

import copy

VALUES = [
    *(None, True, False, 0, 1, -1, 2, 255, 65_536, 2**31, -(2**31), 2**63, 2**64, 10**30, 0.5, -0.0, 1e308),
    *("", " ", "0", "base", "deck", "pass", "N", "\x00", "\ud800", "é", "place 0,1 0", "x" * 300),
    *([], {}, [[]], [0], {"": None}, [[[[[[[[]]]]]]]]),
]
CHARACTERS = "\x00\t\n \"'#,-.0123456789:=ENSW[]\\_abcdefnrtu{}é\U0001f3f0\ud800"


def change_document(document, pick):
    """Return a copy of a JSON document with one to four changes."""
    document = copy.deepcopy(document)
    for _ in range(1 + pick(4)):
        holder, key = _place(document, pick)
        if holder is None:
            return copy.deepcopy(VALUES[pick(len(VALUES))])
        _change(holder, key, pick)
    return document


def _place(document, pick):
    """A random place of a document: what holds it, and its key there."""
    holder, key, value = None, None, document
    while isinstance(value, (dict, list)) and value and (holder is None or pick(4)):
        holder = value
        key = list(value)[pick(len(value))] if isinstance(value, dict) else pick(len(value))
        value = holder[key]
    return holder, key


def _change(holder, key, pick):
    value = holder[key]
    how = pick(6)
    if how == 0:
        del holder[key]
    elif how == 1 and isinstance(holder, list):
        holder.insert(pick(len(holder) + 1), copy.deepcopy(value))
    elif how == 1:
        holder[str(key) + "x"] = copy.deepcopy(value)
    elif how == 2 and isinstance(value, str):
        holder[key] = change_text(value, pick)
    elif how == 3 and isinstance(value, int):
        holder[key] = value + pick(5) - 2
    elif how == 4:  # from another place of the same holder
        others = list(holder) if isinstance(holder, dict) else range(len(holder))
        holder[key] = copy.deepcopy(holder[others[pick(len(others))]])
    else:
        holder[key] = copy.deepcopy(VALUES[pick(len(VALUES))])


def change_text(text, pick):
    """Return a text with one to four characters, words or lines changed."""
    for _ in range(1 + pick(4)):
        split = ("", " ", "\n")[pick(3)]
        parts = text.split(split) if split else list(text)
        at = pick(len(parts) + 1)
        how = pick(4)
        if how == 0 or at == len(parts):
            parts.insert(at, CHARACTERS[pick(len(CHARACTERS))])
        elif how == 1:
            del parts[at]
        elif how == 2:
            other = pick(len(parts))
            parts[at], parts[other] = parts[other], parts[at]
        else:
            parts[at] = parts[pick(len(parts))] if pick(2) else CHARACTERS[pick(len(CHARACTERS))]
        text = split.join(parts)
    return text


def change_bytes(data, pick):
    """Return bytes with one to six bytes changed, and now and then some added or cut off."""
    data = bytearray(data)
    for _ in range(1 + pick(6)):
        if data:
            data[pick(len(data))] = (0, 1, 127, 128, 255, pick(256))[pick(6)]
    if not pick(8):
        return bytes(data[: pick(len(data) + 1)])
    return bytes(data) + bytes(pick(4)) * (not pick(8))
