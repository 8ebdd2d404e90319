"""All faults of one front matter in one go, and the edits that mend them together."""

from __future__ import annotations

import pytest

from nestwork_hooks.protocol.finding import FILE, Replace
from nestwork_hooks.protocol.line_reader import Head
from nestwork_hooks.protocol.mending import mendings
from tests import laws

# head; line, rule, message and edit of each fault
FAULTS: list[tuple[str, list[tuple[int, str, str, tuple[int, int, str] | None]]]] = [
    (
        "---\ndescription: a\n  b\nname: @c\n---\n",
        [
            (
                2,
                "bad-front-matter",
                'the description goes on to line 3, and the index reads only line 2: in place of lines 2 to 3 write description: "a b"',
                (2, 3, 'description: "a b"\n'),
            ),
            (
                4,
                "yaml-mismatch",
                'YAML cannot read this line (name: @c), so only the index sees the front matter: write name: "@c"',
                (4, 4, 'name: "@c"\n'),
            ),
        ],
    ),
    (
        '---\ndescription: a\n  b\nname: @c\nupdated: "1" # x\n---\n',
        [
            (
                2,
                "bad-front-matter",
                'the description goes on to line 3, and the index reads only line 2: in place of lines 2 to 3 write description: "a b"; and on line 5: the date starts with a quote (") and does not end with it: put # x on a line of its own and write updated: "1"',
                (2, 5, 'description: "a b"\nname: "@c"\nupdated: "1"\n# x\n'),
            ),
            (
                4,
                "yaml-mismatch",
                'YAML cannot read this line (name: @c), so only the index sees the front matter: write name: "@c"',
                None,
            ),
        ],
    ),
    (
        "\ufeff---\ndescription: b\n  c\nupdated: 1\n----\n",
        [
            (
                5,
                "bad-front-matter",
                "this line does not close the front matter for YAML: make it ---; and on line 1: a byte order mark hides the front matter from the index: take it off (perl -pi -e 's/^\\xEF\\xBB\\xBF// if $. == 1' FILE); and on line 2: the description goes on to line 3, and the index reads only line 2: in place of lines 2 to 3 write description: \"b c\"",
                (1, 5, '---\ndescription: "b c"\nupdated: 1\n---\n'),
            )
        ],
    ),
    (
        "--- \ndescripton: a: b\nupdated: 2026-10-04\n...\n",
        [
            (
                2,
                "bad-front-matter",
                'no description for the index, and YAML cannot read this line (descripton: a: b): write description: "a: b"; and on line 1: blanks after the opening --- hide the front matter from the index: make line 1 --- without them; and on line 1: the index sees no end of the front matter that starts here: make line 4 ---',
                (1, 4, '---\ndescription: "a: b"\nupdated: 2026-10-04\n---\n'),
            )
        ],
    ),
    (
        "\n---\ndescription: a\n  b\n---\n",
        [
            (
                1,
                "missing-description",
                "front matter stands on line 2, and readers look for it on line 1 alone: delete line 1",
                (1, 2, "---\n"),
            ),
            (
                3,
                "bad-front-matter",
                'the description goes on to line 4, and the index reads only line 3: in place of lines 3 to 4 write description: "a b"',
                (3, 4, 'description: "a b"\n'),
            ),
        ],
    ),
    (
        "---\ndescription: a: b\nn: @a\nm: *b\n\n# T",
        [
            (
                1,
                "bad-front-matter",
                "the front matter that starts here never closes: insert a line --- below line 4",
                (5, 4, "---\n"),
            ),
            (
                2,
                "yaml-mismatch",
                'YAML cannot read the description (a colon in a value without quotes), so only the index sees it: write description: "a: b"; and on line 3: YAML cannot read this line (n: @a), so only the index sees the front matter: write n: "@a"; and on line 4: YAML cannot read this line (m: *b), so only the index sees the front matter: write m: "*b"',
                (2, 4, 'description: "a: b"\nn: "@a"\nm: "*b"\n'),
            ),
        ],
    ),
    (
        "---\ndescription: a\n  b\nupdated: 1\nupdated: 2\n---\n",
        [
            (
                2,
                "bad-front-matter",
                "the description goes on to line 3, and the index reads only line 2: in place of lines 2 to 3 write description: \"a b\"; and on line 5: updated is given twice, '1' on line 4 and '2' on line 5: keep the right one and delete the other; the index shows line 5",
                None,
            )
        ],
    ),
    (
        "---\ndescription: a\n  b\nn: [a\n---\n",
        [
            (
                2,
                "bad-front-matter",
                'the description goes on to line 3, and the index reads only line 2: in place of lines 2 to 3 write description: "a b"',
                (2, 3, 'description: "a b"\n'),
            ),
            (
                4,
                "yaml-mismatch",
                'YAML cannot read this line (n: [a), so only the index sees the front matter: make it a key and a value for YAML, a text as key: "text"',
                None,
            ),
        ],
    ),
    (
        "# T\n\n---\ndescription: a\n  b\n---\nText\n",
        [
            (
                1,
                "missing-description",
                "front matter stands on lines 3 to 6, and readers look for it on line 1 alone: move these lines to the top of the file",
                (1, 6, '---\ndescription: "a b"\n---\n# T\n\n'),
            )
        ],
    ),
    (
        "---\nmetadata:\n  description: a\nupdated: '2026' # x\n---\n",
        [
            (
                3,
                "missing-description",
                'no description at the top level, only this one in metadata: leave that, and below line 1 write description: "a"',
                (2, 4, 'description: "a"\nmetadata:\n  description: a\nupdated: "2026"\n# x\n'),
            )
        ],
    ),
    (
        "---\n  description: a\n  name: b\n---\n",
        [
            (
                2,
                "bad-front-matter",
                'only YAML sees this description (its key has to start the line, without quotes), no index shows it: on a line of its own write description: "a"',
                None,
            )
        ],
    ),
    (
        # The edit of a fault that is not told makes it worse.
        "----\n(\n...\ndescription:!\n----",
        [
            (
                1,
                "missing-description",
                "more than three dashes open no front matter: make lines 1 and 5 ---",
                None,
            )
        ],
    ),
]


@pytest.mark.parametrize(("head", "expected"), FAULTS)
def test_faults(head: str, expected: list[tuple[object, ...]]) -> None:
    faults = mendings(Head(head))
    assert [
        (
            fault.line,
            fault.rule,
            fault.message.replace(FILE, "FILE"),
            (fault.fix.first, fault.fix.last, fault.fix.text)
            if isinstance(fault.fix, Replace)
            else None,
        )
        for fault in faults
    ] == expected
    if all(fault.fix for fault in faults):
        laws.edits_mend(head, faults)


@pytest.mark.parametrize(("newline", "text"), [("\n", "a\n"), ("\r\n", "a\r\n"), ("", None)])
def test_an_edit_has_the_line_ending_of_the_file(newline: str, text: str | None) -> None:
    (fault,) = mendings(Head("---\ndescription: >\n  a\n---\n", newline))
    assert isinstance(fault.fix, Replace) == (text is not None)
    if isinstance(fault.fix, Replace):
        assert fault.fix.text == f'description: "a"{newline}'
