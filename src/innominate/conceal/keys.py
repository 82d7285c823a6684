"""The project key: everything that pseudonyms depend on, and the only secret of a run.

HMAC-SHA256 of the key and a patient is the secret of the patient. From that, keyed BLAKE2b (RFC 7693) gives a number for every
context (what for, which original), with which surrogates are drawn. Without the key nobody can recompute them from a guessed
original, as one could with a plain hash; with the key no table of originals is needed.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import secrets
import stat
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import Path

from innominate.core import UsageError

HEADER = (
    "# innominate key, version 1. Secret: whoever has it can link surrogates to originals. Do not share it with the texts."
)
_BYTES = 32
_DIFFERENT = 12  # values among the bytes of a key; fewer come about by chance once in 10^25 keys
_SPLIT = 1 << 256
_PRECISION = 42  # bits of a draw: six from a digest, and finer than any share
_DRAWS = 256 // _PRECISION
_LOW = (1 << _PRECISION) - 1
_STEP = 1 / (_LOW + 1)
_END = "\x1f"
_number = int.from_bytes


class Draws:
    """Numbers from 0 up to 1, taken from a digest, and from SHA-256 of it when those are spent.

    Most surrogates need two or three numbers. Making a `random.Random` takes longer than drawing them: it has the 2.5 kB of a
    Mersenne twister, even if nothing seeds it.

    >>> Draws(12345).random() == Draws(12345).random() != Draws(54321).random()
    True
    """

    __slots__ = ("_block", "_digest", "_left", "_rest")

    def __init__(self, digest: int) -> None:
        self._digest = self._rest = digest
        self._left = _DRAWS
        self._block = 0

    def random(self) -> float:
        """A number from 0 up to 1."""
        if not self._left:
            self._block += 1
            message = self._digest.to_bytes(_BYTES, "big") + self._block.to_bytes(8, "big")
            self._rest, self._left = int.from_bytes(hashlib.sha256(message).digest(), "big"), _DRAWS
        rest = self._rest
        self._rest = rest >> _PRECISION
        self._left -= 1
        return (rest & _LOW) * _STEP


@dataclass(frozen=True, slots=True)
class Key:
    """32 secret bytes. They are not shown by `repr`, so they cannot reach a log.

    >>> key = Key(bytes(32))
    >>> key.number(10, "names", "p1") == key.number(10, "names", "p1")
    True
    >>> key
    Key()
    """

    secret: bytes = field(repr=False)

    def __post_init__(self) -> None:
        if len(self.secret) != _BYTES:
            raise UsageError(f"a key has {_BYTES} bytes, not {len(self.secret)}")

    def digest(self, *context: str) -> int:
        """The HMAC of a context, as a number below 2^256. Parts are written with their lengths, so none runs into the next."""
        message = "".join(f"{len(part)}:{part}" for part in context)
        return int.from_bytes(hmac.digest(self.secret, message.encode("utf-8", "surrogatepass"), "sha256"), "big")

    def secret_of(self, name: str) -> blake2b:
        """The secret of a patient or a document, which its surrogates are drawn with, as the key of a hash; see `expanded`."""
        return blake2b(digest_size=_BYTES, key=self.digest("scope", name).to_bytes(_BYTES, "big"))

    def number(self, n: int, *context: str) -> int:
        """A number from 0 to n - 1."""
        return self.digest(*context) * n // _SPLIT

    def fingerprint(self) -> str:
        """A mark that tells two keys apart in a run record and says nothing about them."""
        return f"{self.digest('fingerprint') >> 208:012x}"


def expand_secret(secret: blake2b, context: tuple[str, ...]) -> int:
    """A number below 2^256 for a keyed hash and a context: a third of the time of HMAC, and there are twenty in a note.

    >>> secret = Key(bytes(32)).secret_of("patient:7")
    >>> expand_secret(secret, ("ab", "c")) != expand_secret(secret, ("a", "bc"))
    True
    """
    message = _END.join(context)
    if message.count(_END) >= len(context):  # a part holds the mark that ends parts
        message = "".join([f"{len(part)}:{part}" for part in context])
    hashed = secret.copy()
    hashed.update(message.encode("utf-8", "surrogatepass"))
    return _number(hashed.digest(), "big")


def new_key(path: Path) -> Key:
    """Make a key and write it to a file that only its owner can read; an existing file is never replaced."""
    key = Key(secrets.token_bytes(_BYTES))
    content = f"{HEADER}\n{key.secret.hex()}\n"
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        raise UsageError(
            f"{path} is there already; a key is never overwritten, because its surrogates could not be made again"
        ) from None
    except OSError as error:
        raise UsageError(f"cannot write a key to {path}: {error.strerror}") from None
    with os.fdopen(handle, "w", encoding="ascii") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    return key


def read_key(path: Path) -> Key:
    """Read a key; what is wrong with the file is said without showing any of it."""
    try:
        is_shared = bool(path.stat().st_mode & stat.S_IWOTH)
        content = path.read_text(encoding="ascii")
    except FileNotFoundError:
        raise UsageError(f"there is no key file {path}; make one with: innominate keys new {path}") from None
    except UnicodeDecodeError:
        raise UsageError(f"{path} is not a key file") from None
    except OSError as error:
        raise UsageError(f"cannot read the key file {path}: {error.strerror}") from None
    if is_shared:
        raise UsageError(f"everybody can write to the key file {path}, so nobody knows whose key it is: chmod 600 {path}")
    header, *lines = content.splitlines() or [""]
    if header.strip() != HEADER:
        raise UsageError(f"{path} is not a key file: its first line is not that of an innominate key, version 1")
    values = [line.strip() for line in lines if line.strip() and not line.startswith("#")]
    if len(values) != 1:
        raise UsageError(f"{path} is not a key file: it holds {len(values)} keys instead of one")
    try:
        secret = bytes.fromhex(values[0])
    except ValueError:
        raise UsageError(f"{path}: the key is not written in hexadecimal digits") from None
    if len(secret) != _BYTES:
        raise UsageError(f"{path}: the key has {len(secret)} bytes instead of {_BYTES}")
    if len(set(secret)) < _DIFFERENT:
        raise UsageError(f"{path}: this key was not drawn by chance and can be guessed; make one with: innominate keys new")
    return Key(secret)
