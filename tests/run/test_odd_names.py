"""Names that are not UTF-8 and links that lead nowhere are withheld one by one; the batch goes on."""

import json
import os

from innominate.run.batch import OutputPlaces
from innominate.run.inputs import Inputs
from innominate.run.job import Job
from innominate.run.settings import Settings


def test_a_name_that_is_not_utf8_and_a_loop_of_links_end_nobody_elses_note(tmp_path):
    folder = tmp_path / "in"
    folder.mkdir()
    (folder / "good.txt").write_text("vu le 18.03.2022")
    with open(os.fsencode(folder) + b"/caf\xe9.txt", "w") as file:
        file.write("vu le 19.03.2022")
    (folder / "loop.txt").symlink_to("loop.txt")
    (folder / "nowhere.txt").symlink_to("gone.txt")
    for keep_ids in (True, False):
        output = str(tmp_path / f"out{keep_ids}.jsonl")
        settings = Settings(lang="fr", detector="rules", keep_ids=keep_ids)
        record = Job("deidentify", Inputs((str(folder),)), output, settings, workers=1).run()
        counts = record.counts
        assert counts.done == 4 == counts.written + counts.quarantined
        assert counts.written >= 1
        withheld = [json.loads(line) for line in OutputPlaces(output).quarantine.read_bytes().splitlines()]
        assert len(withheld) == counts.quarantined >= 2
        assert json.loads(OutputPlaces(output).record.read_text())["notes"]["in"] == 4
