"""Why something could not be read, in words that never quote it."""

from __future__ import annotations

from collections.abc import Sequence

from innominate.core.errors import FormatError, InnominateError


def reason_of(error: BaseException) -> str:
    """Say why something failed without quoting anything: messages of other libraries might hold the text of a note.

    >>> reason_of(ValueError("Eva slept")), reason_of(FormatError("no text", source="a", line=3))
    ('could not be read (ValueError)', 'no text')
    """
    if isinstance(error, FormatError):
        return error.reason
    if isinstance(error, InnominateError):
        return str(error)
    if isinstance(error, OSError) and error.strerror:
        return f"could not be read ({error.strerror})"
    return f"could not be read ({type(error).__name__})"


def tell_columns(names: Sequence[str]) -> str:
    """How many columns a table has; never their names, which are a record where the header was forgotten.

    >>> tell_columns(["4711", "Eva Holm"])
    'the table has 2 columns (their names are not shown: without a header they would be a record)'
    """
    return f"the table has {len(names)} columns (their names are not shown: without a header they would be a record)"
