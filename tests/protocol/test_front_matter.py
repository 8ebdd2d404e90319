"""What is said of every kind of front matter, word for word."""

from __future__ import annotations

import pytest

from nestwork_hooks.protocol.finding import ERROR, WARNING
from nestwork_hooks.protocol.front_matter import judge
from nestwork_hooks.protocol.line_reader import Head

# head, line, message
MISSING = [
    (
        "",
        1,
        'the file is empty: start it with a line ---, a line description: "When to read this file", a line ---',
    ),
    (
        "# Hosts\n",
        1,
        'no YAML front matter at the first byte: start it with a line ---, a line description: "When to read this file", a line ---',
    ),
    (
        "\n---\ndescription: x\n---\n",
        1,
        "front matter has to start at the first byte: take away what stands before it",
    ),
    (
        "----\ndescription: x\n----\n",
        1,
        "more than three dashes open no front matter: open and close it with a line ---",
    ),
    (
        "version https://git-lfs.github.com/spec/v1\noid sha256:1\n",
        1,
        "this is a Git LFS pointer and not the text: keep memory out of LFS, or git lfs pull",
    ),
    (
        "---\n---\n\n# A\n",
        1,
        'no description in the front matter: add a line description: "When to read this file"',
    ),
    (
        "---\njust text\n---\n",
        1,
        'no description in the front matter: add a line description: "When to read this file"',
    ),
    (
        "---\nupdated: 2026-09-27\n---\n",
        1,
        'no description in the front matter: add a line description: "When to read this file"',
    ),
    ("---\ndescripton: When\n---\n", 2, "no description, but descripton: rename it to description"),
    (
        "---\nDescription: When\n---\n",
        2,
        "no description, but Description: rename it to description",
    ),
    (
        "---\nsummary: When\n---\n",
        1,
        'no description in the front matter: add a line description: "When to read this file"',
    ),
    (
        "---\nmetadata:\n  description: Ports\n---\n",
        3,
        "the description is not at the top level, where no tool looks for it: take the white space before it away",
    ),
    (
        "---\nid: 7\n---\n---\ndescription: x\n---\n",
        1,
        "only the first front matter counts, and it has no description: move the one of line 4 into it",
    ),
    (
        "---\nid: 7\n---\n\n\n---\ndescription: x\n---\n",
        1,
        "only the first front matter counts, and it has no description: move the one of line 6 into it",
    ),
    (
        "---\nmetadata:\n  kind: host\n---\n",
        1,
        'no description in the front matter: add a line description: "When to read this file"',
    ),
    (
        "---\ndescription:\n---\n",
        2,
        'the description is empty, so nothing leads here: write description: "When to read this file"',
    ),
    *(
        (
            f"---\ndescription: {blank}\n---\n",
            2,
            'the description is empty, so nothing leads here: write description: "When to read this file"',
        )
        for blank in ("''", '"  "', "' '", '"\xa0"', "'\u3000'")
    ),
    (
        '---\ndescription: ""\n---\n',
        2,
        'the description is empty, so nothing leads here: write description: "When to read this file"',
    ),
    (
        "---\ndescription: ~\n---\n",
        2,
        'the description is ~, YAML\'s word for nothing: write description: "When to read this file"',
    ),
    (
        "---\ndescription: NULL\n---\n",
        2,
        'the description is NULL, YAML\'s word for nothing: write description: "When to read this file"',
    ),
    (
        "---\nid: 7\n---\n\n\n---\nname: y\n---\n",
        1,
        'no description in the front matter: add a line description: "When to read this file"',
    ),
    (
        "---\n# only a comment\n---\n",
        1,
        'no description in the front matter: add a line description: "When to read this file"',
    ),
    (
        "\ufeff---\nname: x\n---\n",
        1,
        'no description in the front matter: add a line description: "When to read this file"',
    ),
]

