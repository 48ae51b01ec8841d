"""Ranks pages as LanceDB's hybrid search does: BM25 and vectors of all-MiniLM-L6-v2, joined by reciprocal rank.
python hybrid.py <folder> reads passages.jsonl and questions.jsonl there, and writes ranking.json."""

import json
import os
import sys

os.environ.setdefault("LANCE_LOG", "error")
os.environ.setdefault("RUST_LOG", "error")

import lancedb
import numpy
import pyarrow
from lancedb.index import FTS
from minilm import DIMENSIONS, open_minilm

# Pages are ranked by their best passage.
RESULTS = 50
EMBEDDED_AT_ONCE = 512


def read_lines(folder, name):
    with open(os.path.join(folder, name), encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def whole_text(passage):
    """It searches one field: the title twice, as others weigh it."""
    return f"{passage['title']} {passage['title']} {passage['headings']} {passage['text']}"


def text_to_embed(passage):
    return f"{passage['title']}\n{passage['headings']}\n{passage['text']}"


def embed_all(embed, texts):
    parts = []
    for at in range(0, len(texts), EMBEDDED_AT_ONCE):
        parts.append(embed(texts[at : at + EMBEDDED_AT_ONCE]))
        print(f"{at + len(parts[-1])} of {len(texts)} texts embedded", file=sys.stderr, flush=True)
    return numpy.concatenate(parts)


def create_table(folder, passages, vectors):
    table = lancedb.connect(os.path.join(folder, "lancedb")).create_table(
        "passages",
        pyarrow.table(
            {
                "path": [passage["path"] for passage in passages],
                "text": [whole_text(passage) for passage in passages],
                "vector": pyarrow.FixedSizeListArray.from_arrays(
                    pyarrow.array(vectors.reshape(-1)), DIMENSIONS
                ),
            }
        ),
        mode="overwrite",
    )
    table.create_index("text", config=FTS(with_position=False))
    return table


def main(folder):
    passages = read_lines(folder, "passages.jsonl")
    questions = read_lines(folder, "questions.jsonl")
    embed = open_minilm()
    table = create_table(folder, passages, embed_all(embed, [text_to_embed(passage) for passage in passages]))
    ranked = []
    for question, vector in zip(questions, embed_all(embed, questions)):
        search = table.search(query_type="hybrid").vector(vector).distance_type("cosine").text(question)
        ranked.append(search.limit(RESULTS).select(["path"]).to_arrow()["path"].to_pylist())
    with open(os.path.join(folder, "ranking.json"), "w", encoding="utf-8") as out:
        json.dump(ranked, out)


main(sys.argv[1])
