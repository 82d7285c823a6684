"""The exception tree.

Messages are written for the person at the terminal (what happened, where, what to do) and never hold the text of a note: they
may quote ids, labels, offsets, file names and line numbers only. A message from another library is never passed on,
because it might quote the text; `ProcessingError` names its type instead.
"""


class InnominateError(Exception):
    """Anything that Innominate raises on purpose. Its message is safe to show and to log."""


class UsageError(InnominateError):
    """The command or the call is wrong: an unknown name, a missing file, options that do not fit together."""


class SpanError(InnominateError):
    """A span that is empty, backwards, or outside its text."""


class LabelError(InnominateError):
    """A label, taxonomy or mapping that does not exist or does not fit."""


class MarkupError(InnominateError):
    """Broken `[text](LABEL)` markup."""


class FormatError(InnominateError):
    """Input that is not what its format says. Carries the file and the line."""

    def __init__(self, reason: str, *, source: str = "", line: int | None = None) -> None:
        where = f"{source}:{line}: " if source and line else f"{source}: " if source else ""
        super().__init__(where + reason)
        self.reason, self.source, self.line = reason, source, line


class PluginError(InnominateError):
    """A plugin that cannot be found, loaded or ordered."""


class ProcessingError(InnominateError):
    """One step failed on one note; the note is withheld."""

    def __init__(self, step: str, cause: BaseException) -> None:
        reason = str(cause) if isinstance(cause, InnominateError) else type(cause).__name__
        super().__init__(f"{step}: {reason}")
        self.step, self.reason = step, reason
