"""Is there nothing to judge in a topic's front matter? So it is in nearly every topic.

Whatever judges the rest, and says what is wrong, is loaded only where this says no.
"""

from __future__ import annotations

from nestwork_hooks.protocol import line_reader, yaml_reader

TYPE_CHECKING = False
if TYPE_CHECKING:
    from nestwork_hooks.protocol.line_reader import Head

# What YAML takes for no value at all.
NULLS = ("~", "null", "Null", "NULL")


def is_plainly_sound(head: Head) -> bool:
    """Whether there is nothing to judge: one description, and a source that reads alike for all.

    True for nearly every topic, and quick; where it is False, nothing is said yet.
    """
    source = head.text[len(line_reader.OPENING) - 1 : max(head.end, 0)]
    return (
        source.count("\ndescription:") == 1
        and source.count("\nupdated:") <= 1
        and head.text[head.end : head.end + 5] in ("\n---\n", "\n---")
        and "<!--" not in source
        and "-->" not in source
        and yaml_reader.reads_alike(source)
        and head.fields["description"].strip() not in ("", *NULLS)
    )
