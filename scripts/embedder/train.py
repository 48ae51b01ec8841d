"""Fits a vector to each entry so that the sum over a question lies near the sum over the passage that answers it.

Questions are headings and sentences, passages what stands under and around them; all other passages of a batch, most of
them of the same product, are the wrong answers. Beside it, sums of short texts are held to the likeness the encoder sees.
"""

import argparse
import collections
import json
import random
from pathlib import Path

import numpy as np
import scipy.sparse as sparse
from wordpiece import Wordpiece

PASSAGE_ENTRIES_MAX, QUESTION_ENTRIES_MAX, SENTENCE_ENTRIES_MAX = 300, 40, 120
PER_GROUP, WORDNET_SHARE = 128, 0.12
TEACHER_TEMPERATURE = 0.06
# So that the words every question has come to weigh nothing.
FRAMES = [
    ("how to", ""), ("how do i", ""), ("how can i", ""), ("what is", ""), ("what is the", ""), ("what are", ""),
    ("is there a way to", ""), ("can i", ""), ("why does", ""), ("where can i find", ""), ("i want to", ""),
    ("how does", "work"), ("what does", "mean"), ("does it support", ""), ("example of", ""), ("i am trying to", ""),
    ("what is the best way to", ""), ("which", "should i use"), ("tell me about", ""), ("explain", ""),
    ("when should i use", ""), ("what happens when", ""), ("getting an error with", ""), ("problem with", ""),
    ("what's the difference between", ""), ("how many", "are there"), ("who", ""), ("what", "does it have"),
]  # fmt: skip


class Pairs:
    """Endless questions with their passages, as entries."""

    def __init__(self, sections: list[dict], wordpiece: Wordpiece, rng: random.Random) -> None:
        self.rng = rng
        self.frames = [(wordpiece.encode(before), wordpiece.encode(after)) for before, after in FRAMES]
        self.groups = collections.defaultdict(list)
        for section in sections:
            encoded = [
                wordpiece.encode(text)[:SENTENCE_ENTRIES_MAX]
                for text in (section["title"], section["heading"], *section["sentences"])
            ]
            self.groups[section["group"]].append((section["page"], encoded[0], encoded[1], encoded[2:]))
        self.wordnet = self.groups.pop("wordnet")
        self.names = list(self.groups)
        self.weights = [min(len(self.groups[name]), 4000) ** 0.75 for name in self.names]

    def batch(self, size: int) -> tuple[list[list[int]], list[list[int]]]:
        pairs = [
            self.of_meaning(section) for section in self.rng.sample(self.wordnet, int(size * WORDNET_SHARE))
        ]
        while len(pairs) < size:
            group = self.groups[self.rng.choices(self.names, self.weights)[0]]
            pages = set()
            for section in self.rng.sample(group, min(PER_GROUP, len(group), size - len(pairs))):
                if section[0] in pages and self.rng.random() < 0.5:
                    continue
                pages.add(section[0])
                pairs.append(self.of_section(section))
        kept = [(question, passage) for question, passage in pairs if question and passage]
        return [question for question, _ in kept], [passage for _, passage in kept]

    def of_meaning(self, section) -> tuple[list[int], list[int]]:
        words, gloss, *examples = section[3]
        question = examples[-1] if examples and self.rng.random() < 0.5 else words
        return question, gloss

    def of_section(self, section) -> tuple[list[int], list[int]]:
        rng, (_, title, heading, sentences) = self.rng, section
        kind = rng.random()
        if kind < 0.4 or len(sentences) < 2:
            question = heading or title
            if heading and rng.random() < 0.3:
                question = title + heading
            passage = (title if heading and rng.random() < 0.5 else []) + sum(sentences, [])
        else:
            chosen = 0 if kind < 0.55 else rng.randrange(len(sentences))
            question = sentences[chosen]
            if len(question) < 5:
                question = heading + question
            question = question[:QUESTION_ENTRIES_MAX]
            above = (title if rng.random() < 0.5 else []) + (heading if rng.random() < 0.6 else [])
            passage = above + sum(sentences[:chosen] + sentences[chosen + 1 :], [])
            if rng.random() < 0.5:
                question = [entry for entry in question if rng.random() > 0.3] or question
        if rng.random() < 0.4:
            before, after = rng.choice(self.frames)
            question = before + question + after
        start = rng.randrange(max(1, len(passage) - PASSAGE_ENTRIES_MAX)) if rng.random() < 0.3 else 0
        return question, passage[start : start + PASSAGE_ENTRIES_MAX]


def means(texts: list[list[int]], entries: int) -> sparse.csr_matrix:
    """One row a text: times the vectors, the mean of its entries'."""
    ends = np.cumsum([0] + [len(text) for text in texts])
    shares = np.concatenate([np.full(len(text), 1 / len(text), np.float32) for text in texts])
    return sparse.csr_matrix(
        (shares, np.concatenate(texts).astype(np.int32), ends), shape=(len(texts), entries)
    )


