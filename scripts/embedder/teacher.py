"""What the encoder says of texts: the start of every vector, and what the trained ones must not forget."""

import argparse
import json
import random
from pathlib import Path

import numpy as np
import onnxruntime
from tokenizers import Tokenizer

BATCH, TOKENS_MAX = 64, 48
TEXTS_FROM = {"wordnet": 22_000, "descriptions": 12_000, "documentation": 26_000}
SHORTEST, LONGEST = 30, 260


class Encoder:
    def __init__(self, model: Path, tokenizer: Path, threads: int) -> None:
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        self.session = onnxruntime.InferenceSession(str(model), options)
        self.tokenizer = Tokenizer.from_file(str(tokenizer))
        self.tokenizer.no_padding()
        self.tokenizer.enable_truncation(TOKENS_MAX)

    def encode(self, texts: list[str]) -> np.ndarray:
        """Means of the last hidden states, as the model was trained; texts of like length go together."""
        encoded = [entry.ids for entry in self.tokenizer.encode_batch(texts)]
        order = sorted(range(len(texts)), key=lambda index: len(encoded[index]))
        vectors = np.zeros((len(texts), 384), np.float32)
        for start in range(0, len(order), BATCH):
            chosen = order[start : start + BATCH]
            longest = len(encoded[chosen[-1]])
            ids = np.array([encoded[i] + [0] * (longest - len(encoded[i])) for i in chosen], np.int64)
            mask = np.array(
                [[1] * len(encoded[i]) + [0] * (longest - len(encoded[i])) for i in chosen], np.int64
            )
            inputs = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
            states = self.session.run(None, inputs)[0]
            vectors[chosen] = (states * mask[:, :, None]).sum(1) / mask.sum(1, keepdims=True)
        return vectors


def texts_to_say(sections: list[dict], rng: random.Random) -> list[str]:
    """Short texts of every kind: glosses, sentences, headings, what packages are."""
    kinds: dict[str, list[str]] = {kind: [] for kind in TEXTS_FROM}
    for section in rng.sample(sections, len(sections)):
        kind = section["group"] if section["group"] in kinds else "documentation"
        if kind == "wordnet":
            text = "; ".join(section["sentences"][1:])
            kinds[kind].append(f"{section['title']}: {text}" if rng.random() < 0.5 else text)
            continue
        if rng.random() < 0.4:
            kinds[kind].append(f"{section['title']} {section['heading']}".strip())
        sentences = [s for s in section["sentences"] if SHORTEST < len(s) < LONGEST]
        if sentences:
            kinds[kind].append(rng.choice(sentences))
    return [text for kind, texts in kinds.items() for text in texts[: TEXTS_FROM[kind]]]


def entries_to_say(vocabulary: list[str], bert: list[str]) -> tuple[list[str], list[int]]:
    """Entries that BERT has go in as themselves, `##` and all; whole words as the pieces they are made of."""
    own = set(bert)
    return [entry for entry in vocabulary if entry not in own], [
        i for i, entry in enumerate(vocabulary) if entry not in own
    ]


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--model", type=Path, required=True, help="the encoder as ONNX")
    parser.add_argument("--tokenizer", type=Path, required=True)
    parser.add_argument("--bert", type=Path, required=True, help="vocab.txt of the encoder")
    parser.add_argument("--vocabulary", type=Path, required=True)
    parser.add_argument("--sections", type=Path, required=True)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()

    encoder = Encoder(options.model, options.tokenizer, options.threads)
    vocabulary, bert = options.vocabulary.read_text().splitlines(), options.bert.read_text().splitlines()
    entries = np.zeros((len(vocabulary), 384), np.float32)
    id_in_bert = {entry: index for index, entry in enumerate(bert)}
    first, last = id_in_bert["[CLS]"], id_in_bert["[SEP]"]
    own = [index for index, entry in enumerate(vocabulary) if entry in id_in_bert]
    for start in range(0, len(own), BATCH):
        chosen = own[start : start + BATCH]
        ids = np.array([[first, id_in_bert[vocabulary[index]], last] for index in chosen], np.int64)
        inputs = {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": np.zeros_like(ids)}
        entries[chosen] = encoder.session.run(None, inputs)[0].mean(1)
    words, places = entries_to_say(vocabulary, bert)
    entries[places] = encoder.encode(words)

    sections = [json.loads(line) for line in options.sections.open()]
    texts = texts_to_say(sections, random.Random(11))
    said = encoder.encode(texts)
    said /= np.linalg.norm(said, axis=1, keepdims=True)
    np.savez(options.out, entries=entries, texts=np.array(texts), said=said.astype(np.float16))
