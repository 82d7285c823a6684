"""One clock for each note, in CPU time; and a watchdog for what hears no signal."""

import re
import signal
import subprocess
import sys
import textwrap
import threading
import time

import pytest

from innominate.core import Document
from innominate.run import outcome
from innominate.run.concealing import Concealing
from innominate.run.limits import SLACK, NoteClock, TimeLimitError
from innominate.run.outcome import Quarantined, Task
from innominate.run.settings import Settings


def work(seconds):
    """Use the processor."""
    started = time.thread_time()
    while time.thread_time() - started < seconds:
        pass


def test_parts_of_the_work_share_one_clock():
    clock = NoteClock(0.2)
    for _ in range(2):
        clock.run(lambda: work(0.07))
    assert 0.02 < clock.left < 0.08
    with pytest.raises(TimeLimitError, match=r"took longer than 0\.2 s"):
        clock.run(lambda: work(0.2))
    with pytest.raises(TimeLimitError):
        clock.run(lambda: pytest.fail("there was no time left"))


def test_a_busy_machine_is_not_the_note_s_fault():
    clock = NoteClock(0.2)
    clock.run(lambda: (time.sleep(0.3), work(0.05)))  # others have the processor
    assert clock.left > 0.1


def test_threads_of_others_do_not_use_the_time_of_a_note():
    stop = threading.Event()
    busy = threading.Thread(target=lambda: [None for _ in iter(stop.is_set, True)])
    busy.start()
    try:
        NoteClock(0.2).run(lambda: time.sleep(0.3))
    finally:
        stop.set()
        busy.join()


def test_waiting_for_what_never_comes_is_stopped():
    started = time.monotonic()
    with pytest.raises(TimeLimitError):
        NoteClock(0.1).run(lambda: time.sleep(60))
    assert time.monotonic() - started < 10 * SLACK * 0.1


def test_an_expression_without_end_is_stopped():
    started = time.process_time()
    with pytest.raises(TimeLimitError):
        NoteClock(0.2).run(lambda: re.match("(a*)*b", "a" * 60))
    assert time.process_time() - started < 2


class Last:
    """Its end takes long."""

    def __del__(self):
        work(0.4)


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_an_error_that_python_drops_in_a_destructor_is_raised_again():
    def last():
        for _ in range(3):  # CPU time and time on the wall are both over in one of them
            Last()
        work(3)

    with pytest.raises(TimeLimitError):
        NoteClock(0.1).run(last)


def test_work_that_catches_the_error_is_stopped_by_the_next():
    caught = []

    def stubborn():
        for seconds in (3, 3, 3, 0):
            try:
                work(seconds)
            except TimeLimitError as error:
                caught.append(error)

    NoteClock(0.1).run(stubborn)
    assert len(caught) == 3


def test_nothing_is_left_of_a_clock_that_ran():
    before = [signal.getsignal(number) for number in (signal.SIGPROF, signal.SIGALRM)]
    NoteClock(0.2).run(lambda: None)
    assert [signal.getsignal(number) for number in (signal.SIGPROF, signal.SIGALRM)] == before
    assert signal.getitimer(signal.ITIMER_PROF) == signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)


def test_a_note_has_one_time_for_all_steps(monkeypatch):
    """Each of them would be in time if it had a clock of its own."""
    settings = Settings(lang="fr", detector="rules", time_limit=0.3)
    Task("deidentify", settings)(Document("warm", "vu le 18.03.2022"))
    real = Concealing.of

    def slow(*given):
        work(0.2)
        return real(*given)

    monkeypatch.setattr(Concealing, "of", slow)
    monkeypatch.setattr(outcome.Pipeline, "mark", _after(0.2, outcome.Pipeline.mark))
    found = Task("deidentify", settings)(Document("n", "vu le 18.03.2022"))
    assert isinstance(found, Quarantined)
    assert "0.3 s" in found.reason


def _after(seconds, method):
    def late(*given):
        work(seconds)
        return method(*given)

    return late


HANGS = """
    import ctypes, sys
    from innominate.core import Document
    from innominate.run import limits, outcome, units, workers
    from innominate.run.settings import Settings

    class Hanging(outcome.Task):
        def hang(self):
            sleep = ctypes.PyDLL(None).usleep  # holds the lock of the interpreter: no signal is heard
            while True:
                try:
                    sleep(10_000_000)
                except BaseException:
                    pass

        def work(self, unit):
            if any("hang" in item.text for item in unit.items):
                self._clock().run(self.hang)
            return super().work(unit)

    if __name__ == "__main__":
        limits.GRACE = 0.5
        workers.CHUNK_NOTES = int(sys.argv[2])
        notes = [Document(f"n{i}", "hang" if i == 9 else "vu le 18.03.2022") for i in range(int(sys.argv[1]))]
        task = Hanging("deidentify", Settings(lang="fr", detector="rules", time_limit=0.5), alone=True)
        results = list(workers.outcomes(((unit, 0) for unit in units.single(notes)), task, 1))
        print([r.id for r in results] == [n.id for n in notes], [r.id for r in results if isinstance(r, outcome.Quarantined)])
"""


def hanging(tmp_path, notes, together):
    (tmp_path / "hanging.py").write_text(textwrap.dedent(HANGS))
    command = [sys.executable, tmp_path / "hanging.py", str(notes), str(together)]
    return subprocess.run(command, capture_output=True, text=True, timeout=200, check=False)


def test_a_single_worker_that_hangs_in_native_code_takes_only_its_own_note_with_it(tmp_path):
    done = hanging(tmp_path, notes=24, together=4)
    assert done.stdout.strip() == "True ['n9']", done.stderr


def test_little_work_that_hangs_in_native_code_ends(tmp_path):
    done = hanging(tmp_path, notes=10, together=32)
    assert done.returncode
    assert not done.stdout
    assert "vu le" not in done.stderr
