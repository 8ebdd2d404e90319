"""What a checker can read: bits, of which a checker declares a sum."""

from __future__ import annotations

# Of topics in scopes with an index, those that are judged: their names, sizes,
# front matter, whole text, their version before the commit, and a distillation's lines in them.
NAMES, SIZES, HEADS, BODIES, BEFORE, BLOCKS = 1, 2, 4, 8, 16, 1024
READ = SIZES | HEADS | BODIES | BLOCKS
TOPICS = NAMES | READ | BEFORE
# Whole scopes with their indexes, resident files, and every Markdown file that is judged.
INDEXES, RESIDENT, MARKDOWN = 32, 64, 128
# The attributes of every listed file; how what git-crypt is to encrypt begins.
ATTRIBUTES, STORED = 256, 8192
# What is not where, or not what, it should be; the instructions of the nest's root.
PLACES, GUIDES = 512, 2048
# The memory.md of each scope that is touched, without its topics.
MEMORIES = 4096
# The names of all topics in the scope of a judged one, each memory.md that is judged itself, and
# the merge conflicts in the text of every memory file that is judged.
SIBLINGS, WRITTEN, CONFLICTS = 16384, 32768, 65536
# All topics in the scope of a judged one, with the lines of their texts where one is new; how many
# lines each judged Markdown file has, and the nest's own limits.
BESIDE, LINES = 1 << 20, 1 << 21
