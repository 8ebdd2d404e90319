"""Pieces of the standard library, without what loading it costs.

`functools`, `contextlib` and `types` take longer to load together than a git process. Type checkers
see the originals.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from contextlib import closing
    from functools import cached_property
    from types import MappingProxyType
else:
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


__all__ = ["MappingProxyType", "cached_property", "closing"]
