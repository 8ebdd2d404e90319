"""Values that stay as they were made.

Loading `dataclasses` or `typing` takes longer than a git process, so these are plain classes, as
are those with `__slots__`. For the same reason `TYPE_CHECKING` is a constant of each module: type
checkers know it by its name.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing_extensions import Self, dataclass_transform
else:

    def dataclass_transform(**_):
        """Tell type checkers alone how instances are made."""
        return lambda cls: cls


@dataclass_transform(frozen_default=True)
class Frozen:
    """A value with one attribute for each name that its class annotates, never changed.

    It is made as a dataclass is: values by place or by name, and a class attribute is a default.
    """

    def __init__(self, *placed: object, **values: object) -> None:
        names = type(self).__annotations__
        if placed:
            values.update(zip(names, placed, strict=False))
        assert values.keys() <= names.keys()
        assert len(values) == len(names) or all(
            name in values or hasattr(type(self), name) for name in names
        )
        self.__dict__.update(values)

    def replace(self, **values: object) -> Self:
        """The same value with others in these places."""
        return type(self)(**self.__dict__ | values)

    def __setattr__(self, name: str, _: object) -> None:
        raise AttributeError(f"{type(self).__name__}.{name} is set once")
