"""The nest's protocol: bytes and text in, values out; no git, no files, no terminal."""