BAD = [
    (
        "\ufeff---\ndescription: x y\n---\n",
        1,
        "a byte order mark hides the front matter from the index: save the file without it",
    ),
    (
        "--- \ndescription: x y\n---\n",
        1,
        "blanks after the opening --- hide the front matter from the index: take them away",
    ),
    (
        "---\ndescription: x\n",
        1,
        "the front matter that starts here never closes: end it with a line ---",
    ),
    ("---\n\n# H\n", 1, "the front matter that starts here never closes: end it with a line ---"),
    (
        "---\ndescription: x y\n----\n",
        3,
        "this line does not close the front matter for YAML: make it ---",
    ),
    (
        "---\ndescription: x y\n...\n",
        1,
        "the index sees no end of the front matter that starts here: close it with a line ---",
    ),
    (
        '---\n"description": Ports: a\n---\n',
        2,
        'no description for the index, and YAML cannot read this line ("description": Ports: a): mend it, and add a line description: "When to read this file"',
    ),
    (
        "---\n- description\n---\n",
        2,
        'the front matter is a list, not keys and values: write description: "When to read this file"',
    ),
    (
        "---\n\x00\n---\n",
        2,
        'no description for the index, and YAML cannot read this line (\\x00): mend it, and add a line description: "When to read this file"',
    ),
    (
        '---\nname: "x" tail\n---\n',
        2,
        'no description for the index, and YAML cannot read this line (name: "x" tail): mend it, and add a line description: "When to read this file"',
    ),
    (
        "---\ndescription:\n  Ports of machines\n---\n",
        2,
        'the description starts in the next line, which no index shows; in place of all its lines: write description: "Ports of machines"',
    ),
    (
        "---\ndescription:\n- a\n- b\n---\n",
        2,
        'the description starts below its key, which no index shows; in place of all its lines: write description: "a; b"',
    ),
    (
        "---\ndescription: >\n  Ports and\n  paths\n---\n",
        2,
        'the description is a block (>), of which an index shows only >; in place of all its lines: write description: "Ports and paths"',
    ),
    (
        "---\ndescription: |-\n  Ports\n---\n",
        2,
        'the description is a block (|), of which an index shows only |-; in place of all its lines: write description: "Ports"',
    ),
    (
        "---\ndescription: Ports and\n  paths\n---\n",
        2,
        'the description goes on in the next line, which no index shows; in place of all its lines: write description: "Ports and paths"',
    ),
    (
        "---\ndescription: Ports\n\n  more\n---\n",
        2,
        'the description goes on in the next line, which no index shows; in place of all its lines: write description: "Ports more"',
    ),
    (
        '---\ndescription: "Ports and\n  paths"\n---\n',
        2,
        'the description goes on in the next line, which no index shows; in place of all its lines: write description: "Ports and paths"',
    ),
    (
        '---\ndescription: "He said \\"no\\" once"\n---\n',
        2,
        'the description holds a quote (") inside its quotes, which no index shows right: write description: "He said \'no\' once"',
    ),
    (
        "---\ndescription: 'it''s here'\n---\n",
        2,
        "the description holds a quote (') inside its quotes, which no index shows right: write description: \"it's here\"",
    ),
    (
        '---\ndescription: Say "yes"\n---\n',
        2,
        'the description ends with a quote, which the index drops: write description: "Say yes"',
    ),
    (
        '---\ndescription: "Ports" and paths\n---\n',
        2,
        'the description starts with a quote (") and does not end with it: write description: "Ports and paths"',
    ),
    (
        "---\ndescription: \"'Ports' and 'paths'\"\n---\n",
        2,
        'the description has quotes just inside its quotes, which the index drops: write description: "Ports and paths"',
    ),
    (
        '---\ndescription: "open\n---\n',
        2,
        'the description starts with a quote (") and does not end with it: write description: "open"',
    ),
    (
        '---\ndescription: "C:\\tmp"\n---\n',
        2,
        'the description holds a backslash in double quotes, which the index does not resolve: write description: "C:/tmp"',
    ),
    (
        "---\ndescription: x <!-- y --> z\n---\n",
        2,
        'the description holds <!--, --> or a control character, which could forge an index: write description: "x y z"',
    ),
    *(
        (
            f"---\ndescription: x\nupdated: {quote}{blank}{quote}\n---\n",
            3,
            "the date holds <!--, --> or a control character, which could forge an index: put the whole value in double quotes on one line, no double quote or backslash inside",
        )
        for quote in "\"'"
        for blank in ("\t", " \x1f")
    ),
    (
        "---\ndescription: a\x1bb\n---\n",
        2,
        'the description holds <!--, --> or a control character, which could forge an index: write description: "a b"',
    ),
    (
        "---\ndescription: a\u2028b\n---\n",
        2,
        "the line of the description holds a character at which other readers end it (U+2028, say): type the line anew",
    ),
    (
        "---\ndescription: one\ndescription: two\n---\n",
        3,
        "description is given twice (lines 2 and 3): keep one of them",
    ),
    (
        "---\ndescription: x\nupdated: 1\nupdated: 2\n---\n",
        4,
        "updated is given twice (lines 3 and 4): keep one of them",
    ),
    (
        "---\ndescription: Ports\nupdated:\n  2026\n---\n",
        3,
        'the date starts in the next line, which no index shows; in place of all its lines: write updated: "2026"',
    ),
    (
        '---\ndescription: Ports\n"updated": 2026\n---\n',
        3,
        'only YAML sees the date, no index shows it: write updated: "2026"',
    ),
    (
        "---\n{description: Ports}\n---\n",
        2,
        'only YAML sees this description (its key has to start the line, without quotes): write description: "Ports"',
    ),
    (
        "---\n? description\n: Ports\n---\n",
        2,
        'only YAML sees this description (its key has to start the line, without quotes): write description: "Ports"',
    ),
    (
        "---\n&a [*a]\n---\n",
        2,
        'no description for the index, and YAML cannot read this line (&a [*a]): mend it, and add a line description: "When to read this file"',
    ),
    (
        '---\ndescription: "\'"\n---\n',
        2,
        "the description has quotes just inside its quotes, which the index drops: put the whole value in double quotes on one line, no double quote or backslash inside",
    ),
    (
        '---\ndescription: "\n  Ports"\n---\n',
        2,
        'the description goes on in the next line, which no index shows; in place of all its lines: write description: "Ports"',
    ),
    (
        "---\ndescription: x\ttab\n---\n",
        2,
        'the description holds <!--, --> or a control character, which could forge an index: write description: "x tab"',
    ),
    (
        "---\ndescription: | # c\n  x\n---\n",
        2,
        'the description is a block (|), of which an index shows only | # c; in place of all its lines: write description: "x"',
    ),
    (
        "---\ndescription: |2\n  x\n---\n",
        2,
        'the description is a block (|), of which an index shows only |2; in place of all its lines: write description: "x"',
    ),
    (
        "---\ndescription: " + "y" * 310 + '"\n---\n',
        2,
        "the description ends with a quote, which the index drops: put the whole value in double quotes on one line, no double quote or backslash inside",
    ),
    (
        "---\ndescription: x\n  : y\n---\n",
        2,
        'the description goes on in the next line, which no index shows; in place of all its lines: write description: "x"',
    ),
    (
        "---\n[a, b]\n---\ndescription: x\n---\n",
        2,
        'the front matter is a list, not keys and values: write description: "When to read this file"',
    ),
    (
        '---\ndescription: x\nupdated: "2026\n---\n',
        3,
        'the date starts with a quote (") and does not end with it: write updated: "2026"',
    ),
    (
        '---\nupdated: 2026\n"description": {a: b}\n---\n',
        3,
        "only YAML sees this description (its key has to start the line, without quotes): put the whole value in double quotes on one line, no double quote or backslash inside",
    ),
    (
        '---\ndescription: x\n"updated": [2026, "a"]\n---\n',
        3,
        'only YAML sees the date, no index shows it: write updated: "2026; a"',
    ),
]

