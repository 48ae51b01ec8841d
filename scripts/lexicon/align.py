"""What the words of a language mean in English -> a JSON file: word to [[English word, how likely], …].

Nearness of vectors says what a word may mean; texts that were translated say what it does mean (the first of IBM's models,
with nearness as its prior, and words at the same place of both texts preferred).
"""

import argparse
import json
import re
from collections import Counter
from pathlib import Path

import numpy as np
import scipy.sparse as sp
from tokens import numbers
from wordfreq import get_frequency_dict

ENGLISH_WORDS, ENGLISH_TEXTS_MIN = 17_000, 8
CANDIDATES, WIDER, DIMENSIONS = 20, 60, 160
# How much nearer a word must be to be e times as likely; how much of a hub's nearness to everything is taken off.
TEMPERATURE, HUB_SHARE = 0.05, 0.5
ALIGNED_WORDS_MAX, COUNTED_WORDS_MAX, CHARACTERS_MAX = 100, 40, 700
TOGETHER_MIN, BY_TEXTS, DICE_MIN, BY_TEXTS_PRIOR = 2, 12, 0.01, 1e-4
PRIOR_TEXTS, PLACE, UNALIGNED, ROUNDS = 5, 3, 0.002, 8
SHARE_MIN, MEANINGS = 0.03, 6
WIDTH = 40_000


