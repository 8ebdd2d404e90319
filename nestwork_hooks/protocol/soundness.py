"""The quick check that finds nothing wrong with the front matter of nearly every topic.

The modules that judge all others, and say what is wrong, are imported only if it fails.
"""

from __future__ import annotations

from nestwork_hooks.protocol import alike, line_reader

TYPE_CHECKING = False
if TYPE_CHECKING:
    from nestwork_hooks.protocol.line_reader import Head

# What YAML takes for no value at all.
NULLS = ("~", "null", "Null", "NULL")
# What a message writes where only the author can say it; it is no description.
PLACEHOLDER = "<what it holds; when to read it>"
_NOTHING = frozenset(("", PLACEHOLDER, *NULLS))


def is_plainly_sound(head: Head) -> bool:
    """Whether there is one description, in front matter that both readers provably read alike.

    False means nothing yet: the front matter has to be judged.
    """
    source = head.text[len(line_reader.OPENING) - 1 : max(head.end, 0)]
    return (
        source.count("\ndescription:") == 1
        and source.count("\nupdated:") <= 1
        and head.text[head.end : head.end + 5] in ("\n---\n", "\n---")
        and "<!--" not in source
        and "-->" not in source
        and alike.reads_alike(source)
        and head.fields["description"].strip() not in _NOTHING
    )
