"""Trained vectors -> src/models/builtin/builtin.bin: centred, turned so that signs tell most, one byte a value."""

import argparse
import hashlib
import json
import random
import struct
from pathlib import Path

import numpy as np
from train import means, unit
from wordpiece import Wordpiece

FORMAT_VERSION = 1
TEXTS, TEXT_ENTRIES_MAX = 20_000, 400
ROUNDS = 25
# Beyond it a value is cut off: the few that are so large would cost all others precision.
LARGEST_QUANTILE = 0.9999


def centre_and_turn(vectors: np.ndarray, texts) -> np.ndarray:
    """Texts then lie around zero, and the signs of their values keep the angles (iterative quantization)."""
    sums = texts @ vectors
    centre = sums.mean(0)
    rows, _ = unit(sums - centre)
    turn = np.linalg.qr(np.random.default_rng(1).standard_normal((rows.shape[1],) * 2))[0].astype(np.float32)
    for _ in range(ROUNDS):
        left, _, right = np.linalg.svd(np.sign(rows @ turn).T @ rows)
        turn = (left @ right).T.astype(np.float32)
    return (vectors - centre) @ turn


def pack(vectors: np.ndarray, vocabulary: list[str], name: str) -> bytes:
    scale = 127 / np.quantile(np.abs(vectors), LARGEST_QUANTILE)
    values = np.clip(np.round(vectors * scale), -127, 127).astype(np.int16) + 128
    words = "\n".join(vocabulary).encode()
    body = values.astype(np.uint8).tobytes() + words
    entries, dimensions = vectors.shape
    numbers = struct.pack("<IIII", FORMAT_VERSION, dimensions, entries, len(words))
    return b"DVEC" + numbers + name.encode().ljust(12, b"\0") + hashlib.sha256(body).digest() + body


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--vectors", type=Path, required=True, help="what train.py wrote")
    parser.add_argument("--vocabulary", type=Path, required=True)
    parser.add_argument("--sections", type=Path, required=True)
    parser.add_argument("--name", default="docs-256")
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()

    vocabulary = options.vocabulary.read_text().splitlines()
    wordpiece = Wordpiece(vocabulary)
    sections = [
        section for section in map(json.loads, options.sections.open()) if section["group"] != "wordnet"
    ]
    chosen = random.Random(2).sample(sections, min(TEXTS, len(sections)))
    texts = [
        wordpiece.encode(" ".join([s["title"], s["heading"], *s["sentences"]]))[:TEXT_ENTRIES_MAX]
        for s in chosen
    ]
    vectors = centre_and_turn(
        np.load(options.vectors), means([text for text in texts if text], len(vocabulary))
    )
    asset = pack(vectors, vocabulary, options.name)
    options.out.write_bytes(asset)
    print(f"{options.out}: {len(asset)} bytes, SHA-256 {hashlib.sha256(asset).hexdigest()}")
