"""The passphrase of a vault: from a file, from the environment, or asked for; never an option, which others can see."""

from __future__ import annotations

import os
from pathlib import Path

import typer

from innominate.core import UsageError
from innominate.run.sealing import VaultFile

VARIABLE = "INNOMINATE_PASSPHRASE"


def vault_file(path: Path | None, passphrase_file: Path | None) -> VaultFile | None:
    """The vault that a run writes into, opened once to see whether the passphrase fits; None without --vault."""
    if path is None:
        if passphrase_file:
            raise UsageError("--passphrase-file is for a vault; name one with --vault FILE")
        return None
    vault = VaultFile(path, passphrase(path, passphrase_file))
    vault.check()
    return vault


def passphrase(vault: Path, file: Path | None) -> str:
    """Get the passphrase; a new one is asked for twice."""
    if file:
        try:
            return file.read_text(encoding="utf-8").strip("\r\n")
        except (OSError, UnicodeDecodeError) as error:
            raise UsageError(
                f"cannot read the passphrase from {file}: {getattr(error, 'strerror', None) or 'not UTF-8'}"
            ) from None
    given = os.environ.get(VARIABLE)
    if given:
        return given
    new = not vault.exists()
    asked: str = typer.prompt(
        f"Passphrase of {'the new ' if new else ''}vault {vault}", hide_input=True, confirmation_prompt=new, err=True
    )
    return asked
