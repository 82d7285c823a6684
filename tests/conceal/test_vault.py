import os
import stat

import pytest
from conceal_cases import KEY

from innominate.conceal import conceal
from innominate.conceal.strategies.pseudo import Pseudo
from innominate.conceal.strategies.remove import Remove
from innominate.conceal.vault import Vault, VaultError, entries_of, restore
from innominate.core import annotated

WORDS = "correct horse battery"
NOTE = annotated("[Eva Holm](PATIENT) slept on [3/18/2022](DATE). Fine.", "n1")


@pytest.fixture
def vault(tmp_path):
    return Vault.create(tmp_path / "project.vault", WORDS)


@pytest.mark.parametrize("strategy", [Pseudo(KEY, lang="en"), Remove("en")])
def test_what_was_concealed_can_be_restored_from_the_vault(vault, strategy):
    concealed = conceal(NOTE, strategy)
    vault.add("n1", entries_of(NOTE, concealed))
    vault.commit()
    found = Vault.open(vault.path, WORDS).reidentify(["n1"], reason="incidental finding", who="A. B.", when="2026-01-01")
    assert restore(concealed.document, found["n1"].entries).text == NOTE.text


def test_no_original_stands_in_the_file(vault):
    vault.add("n1", entries_of(NOTE, conceal(NOTE, Pseudo(KEY, lang="en"))))
    vault.commit()
    assert len(vault.path.read_text().splitlines()) == 3
    assert b"Eva" not in vault.path.read_bytes()
    assert stat.S_IMODE(os.stat(vault.path).st_mode) == 0o600


def test_a_wrong_passphrase_opens_nothing(vault):
    with pytest.raises(VaultError, match="passphrase is wrong"):
        Vault.open(vault.path, "another passphrase")


def test_without_a_reason_nothing_is_shown_and_with_one_it_is_recorded(vault):
    vault.add("n1", [])
    with pytest.raises(VaultError, match="reason"):
        vault.reidentify(["n1"], reason=" ", who="A. B.", when="2026-01-01")
    vault.reidentify(["n1"], reason="incidental finding", who="A. B.", when="2026-01-01")
    (access,) = Vault.open(vault.path, WORDS).accesses()
    assert (access["reason"], access["who"], access["documents"]) == ("incidental finding", "A. B.", ["n1"])


def test_an_unknown_document_is_an_error(vault):
    with pytest.raises(VaultError, match="'n9'"):
        vault.reidentify(["n9"], reason="incidental finding", who="A. B.", when="2026-01-01")


def test_a_record_that_was_taken_out_is_noticed(vault):
    vault.add("n1", [])
    vault.add("n2", [])
    vault.commit()
    lines = vault.path.read_text().splitlines()
    vault.path.write_text("\n".join([*lines[:2], *lines[3:]]) + "\n")
    with pytest.raises(VaultError, match="was changed, moved or cut"):
        Vault.open(vault.path, WORDS)


def test_a_vault_goes_on_from_a_commit_and_after_a_torn_line(vault):
    vault.add("n1", [])
    size = vault.commit()
    vault.add("n2", [])
    vault.commit()
    with vault.path.open("a") as file:
        file.write("torn by a cra")
    assert Vault.open(vault.path, WORDS)._count == 3
    resumed = Vault.open(vault.path, WORDS, resume_at=size)
    resumed.add("n3", [])
    resumed.commit()
    again = Vault.open(vault.path, WORDS)
    assert again.reidentify(["n1", "n3"], reason="incidental finding", who="A. B.", when="2026-01-01").keys() == {"n1", "n3"}
    with pytest.raises(VaultError, match="'n2'"):
        again.reidentify(["n2"], reason="incidental finding", who="A. B.", when="2026-01-01")


def test_a_text_that_is_not_the_one_concealed_is_not_restored():
    concealed = conceal(NOTE, Pseudo(KEY, lang="en"))
    with pytest.raises(VaultError, match="differs"):
        restore(NOTE, entries_of(NOTE, concealed))


def test_a_vault_is_never_overwritten_and_a_short_passphrase_refused(vault, tmp_path):
    with pytest.raises(VaultError, match="cannot make"):
        Vault.create(vault.path, WORDS)
    with pytest.raises(VaultError, match="8 characters"):
        Vault.create(tmp_path / "other.vault", "short")
