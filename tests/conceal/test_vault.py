import os
import stat

import pytest
from conceal_cases import KEY

from innominate.conceal import conceal
from innominate.conceal.sealed_file import VaultError
from innominate.conceal.strategies.pseudo import Pseudo
from innominate.conceal.strategies.remove import Remove
from innominate.conceal.vault import Vault, entries_of, restore
from innominate.core import annotated

WORDS = "correct horse battery"
NOTE = annotated("[Eva Holm](PATIENT) slept on [3/18/2022](DATE). Fine.", "n1")


ASKED = {"reason": "incidental finding", "who": "A. B.", "when": "2026-01-01"}
BLOCK = 512


@pytest.fixture
def vault(tmp_path):
    with Vault.create(tmp_path / "project.vault", WORDS) as vault:
        yield vault


def fill(vault, *ids):
    """Add documents, each with a commit of its own, and let go of the vault."""
    for id in ids:
        vault.add(id, [])
        vault.commit()
    vault.close()
    return vault.path


def read(path):
    """All records, checked, without the lock."""
    with Vault.open(path, WORDS, writing=False) as vault:
        return list(vault._file.records())


def ids_in(path):
    return [record.get("id", record["kind"]) for record in read(path)]


@pytest.mark.parametrize("strategy", [Pseudo(KEY, lang="en"), Remove("en")])
def test_what_was_concealed_can_be_restored_from_the_vault(vault, strategy):
    concealed = conceal(NOTE, strategy)
    vault.add("n1", entries_of(NOTE, concealed))
    vault.commit()
    found = vault.reidentify(["n1"], **ASKED)
    assert restore(concealed.document, found["n1"].entries).text == NOTE.text


def test_no_original_stands_in_the_file(vault):
    vault.add("n1", entries_of(NOTE, conceal(NOTE, Pseudo(KEY, lang="en"))))
    vault.commit()
    assert len(vault.path.read_text().splitlines()) == 4  # a header, two slots, a record
    assert b"Eva" not in vault.path.read_bytes()
    assert stat.S_IMODE(os.stat(vault.path).st_mode) == 0o600


def test_a_wrong_passphrase_opens_nothing(vault):
    vault.close()
    with pytest.raises(VaultError, match="passphrase is wrong"):
        Vault.open(vault.path, "another passphrase")


def test_without_a_reason_nothing_is_shown_and_with_one_it_is_recorded(vault):
    vault.add("n1", [])
    with pytest.raises(VaultError, match="reason"):
        vault.reidentify(["n1"], reason=" ", who="A. B.", when="2026-01-01")
    vault.reidentify(["n1"], **ASKED)
    vault.close()
    with Vault.open(vault.path, WORDS, writing=False) as reader:
        (access,) = reader.accesses()
    assert (access["reason"], access["who"], access["documents"]) == ("incidental finding", "A. B.", ["n1"])


def test_an_unknown_document_is_an_error(vault):
    with pytest.raises(VaultError, match="'n9'"):
        vault.reidentify(["n9"], **ASKED)


@pytest.mark.parametrize("gone", [0, 1, 2], ids=["first", "middle", "last"])
def test_a_record_that_was_taken_out_is_noticed_the_last_one_too(vault, gone):
    path = fill(vault, "n1", "n2", "n3")
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join([*lines[:3], *(line for n, line in enumerate(lines[3:]) if n != gone)]))
    for writing in (True, False):
        with pytest.raises(VaultError, match="was tampered with"):
            Vault.open(path, WORDS, writing=writing)


def test_an_access_cannot_be_hidden_by_damaging_the_head_and_cutting_it_off(vault):
    vault.add("n1", [])
    vault.commit()
    vault.reidentify(["n1"], **ASKED)
    path = fill(vault)
    data = path.read_bytes()
    without = data[: data.rstrip().rfind(b"\n") + 1]
    for slot in (1, 2):
        path.write_bytes(without[: slot * BLOCK] + b"x" * BLOCK + without[(slot + 1) * BLOCK :])
        with pytest.raises(VaultError, match="was tampered with"):
            Vault.open(path, WORDS)


