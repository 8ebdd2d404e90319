"""End in order, whoever asks: what is half-done is taken back first."""

from __future__ import annotations

import signal
from contextlib import contextmanager

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator


@contextmanager
def terminated_as_interrupted() -> Iterator[None]:
    """Turn SIGTERM and SIGHUP into KeyboardInterrupt, so that temporary files are removed.

    A signal that this process was started to ignore, as below nohup, stays ignored.
    """
    numbers = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
    default = [number for number in numbers if signal.getsignal(number) == signal.SIG_DFL]
    try:
        for number in default:
            signal.signal(number, signal.default_int_handler)
    except ValueError:
        default = []  # Python lets no other thread than the main one do that.
    try:
        yield
    finally:
        for number in default:
            signal.signal(number, signal.SIG_DFL)