def read_vectors(path: Path) -> tuple[list[str], np.ndarray]:
    file = np.load(path)
    vectors = file["vectors"].astype(np.float32)
    return list(file["words"]), vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def near_words(foreign: np.ndarray, english: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """For each word the nearest English ones, how likely they are, and the similarity of the first."""
    sample = foreign[np.random.default_rng(1).permutation(len(foreign))[:2500]]
    both = np.concatenate([english[::6], sample])
    turn = np.linalg.svd(both.T @ both)[2][:DIMENSIONS].T
    few_english, few_foreign = (english @ turn).T.copy(), foreign @ turn
    hubs = np.concatenate(
        [np.partition(english[at : at + 4000] @ sample.T, -8)[:, -8:].mean(1) for at in range(0, len(english), 4000)]
    )
    nearest = np.zeros((len(foreign), CANDIDATES), np.int64)
    likely = np.zeros((len(foreign), CANDIDATES), np.float32)
    similarity = np.zeros(len(foreign), np.float32)
    for start in range(0, len(foreign), 500):
        scores = few_foreign[start : start + 500] @ few_english - HUB_SHARE * hubs
        for row, wider in enumerate(np.argpartition(scores, -WIDER)[:, -WIDER:], start):
            exact = english[wider] @ foreign[row]
            scored = exact - HUB_SHARE * hubs[wider]
            order = np.argsort(-scored)[:CANDIDATES]
            weights = np.exp((scored[order] - scored[order[0]]) / TEMPERATURE)
            nearest[row], likely[row], similarity[row] = wider[order], weights / weights.sum(), exact[order[0]]
    return nearest, likely, similarity


def together(pairs: list, side: int, width: int) -> sp.csr_matrix:
    rows, columns = [], []
    for row, pair in enumerate(pairs):
        words = set(pair[side]) - {-1}
        rows += [row] * len(words)
        columns += words
    return sp.csr_matrix((np.ones(len(rows), np.float32), (rows, columns)), (len(pairs), width))


def candidates_by_texts(foreign: sp.csr_matrix, english: sp.csr_matrix) -> np.ndarray:
    """Words that are often in two texts that translate each other, as keys."""
    short = sp.diags((np.diff(foreign.indptr) <= COUNTED_WORDS_MAX).astype(np.float32))
    counts = (foreign.T @ (short @ english)).tocoo()
    often = counts.data >= TOGETHER_MIN
    rows, columns, found = counts.row[often].astype(np.int64), counts.col[often], counts.data[often]
    totals = np.asarray(foreign.sum(0))[0][rows] + np.asarray(english.sum(0))[0][columns]
    dice = 2 * found / totals
    order = np.lexsort((-dice, rows))
    rows, columns, dice = rows[order], columns[order], dice[order]
    firsts = np.r_[0, np.nonzero(np.diff(rows))[0] + 1]
    rank = np.arange(len(rows)) - np.repeat(firsts, np.diff(np.r_[firsts, len(rows)]))
    keep = (rank < BY_TEXTS) & (dice > DICE_MIN)
    return rows[keep] * WIDTH + columns[keep]


def links(pairs: list, keys: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, int]:
    """Each candidate where it may explain an English word, the number of that word, and how far apart they stand."""
    indices, targets, apart, count = [], [], [], 0
    for foreign, english in pairs:
        one, other = np.array(foreign), np.array(english)
        at_one, at_other = np.nonzero(one >= 0)[0], np.nonzero(other >= 0)[0]
        wanted = one[at_one].astype(np.int64)[:, None] * WIDTH + other[at_other][None]
        found = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
        row, column = np.nonzero(keys[found] == wanted)
        indices.append(found[row, column])
        targets.append(count + column)
        apart.append(np.abs(at_one[row] / len(one) - at_other[column] / len(other)))
        count += len(at_other)
    return np.concatenate(indices), np.concatenate(targets), np.concatenate(apart), count


def learn(pairs: list, keys: np.ndarray, prior: np.ndarray) -> np.ndarray:
    owner = keys // WIDTH
    indices, targets, apart, count = links(pairs, keys)
    near = np.exp(-PLACE * apart)
    likely = prior.copy()
    for _ in range(ROUNDS):
        explains = likely[indices] * near
        share = explains / (np.bincount(targets, explains, count) + UNALIGNED)[targets]
        found = np.bincount(indices, share, len(keys)) + PRIOR_TEXTS * prior
        likely = found / np.bincount(owner, found)[owner]
    return likely


def without_own_spelling(words: list[str], language: str, english: dict[str, int]) -> np.ndarray:
    """Keys of words that are no English, although the English vocabulary has them: names, and words such as "ich"."""
    own, theirs = get_frequency_dict(language), get_frequency_dict("en")
    return np.array(
        [
            row * WIDTH + english[word]
            for row, word in enumerate(words)
            if word in english and own.get(word, 0) > max(2e-6, 3 * theirs.get(word, 0))
        ],
        np.int64,
    )


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--language", required=True)
    parser.add_argument("--pairs", type=Path, required=True)
    parser.add_argument("--english", type=Path, required=True, help="what embed.py wrote for en")
    parser.add_argument("--words", type=Path, required=True, help="what embed.py wrote for the language")
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()

    texts = [
        (english, translated)
        for code, english, translated in map(json.loads, options.pairs.open())
        if code == options.language and len(english) <= CHARACTERS_MAX
    ]
    in_texts = Counter(word for english, _ in texts for word in set(re.findall("[a-z]+", english.lower())))
    english_words, english_vectors = read_vectors(options.english)
    keep = [i for i, w in enumerate(english_words) if i < ENGLISH_WORDS or in_texts[w] >= ENGLISH_TEXTS_MIN]
    english_words, english_vectors = [english_words[i] for i in keep], english_vectors[keep]
    words, vectors = read_vectors(options.words)
    english_number = {word: number for number, word in enumerate(english_words)}
    number = {word: number for number, word in enumerate(words)}

    nearest, likely, similarity = near_words(vectors, english_vectors)
    pairs = []
    for english, translated in texts:
        one = numbers(translated, number)
        other = [english_number.get(word, -1) for word in re.findall("[a-z]+", english.lower())]
        if 0 < len(one) <= ALIGNED_WORDS_MAX and 0 < len(other) <= ALIGNED_WORDS_MAX:
            pairs.append((one, other))
    foreign_in = together(pairs, 0, len(words))
    by_vectors = (np.arange(len(words))[:, None] * WIDTH + nearest).ravel()
    by_texts = np.setdiff1d(
        candidates_by_texts(foreign_in, together(pairs, 1, len(english_words))), by_vectors
    )
    keys = np.concatenate([by_vectors, by_texts])
    prior = np.concatenate([likely.ravel(), np.full(len(by_texts), BY_TEXTS_PRIOR, np.float32)])
    others = ~np.isin(keys, without_own_spelling(words, options.language, english_number))
    order = np.argsort(keys[others])
    keys, prior = keys[others][order], prior[others][order]
    prior = prior / np.bincount(keys // WIDTH, prior)[keys // WIDTH]

    shares = learn(pairs, keys, prior)
    found_in = np.asarray(foreign_in.sum(0))[0]
    meanings: dict[str, list] = {}
    for index in np.lexsort((-shares, keys // WIDTH)):
        own = meanings.setdefault(words[keys[index] // WIDTH], [])
        if len(own) < MEANINGS and shares[index] >= SHARE_MIN:
            own.append([english_words[keys[index] % WIDTH], round(float(shares[index]), 3)])
    result = {
        word: {"meanings": own, "texts": int(found_in[number[word]]), "nearness": float(similarity[number[word]])}
        for word, own in meanings.items()
    }
    options.out.write_text(json.dumps(result, ensure_ascii=False))
    print(f"{options.out}: {len(result)} words, {len(pairs)} pairs")
