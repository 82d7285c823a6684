"""Annotators at work while the process that serves them is killed: nothing acknowledged is lost, nothing is doubled.

In every test run a few annotators, 5 seconds and 3 kills; with INNOMINATE_SLOW=1 20 annotators, 2 minutes and 20 kills.
"""

import json
import os
import random
import socket
import subprocess
import sys
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

from store_cases import made

from innominate.campaign.store import open_store

SLOW = bool(os.environ.get("INNOMINATE_SLOW"))
PEOPLE, SECONDS, KILLS, DOCUMENTS = (20, 120, 20, 800) if SLOW else (6, 5, 3, 80)
WANTED = 3
SERVER = Path(__file__).with_name("store_server.py")


class Served:
    """The process, started again after each kill."""

    def __init__(self, url, path):
        self.url, self.path, self.process = url, str(path), None

    def start(self):
        with suppress(FileNotFoundError):
            os.unlink(self.path)
        self.process = subprocess.Popen([sys.executable, SERVER, self.url, self.path])

    def kill(self):
        self.process.kill()
        assert self.process.wait() == -9


class Client:
    """An annotator: asks for a task, answers it, and repeats every request until there is a reply."""

    def __init__(self, name, path, ends):
        self.name, self.path, self.ends = name, str(path), ends
        self.stream, self.random = None, random.Random(name)
        self.acknowledged, self.outcomes, self.tasks = {}, Counter(), []

    def work(self):
        while time.monotonic() < self.ends:
            task = self.ask({"op": "lease", "annotator": self.name})
            if task["sample"] is None:
                break
            self.tasks.append(task["sample"])
            end = self.random.randint(1, task["length"])
            given = {
                "id": f"{self.name}-{len(self.tasks)}",
                "sample": task["sample"],
                "annotator": self.name,
                "at": time.time(),
                "spans": [[self.random.randrange(end), end, "DATE"]],
            }
            outcome = self.ask({"op": "answer", **given})["outcome"]
            self.outcomes[outcome] += 1
            if outcome in ("stored", "repeated"):
                self.acknowledged[given["id"]] = given
        return self

    def ask(self, request):
        while True:
            with suppress(OSError, ValueError):
                reply = self.once(request)
                if "again" not in reply:
                    return reply
            self.stream = None
            time.sleep(0.05)

    def once(self, request):
        if self.stream is None:
            connection = socket.socket(socket.AF_UNIX)
            connection.settimeout(60)
            try:
                connection.connect(self.path)
                self.stream = connection.makefile("rwb", buffering=0)
            finally:
                connection.close()  # the stream keeps it open
        self.stream.write(json.dumps(request).encode() + b"\n")
        return json.loads(self.stream.readline())


def crash_between(served, started, rng, crash):
    """Kill the process at random times, spread over the whole test."""
    for number in range(KILLS):
        at = (number + rng.random()) / KILLS * SECONDS * 0.9
        time.sleep(max(0.0, started + at - time.monotonic()))
        served.kill()
        if crash and number % 4 == 3:
            crash()
        served.start()


def test_no_acknowledged_answer_is_lost_and_none_is_doubled(url, tmp_path, request):
    made(url, people=PEOPLE, documents=DOCUMENTS, lines=10, annotators_per_chunk=WANTED).close()
    crash = request.getfixturevalue("cluster").crash if url.startswith("postgresql") else None
    served = Served(url, tmp_path / "socket")
    served.start()
    started = time.monotonic()
    clients = [Client(f"a{number}", served.path, started + SECONDS) for number in range(PEOPLE)]
    with ThreadPoolExecutor(PEOPLE) as pool:
        working = [pool.submit(client.work) for client in clients]
        try:
            crash_between(served, started, random.Random(17), crash)
            for work in working:
                work.result()
        finally:
            served.process.kill()
            served.process.wait()
    check(url, clients)


def check(url, clients):
    with open_store(url, time.time()) as store:
        kept = store.answers(latest=False)
    acknowledged = {id: given for client in clients for id, given in client.acknowledged.items()}
    outcomes = sum((client.outcomes for client in clients), Counter())
    print(f"{len(acknowledged)} acknowledged, {KILLS} kills, {dict(outcomes)}")  # shown with pytest -s
    assert len(acknowledged) > KILLS
    assert sorted(answer.id for answer in kept) == sorted(acknowledged)  # none lost, none doubled, none from nowhere
    for answer in kept:
        given = acknowledged[answer.id]
        spans = [[span.start, span.end, span.label] for span in answer.spans]
        assert (answer.sample, answer.annotator, answer.at, spans) == tuple(
            given[key] for key in ("sample", "annotator", "at", "spans")
        )
    assert len({(answer.sample, answer.annotator) for answer in kept}) == len(kept)  # nobody did a chunk twice
    assert max(Counter(answer.sample for answer in kept).values()) <= WANTED
    assert outcomes.keys() <= {"stored", "repeated"}
