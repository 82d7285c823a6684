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
        """Find out now whether the passphrase opens it; one that is not there is made by `open`."""
        if self.path.exists():
            Vault.open(self.path, self.passphrase)

    def open(self, *, resume_at: int | None = None) -> Vault:
        """Open it for writing; a resumed run goes on where its journal says that the vault was complete."""
        if self.path.exists():
            return Vault.open(self.path, self.passphrase, resume_at=resume_at)
        return Vault.create(self.path, self.passphrase)