BAD += [
    (
        '---\ndescription: Read once it was updated\n"updated": 2026-09-27\n---\n',
        3,
        'only YAML sees the date, no index shows it: write updated: "2026-09-27"',
    ),
    (
        '---\nname: what the description is for\n"description": Ports\n---\n',
        3,
        'only YAML sees this description (its key has to start the line, without quotes): write description: "Ports"',
    ),
    (
        "---\n{name: description,\n  description: Ports}\n---\n",
        3,
        'only YAML sees this description (its key has to start the line, without quotes): write description: "Ports"',
    ),
]

MISMATCH = [
    (
        "---\n'\ndescription: x\n'\n---\n",
        1,
        "YAML reads no keys in this front matter, so only the index sees it: write one key and value a line",
    ),
    (
        '---\n"a\ndescription: x\nb"\n---\n',
        1,
        "YAML reads no keys in this front matter, so only the index sees it: write one key and value a line",
    ),
    (
        "---\ndescription: >= 3 of it\n---\n",
        2,
        'YAML cannot read the description (it starts with >), so only the index sees it: write description: ">= 3 of it"',
    ),
    (
        "---\ndescription: Deploy: read before a release\n---\n",
        2,
        'YAML cannot read the description (a colon in a value without quotes), so only the index sees it: write description: "Deploy: read before a release"',
    ),
    (
        "---\ndescription: Fixes of PR #456 and after\n---\n",
        2,
        "YAML reads 'Fixes of PR' as the description, the index shows the whole line: write description: \"Fixes of PR #456 and after\"",
    ),
    (
        "---\ndescription: @team ports\n---\n",
        2,
        'YAML cannot read the description (it starts with @), so only the index sees it: write description: "@team ports"',
    ),
    (
        "---\ndescription: &ports of\n---\n",
        2,
        "YAML reads 'of' as the description, the index shows the whole line: write description: \"&ports of\"",
    ),
    (
        "---\ndescription: [a, b]\n---\n",
        2,
        'YAML reads a list as the description, the index shows the whole line: write description: "[a, b]"',
    ),
    (
        "---\ndescription: {a: b}\n---\n",
        2,
        'YAML reads a mapping as the description, the index shows the whole line: write description: "{a: b}"',
    ),
    (
        "---\ndescription: # todo\n---\n",
        2,
        'YAML reads nothing as the description, the index shows the whole line: write description: "# todo"',
    ),
    (
        "---\ndescription: !x y\n---\n",
        2,
        "YAML reads 'y' as the description, the index shows the whole line: write description: \"!x y\"",
    ),
    (
        "---\ndescription: *x\n---\n",
        2,
        'YAML cannot read the description (it starts with *), so only the index sees it: write description: "*x"',
    ),
    (
        '---\nname: "x" tail\ndescription: Ports\n---\n',
        2,
        'YAML cannot read this line (name: "x" tail), so only the index sees this front matter: write every line as key: "value"',
    ),
    (
        "---\n\tname: x\ndescription: Ports\n---\n",
        2,
        'YAML cannot read this line (\\x09name: x), so only the index sees this front matter: write every line as key: "value"',
    ),
    (
        "---\ndescription: Ports\nupdated: 2026-09-27 # reviewed\n---\n",
        3,
        "YAML reads '2026-09-27' as the date, the index shows the whole line: write updated: \"2026-09-27 # reviewed\"",
    ),
    (
        "---\ndescription: Ports\n--- x\nfoo\n---\n",
        3,
        'YAML cannot read this line (--- x), so only the index sees this front matter: write every line as key: "value"',
    ),
    (
        "---\n{{a}}: 1\ndescription: Ports\n---\n",
        2,
        'YAML cannot read this line ({{a}}: 1), so only the index sees this front matter: write every line as key: "value"',
    ),
    (
        "---\ndescription: &a [*a]\n---\n",
        2,
        'YAML cannot read the description (it starts with &), so only the index sees it: write description: "&a [*a]"',
    ),
    (
        "---\ndescription: >- text\n---\n",
        2,
        'YAML cannot read the description (it starts with >), so only the index sees it: write description: ">- text"',
    ),
    (
        "---\ndescription: x:\n---\n",
        2,
        'YAML cannot read the description (a colon in a value without quotes), so only the index sees it: write description: "x:"',
    ),
    (
        "---\nname: a\n...\ndescription: x\n---\n",
        3,
        "for YAML the front matter ends at this line, above what the index shows: take the line away",
    ),
    (
        '---\ndescription: x\n"description": y\n---\n',
        2,
        "YAML reads 'y' as the description, the index shows the whole line: write description: \"x\"",
    ),
    (
        "---\ndescription: {a\n---\n",
        2,
        'YAML cannot read the description (it starts with {, a list or mapping for YAML), so only the index sees it: write description: "{a"',
    ),
    (
        "---\ndescription: x\nk: " + "[" * 3000 + "\n---\n",
        3,
        'YAML cannot read this line (k: [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[...), so only the index sees this front matter: write every line as key: "value"',
    ),
    (
        "---\ndescription: x\n? [a]\n: b\n---\n",
        3,
        'YAML cannot read this line (? [a]), so only the index sees this front matter: write every line as key: "value"',
    ),
    (
        "---\ndescription: x\ntext\n---\n",
        3,
        'YAML cannot read this line (text), so only the index sees this front matter: write every line as key: "value"',
    ),
    (
        "---\ntext\ndescription: x\n---\n",
        3,
        'YAML cannot read this line (description: x), so only the index sees this front matter: write every line as key: "value"',
    ),
    (
        "---\ndescription: `x`\n---\n",
        2,
        'YAML cannot read the description (it starts with `), so only the index sees it: write description: "`x`"',
    ),
]