def first_vectors(said: np.ndarray, pairs: Pairs, dimensions: int) -> np.ndarray:
    """The encoder's vectors in their principal components, rare words longer than frequent ones."""
    said = said - said.mean(0)
    directions, _, _ = np.linalg.svd(said.T @ said)
    vectors = said @ directions[:, :dimensions]
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True) + 1e-9
    counts = np.ones(len(said))
    for sections in pairs.groups.values():
        for section in sections:
            np.add.at(counts, [entry for sentence in section[3] for entry in sentence], 1)
    vectors *= (1e-3 / (1e-3 + counts / counts.sum()))[:, None]
    return (vectors / np.sqrt((vectors**2).sum(1).mean())).astype(np.float32)


def unit(rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    lengths = np.linalg.norm(rows, axis=1, keepdims=True) + 1e-6
    return rows / lengths, lengths


def through_unit(gradient: np.ndarray, rows: np.ndarray, lengths: np.ndarray) -> np.ndarray:
    return (gradient - (gradient * rows).sum(1, keepdims=True) * rows) / lengths


def softmax(rows: np.ndarray) -> np.ndarray:
    powers = np.exp(rows - rows.max(1, keepdims=True))
    return powers / powers.sum(1, keepdims=True)


def contrast(question_means, passage_means, vectors: np.ndarray, temperature: float):
    """Loss, and gradients of the two sets of means: each question its passage, and with half the weight back."""
    questions, question_lengths = unit(question_means @ vectors)
    passages, passage_lengths = unit(passage_means @ vectors)
    likeness = questions @ passages.T / temperature
    forth, back = softmax(likeness), softmax(likeness.T).T
    loss = -np.log(np.diag(forth) + 1e-9).mean()
    slope = forth + 0.5 * back
    slope[np.diag_indices(len(slope))] -= 1.5
    slope /= len(slope) * temperature
    return (
        loss,
        through_unit(slope @ passages, questions, question_lengths),
        through_unit(slope.T @ questions, passages, passage_lengths),
    )


def likeness_kept(text_means, said: np.ndarray, vectors: np.ndarray):
    """How far the likeness among texts is from what the encoder sees, and the gradient of their means."""
    texts, lengths = unit(text_means @ vectors)
    others = ~np.eye(len(said), dtype=bool)
    wanted = softmax(np.where(others, said @ said.T / TEACHER_TEMPERATURE, -1e9))
    found = softmax(np.where(others, texts @ texts.T / TEACHER_TEMPERATURE, -1e9))
    loss = (wanted * (np.log(wanted + 1e-9) - np.log(found + 1e-9))).sum(1).mean()
    slope = (found - wanted) / (len(said) * TEACHER_TEMPERATURE)
    return loss, through_unit((slope + slope.T) @ texts, texts, lengths)


def train(pairs: Pairs, texts: list[list[int]], said: np.ndarray, vectors: np.ndarray, options) -> np.ndarray:
    """Adam over the entries that a batch has; the step shrinks to nothing."""
    first, second = np.zeros_like(vectors), np.zeros_like(vectors)
    usable = [index for index, text in enumerate(texts) if len(text) > 1]
    for step in range(1, options.steps + 1):
        rate = options.rate * min(1, step / 50) * (1 - step / options.steps)
        questions, passages = (means(side, len(vectors)) for side in pairs.batch(options.batch))
        loss, question_slope, passage_slope = contrast(questions, passages, vectors, options.temperature)
        parts, slopes = [questions, passages], [question_slope, passage_slope]
        kept = 0.0
        if options.teacher_weight > 0:
            chosen = pairs.rng.sample(usable, options.teacher_batch)
            spoken = means([texts[index] for index in chosen], len(vectors))
            kept, slope = likeness_kept(spoken, said[chosen].astype(np.float32), vectors)
            parts.append(spoken)
            slopes.append(slope * options.teacher_weight)
        touched = np.unique(np.concatenate([part.indices for part in parts]))
        gradient = (sparse.vstack(parts).T.tocsr() @ np.vstack(slopes))[touched] * np.float32(
            options.batch**0.5
        )
        first[touched] = 0.9 * first[touched] + 0.1 * gradient
        second[touched] = 0.999 * second[touched] + 0.001 * gradient**2
        vectors[touched] -= (
            rate * (first[touched] / (1 - 0.9**step)) / (np.sqrt(second[touched] / (1 - 0.999**step)) + 1e-8)
        )
        if step % 100 == 0:
            print(f"{step}: questions {loss:.3f}, encoder {kept:.3f}", flush=True)
    return vectors


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--sections", type=Path, required=True)
    parser.add_argument("--vocabulary", type=Path, required=True)
    parser.add_argument("--teacher", type=Path, required=True, help="what teacher.py wrote")
    parser.add_argument("--dimensions", type=int, default=256)
    parser.add_argument("--steps", type=int, default=1500)
    parser.add_argument("--batch", type=int, default=1024)
    parser.add_argument("--rate", type=float, default=0.003)
    parser.add_argument("--temperature", type=float, default=0.07)
    parser.add_argument("--teacher-weight", type=float, default=0.92)
    parser.add_argument("--teacher-batch", type=int, default=768)
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()

    wordpiece = Wordpiece(options.vocabulary.read_text().splitlines())
    teacher = np.load(options.teacher)
    pairs = Pairs([json.loads(line) for line in options.sections.open()], wordpiece, random.Random(5))
    start = first_vectors(teacher["entries"], pairs, options.dimensions)
    texts = [wordpiece.encode(str(text)) for text in teacher["texts"]]
    np.save(options.out, train(pairs, texts, teacher["said"], start, options))
