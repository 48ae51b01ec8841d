"""Searches with libraries of Python, in a process of its own, and prints the result as JSON, in the shape that
spec.ts describes: python engines.py <spec as JSON>."""

import gc
import json
import os
import re
import sys
import time

RESULTS = 10
RESULTS_RANKED = 50
WARM_UP = 30
SEARCHES_MIN = 200
LOAD_PER_SECOND = 50
LOAD_SECONDS = 8
LOADED_MS_MAX = 2 * 1000 / LOAD_PER_SECOND
SETTLE_SECONDS = 3
# Fewer vectors are compared one by one, as the library's guide recommends.
VECTORS_INDEXED = 20_000


# Before the library is imported: it warns about each search.
os.environ.setdefault("LANCE_LOG", "error")
os.environ.setdefault("RUST_LOG", "error")


def read_passages(spec):
    with open(spec["passages"], encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)


def whole_text(passage):
    """For libraries that search one field: the title twice, as the others weigh it."""
    return f"{passage['title']} {passage['title']} {passage['headings']} {passage['text']}"


def open_bm25s(spec):
    import bm25s
    import Stemmer

    stemmer = Stemmer.Stemmer("english")
    paths = []

    def texts():
        for passage in read_passages(spec):
            paths.append(passage["path"])
            yield whole_text(passage)

    tokenizer = bm25s.tokenization.Tokenizer(stemmer=stemmer, stopwords="en")
    tokens = tokenizer.tokenize(list(texts()), return_as="tuple", show_progress=False)
    index = bm25s.BM25()
    index.index(tokens, show_progress=False)
    folder = spec["passages"] + ".bm25s"
    index.save(folder)
    del tokens

    def find(question, _number, limit):
        asked = bm25s.tokenize(question, stemmer=stemmer, stopwords="en", return_ids=False, show_progress=False)
        # It raises for a question without a word that it knows.
        if not any(token in index.vocab_dict for token in asked[0]):
            return []
        found, _ = index.retrieve(asked, k=min(limit, len(paths)), show_progress=False)
        return [paths[number] for number in found[0]]

    return find, lambda: size_of(folder)


def open_tantivy(spec):
    import tantivy

    builder = tantivy.SchemaBuilder()
    builder.add_text_field("path", stored=True, tokenizer_name="raw")
    for name in ("title", "headings", "text"):
        builder.add_text_field(name, stored=False, tokenizer_name="en_stem")
    folder = spec["passages"] + ".tantivy"
    os.makedirs(folder)
    index = tantivy.Index(builder.build(), path=folder)
    writer = index.writer(heap_size=256_000_000)
    for passage in read_passages(spec):
        writer.add_document(tantivy.Document(**passage))
    writer.commit()
    writer.wait_merging_threads()
    index.reload()
    searcher = index.searcher()

    def find(question, _number, limit):
        # Its query language has operators, which a question does not mean.
        words = " ".join(re.findall(r"\w+", question)).lower()
        query, _ = index.parse_query_lenient(words, ["title", "headings", "text"], field_boosts={"title": 2.0})
        hits = searcher.search(query, limit, count=False).hits
        return [searcher.doc(address)["path"][0] for _, address in hits]

    return find, lambda: size_of(folder)


def open_lancedb(spec):
    import lancedb
    import numpy
    import pyarrow
    from lancedb.index import FTS, HnswSq

    questions = len(spec["questions"])
    flat = numpy.fromfile(spec["vectors"], dtype=numpy.float32)
    dimensions = spec["dimensions"]
    vectors = flat.reshape(-1, dimensions)
    asked = vectors[len(vectors) - questions :]
    given = vectors[: len(vectors) - questions]
    folder = spec["passages"] + ".lancedb"
    schema = pyarrow.schema(
        [
            ("path", pyarrow.string()),
            ("text", pyarrow.string()),
            ("vector", pyarrow.list_(pyarrow.float32(), dimensions)),
        ]
    )

    def batches():
        rows = []
        at = 0
        for passage in read_passages(spec):
            rows.append(passage)
            if len(rows) == 4096:
                yield batch(rows, at)
                at += len(rows)
                rows = []
        if rows:
            yield batch(rows, at)

    def batch(rows, at):
        values = pyarrow.array(given[at : at + len(rows)].reshape(-1))
        return pyarrow.record_batch(
            [
                pyarrow.array([row["path"] for row in rows]),
                pyarrow.array([whole_text(row) for row in rows]),
                pyarrow.FixedSizeListArray.from_arrays(values, dimensions),
            ],
            schema=schema,
        )

    table = lancedb.connect(folder).create_table(
        "passages", data=pyarrow.RecordBatchReader.from_batches(schema, batches())
    )
    table.create_index("text", config=FTS(with_position=False))
    if len(given) >= VECTORS_INDEXED:
        table.create_index("vector", config=HnswSq(distance_type="cosine"))

    def find(question, number, limit):
        search = table.search(query_type="hybrid").vector(asked[number]).text(question)
        return search.limit(limit).select(["path"]).to_arrow()["path"].to_pylist()

    return find, lambda: size_of(folder)


OPEN = {"bm25s": open_bm25s, "tantivy": open_tantivy, "lancedb": open_lancedb}


def latency(spec):
    started = time.perf_counter()
    find, size = OPEN[spec["engine"]](spec)
    open_seconds = time.perf_counter() - started
    questions = list(enumerate(spec["questions"]))
    for number, question in questions[:WARM_UP]:
        find(question, number, RESULTS)
    asked = questions * -(-SEARCHES_MIN // max(1, len(questions)))
    alone = []
    cpu = time.process_time()
    for number, question in asked:
        at = time.perf_counter()
        find(question, number, RESULTS)
        alone.append((time.perf_counter() - at) * 1000)
    cpu_ms = (time.process_time() - cpu) * 1000 / len(asked)
    loaded = [] if sum(alone) / len(alone) > LOADED_MS_MAX else under_load(find, questions)
    gc.collect()
    time.sleep(SETTLE_SECONDS)
    return {
        "openSeconds": open_seconds,
        "residentMb": resident_mb(),
        "bytes": size(),
        "cpuMs": cpu_ms,
        "aloneMs": alone,
        "underLoadMs": loaded,
        "lagMs": [],
        "heldMs": [],
    }


def under_load(find, questions):
    """One after the other, each timed from when it was due."""
    times = []
    started = time.perf_counter()
    for count in range(LOAD_PER_SECOND * LOAD_SECONDS):
        due = started + count / LOAD_PER_SECOND
        time.sleep(max(0, due - time.perf_counter()))
        number, question = questions[count % len(questions)]
        find(question, number, RESULTS)
        times.append((time.perf_counter() - due) * 1000)
    return times


def rank(spec):
    find, _ = OPEN[spec["engine"]](spec)
    return [find(question, number, RESULTS_RANKED) for number, question in enumerate(spec["questions"])]


def size_of(folder):
    return sum(os.path.getsize(os.path.join(at, name)) for at, _, names in os.walk(folder) for name in names)


def resident_mb():
    with open("/proc/self/smaps_rollup", encoding="utf-8") as rollup:
        return int(re.search(r"^Rss:\s+(\d+) kB", rollup.read(), re.M).group(1)) * 1024 / 1e6


given = json.loads(sys.argv[1])
print(json.dumps({"latency": latency, "rank": rank}[given["work"]](given)))
