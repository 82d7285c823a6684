"""1,000 documents with 20,000 spans score in less than 5 s of one core, by the i2b2 standard, all blocks."""

import importlib.util
import random
import time
from pathlib import Path

from innominate.evaluate import i2b2
from innominate.evaluate.labelling import note

BENCH = Path(__file__).parents[2] / "tools" / "bench_evaluate.py"


def test_i2b2_is_fast_enough():
    spec = importlib.util.spec_from_file_location("bench_evaluate", BENCH)
    bench = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(bench)
    pairs = bench.corpus(1000, 20, random.Random(1))
    start = time.process_time()
    found = i2b2.score((note(gold), note(system)) for gold, system in pairs)
    assert time.process_time() - start < 5
    assert found["n_documents"] == 1000
    assert sum(len(gold.spans) for gold, _ in pairs) == 20_000
