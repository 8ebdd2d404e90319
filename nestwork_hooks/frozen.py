"""Values that stay as they were made.

Loading `dataclasses` or `typing` takes longer than a git process, so these are plain classes, as
are those with `__slots__`. For the same reason `TYPE_CHECKING` is a constant of each module: type
checkers know it by its name.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing_extensions import Self


class Frozen:
    """A value with one attribute for each name that its class annotates, never changed."""

    def __init__(self, **values: object) -> None:
        assert values.keys() == type(self).__annotations__.keys()
        self.__dict__.update(values)

    def replace(self, **values: object) -> Self:
        """The same value with others in these places."""
        return type(self)(**self.__dict__ | values)

    def __setattr__(self, name: str, _: object) -> None:
        raise AttributeError(f"{type(self).__name__}.{name} is set once")
