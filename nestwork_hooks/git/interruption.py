"""End in order, whoever asks: what is half-done is taken back first."""

from __future__ import annotations

from nestwork_hooks.light import signal


class TerminatedAsInterrupted:
    """Inside of it SIGTERM and SIGHUP are a KeyboardInterrupt, so that nothing half-done is left.

    A signal that this process was started to ignore, as below nohup, stays ignored.
    """

    def __enter__(self) -> None:
        numbers = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
        default = [number for number in numbers if signal.getsignal(number) == signal.SIG_DFL]
        self._changed: list[int] = []
        try:
            for number in default:
                signal.signal(number, signal.default_int_handler)
                self._changed.append(number)
        except ValueError:
            pass  # Python lets no other thread than the main one do that.

    def __exit__(self, *_: object) -> None:
        for number in self._changed:
            signal.signal(number, signal.SIG_DFL)
