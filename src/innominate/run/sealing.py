"""The vault of a run: where it lies, and the passphrase, which is asked for before the first note is read."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from innominate.conceal.vault import Vault


@dataclass(frozen=True, slots=True)
class VaultFile:
    """A vault that a run will write into. One that is there already is added to."""

    path: Path
    passphrase: str = field(repr=False)

    def check(self) -> None:
        """Find out now whether the passphrase opens it and nobody else writes; one that is not there is made by `open`."""
        if self.path.exists():
            Vault.open(self.path, self.passphrase).close()

    def open(self, *, at_least: int = 0) -> Vault:
        """Open it for writing; that of a resumed run has at least the records that its journal tells of."""
        if self.path.exists() or at_least:
            return Vault.open(self.path, self.passphrase, at_least=at_least)
        return Vault.create(self.path, self.passphrase)
