"""What dataclasses and some pieces of the standard library do, without what loading them costs.

Loading `dataclasses`, `typing`, `functools`, `contextlib`, `types` or `signal` takes as long as a git
process. So values are plain classes, as are those with `__slots__`, and for the same reason
`TYPE_CHECKING` is a constant of each module: type checkers know it by its name, and see the originals.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    import signal
    from contextlib import closing
    from functools import cached_property
    from types import MappingProxyType

    from typing_extensions import Self, dataclass_transform
else:
    try:
        # What `signal` wraps in enumerations.
        import _signal as signal
    except ImportError:
        import signal

    MappingProxyType = type(type.__dict__)

    class cached_property:  # noqa: N801
        """A property that is computed once; the attribute of its name then holds the value."""

        def __init__(self, make):
            self._make = make
            self.__doc__ = make.__doc__

        def __set_name__(self, _, name):
            self._name = name

        def __get__(self, instance, _=None):
            if instance is None:
                return self
            value = instance.__dict__[self._name] = self._make(instance)
            return value

    class closing:  # noqa: N801
        """`with` this, a thing is closed at the end."""

        def __init__(self, thing):
            self._thing = thing

        def __enter__(self):
            return self._thing

        def __exit__(self, *_):
            self._thing.close()

    def dataclass_transform(**_):
        """Tell type checkers alone how instances are made."""
        return lambda cls: cls


__all__ = ["Frozen", "MappingProxyType", "cached_property", "closing", "signal"]


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