SOUND = [
    "---\ndescription: Ports and\n  # comment\n---\n",
    "---\ndescription: Ports\nupdated:\n---\n",
    "---\ndescription: Ports\nupdated: ~\n---\n",
    "---\ndescription: Hosts\ntags: [a, b]\n---\n",
    "---\ndescription: When to read\nupdated: 2026-09-27\n---\n",
    '---\ndescription: "Deploy: read first"\n---\n',
    "---\ndescription: 'read first'\n---\n",
    "---\ndescription: A host's quirks\n---\n",
    "---\ndescription: 机器：端口\n---\n",
    "---\ndescription: x\n---",
    "---\ndescription: x\n--- \n",
    "---\nname: a\ndescription: x\nmetadata:\n  tags: [a, b]\n---\n",
    "---\nDescription: y\ndescription: x\n---\n",
    '---\ndescription: "~"\n---\n',
]


def _table() -> list[tuple[str, str, str, int, str]]:
    kinds = (
        (MISSING, ERROR, "missing-description"),
        (BAD, ERROR, "bad-front-matter"),
        (MISMATCH, WARNING, "yaml-mismatch"),
    )
    return [
        (head, level, rule, line, message)
        for table, level, rule in kinds
        for head, line, message in table
    ]


@pytest.mark.parametrize(("head", "level", "rule", "line", "message"), _table())
def test_fault(head: str, level: str, rule: str, line: int, message: str) -> None:
    fault = judge(Head(head))
    assert fault
    assert (fault.level, fault.rule, fault.line, fault.message) == (level, rule, line, message)


@pytest.mark.parametrize("head", SOUND)
def test_sound(head: str) -> None:
    assert judge(Head(head)) is None


@pytest.mark.parametrize(
    "head", [head for head, _, message in BAD + MISMATCH if ': write description: "' in message]
)
def test_the_line_to_paste_mends_the_fault(head: str) -> None:
    fault = judge(Head(head))
    assert fault
    pasted = fault.message.partition(": write ")[2]
    assert judge(Head(f"---\n{pasted}\n---\n")) is None
