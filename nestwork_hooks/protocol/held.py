"""The line that holds a text, so that both readers read exactly that text; or none.

Where quotes of both kinds stand in each other's way, typographic ones hold them for the eye.
"""

from __future__ import annotations

from nestwork_hooks.protocol import alike, line_reader, yaml_reader
from nestwork_hooks.protocol.text import could_forge

# Behind these, and behind white space, a quote opens a quotation.
OPENING_AFTER = "([{<-/\u2013\u2014"


def held(key: str, text: str) -> str:
    """The line `key: TEXT` that both readers read as `text`, quoted as need be; `""` for none."""
    if not text.strip() or text != text.strip(" ") or could_forge(text):
        return ""
    forms = (f'"{text}"', f"'{text}'", text)
    return next((f"{key}: {form}" for form in forms if _holds(key, form, text)), "")


def held_for_the_eye(key: str, text: str) -> str:
    """The line that holds `text` with some quotes made typographic; `""` for none."""
    if "\\" in text:
        return held(key, text.replace("'", "\u2019"))
    text = _curved(text)
    if text.startswith("'") or text.endswith("'"):
        text = _curved(text, "'", "\u2018\u2019")
    return held(key, text)


def _holds(key: str, form: str, text: str) -> bool:
    line = f"{key}: {form}"
    if line.splitlines() != [line] or line_reader.read_fields(f"---\n{line}", 4 + len(line)) != {
        key: text
    }:
        return False
    if form == text and (text[0] in "\"'" or text[-1] in "\"'"):
        return False
    if alike.reads_alike(line):
        return True
    try:
        return yaml_reader.read_yaml(line) == {key: text}
    except yaml_reader.YamlFault:
        return False


def _curved(text: str, sign: str = '"', curved: str = "\u201c\u201d") -> str:
    """`text` with typographic quotes, and with double primes behind digits that open nothing."""
    signs, opened = [], False
    for at, char in enumerate(text):
        before, after = text[at - 1 : at] if at else "", text[at + 1 : at + 2]
        if char != sign or (sign == "'" and before.isalnum() and after.isalnum()):
            signs.append(char)
        elif sign == '"' and before.isdigit() and not opened:
            signs.append("\u2033")
        elif not before or before.isspace() or before in OPENING_AFTER:
            opened = sign == '"' or text.find(sign, at + 1) > 0
            signs.append(curved[not opened])
        else:
            opened = False
            signs.append(curved[1])
    return "".join(signs)
