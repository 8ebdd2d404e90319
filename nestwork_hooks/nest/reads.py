"""What a checker can read: bits, of which a checker declares a sum."""

from __future__ import annotations

# Of topics in scopes with an index, those that are judged: their names,
# sizes, front matter, whole text, and their version before the commit.
NAMES, SIZES, HEADS, BODIES, BEFORE = 1, 2, 4, 8, 16
TOPICS = NAMES | SIZES | HEADS | BODIES | BEFORE
# Whole scopes with their indexes, resident files, and every Markdown file that is judged.
INDEXES, RESIDENT, MARKDOWN = 32, 64, 128
# The attributes of every listed file.
ATTRIBUTES = 256
# The names of all topics in the scope of a judged one, each memory.md that is judged itself, and
# the merge conflicts in the text of every memory file that is judged.
SIBLINGS, MEMORIES, CONFLICTS = 512, 1024, 2048