def test_a_commit_that_a_crash_stopped_anywhere_is_done_or_not_done_at_all(vault):
    path = vault.path
    vault.add("n1", [])
    vault.commit()
    before = path.read_bytes()
    vault.add("n2", [])
    vault.add("n3", [])
    vault.commit()
    vault.close()
    after = path.read_bytes()
    slot = next(n for n in (1, 2) if before[n * BLOCK : (n + 1) * BLOCK] != after[n * BLOCK : (n + 1) * BLOCK])
    for end in range(len(before), len(after) + 1, 7):  # killed while the records were written
        path.write_bytes(before + after[len(before) : end])
        assert ids_in(path) == ["n1"]
        Vault.open(path, WORDS).close()
        assert path.read_bytes() == before  # the next writer cuts what was not committed
    for written in range(1, BLOCK, 7):  # torn while the slot was written, after the records were forced to disk
        at = slot * BLOCK
        torn = after[: at + written] + before[at + written : at + BLOCK] + after[at + BLOCK :]
        path.write_bytes(torn)
        assert ids_in(path) == ["n1", "n2", "n3"]
        assert ids_in(fill(Vault.open(path, WORDS), "n4")) == ["n1", "n2", "n3", "n4"]


def test_what_is_added_again_after_a_crash_stands_for_what_was_there(vault):
    concealed = conceal(NOTE, Pseudo(KEY, lang="en"))
    vault.add("n1", [])
    vault.commit()
    vault.reidentify(["n1"], **ASKED)
    vault.close()
    with Vault.open(vault.path, WORDS, at_least=1) as resumed:  # what the journal of the run says
        resumed.add("n1", entries_of(NOTE, concealed))
        resumed.commit()
        assert restore(concealed.document, resumed.reidentify(["n1"], **ASKED)["n1"].entries).text == NOTE.text
        assert len(resumed.accesses()) == 2  # also the one between crash and resume


def test_a_resumed_run_refuses_an_older_copy(vault):
    path = fill(vault, "n1")
    older = path.read_bytes()
    fill(Vault.open(path, WORDS), "n2")
    path.write_bytes(older)
    with pytest.raises(VaultError, match="older copy"):
        Vault.open(path, WORDS, at_least=2)


def test_a_second_writer_is_refused_and_a_reader_is_not(vault):
    vault.add("n1", [])
    vault.commit()
    with pytest.raises(VaultError, match="being written by another run"):
        Vault.open(vault.path, WORDS)
    assert ids_in(vault.path) == ["n1"]
    vault.close()
    Vault.open(vault.path, WORDS).close()


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ('{"format": "innominate-vault-1", "salt": "00"}\nAAAA\n', "version 1"),
        ('{"format": "innominate-vault-1", "salt": "00"}', "version 1"),
        ("notes\n", "is not a vault"),
        ("", "is not a vault"),
        ('{"format": 7}', "is not a vault"),
        ("[]", "is not a vault"),
    ],
)
def test_what_is_no_vault_of_this_version_is_refused(tmp_path, content, says):
    path = tmp_path / "old.vault"
    path.write_text(content)
    with pytest.raises(VaultError, match=says):
        Vault.open(path, WORDS)
    assert path.read_text() == content


def test_a_text_that_is_not_the_one_concealed_is_not_restored():
    concealed = conceal(NOTE, Pseudo(KEY, lang="en"))
    with pytest.raises(VaultError, match="differs"):
        restore(NOTE, entries_of(NOTE, concealed))


def test_a_vault_is_never_overwritten_and_a_short_passphrase_refused(vault, tmp_path):
    with pytest.raises(VaultError, match="cannot make"):
        Vault.create(vault.path, WORDS)
    with pytest.raises(VaultError, match="8 characters"):
        Vault.create(tmp_path / "other.vault", "short")
