"""What the words of each language mean -> src/finding/search/translate/lexicon.bin, whose format lexicon.ts there describes."""

import argparse
import hashlib
import json
import struct
from pathlib import Path

FORMAT_VERSION = 1
MEANINGS, SHARE_MIN = 3, 0.05
# A word that hardly any text has is known by its vector alone, which must be near an English one.
TEXTS_MIN, NEARNESS_MIN = 3, 0.55


def choose(entry: dict, word: str) -> list:
    if entry["texts"] < TEXTS_MIN and entry["nearness"] < NEARNESS_MIN:
        return []
    meanings = [[english, share] for english, share in entry["meanings"] if share >= SHARE_MIN][:MEANINGS]
    # A word that is the same in English stays as it is written.
    return [] if meanings and meanings[0][0] == word else meanings


def pack(language: dict, english: dict[str, int]) -> bytes:
    chosen = {word.encode(): choose(entry, word) for word, entry in language.items()}
    words = sorted(word for word, meanings in chosen.items() if meanings)
    starts, values = [0], b""
    for word in words:
        starts.append(starts[-1] + len(word))
        for rank in range(MEANINGS):
            if rank < len(chosen[word]):
                meaning, share = chosen[word][rank]
                values += struct.pack("<HB", english.setdefault(meaning, len(english)), round(share * 255))
            else:
                values += bytes(3)
    head = struct.pack(f"<II{len(starts)}I", len(words), starts[-1], *starts)
    return head + values + b"".join(words)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("languages", type=Path, nargs="+", help="what align.py wrote")
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()

    english: dict[str, int] = {}
    languages = [pack(json.loads(path.read_text()), english) for path in options.languages]
    words = "\n".join(english).encode()
    body = words + b"".join(languages)
    numbers = struct.pack("<III", FORMAT_VERSION, len(languages), len(words))
    asset = b"DLEX" + numbers + bytes(16) + hashlib.sha256(body).digest() + body
    options.out.write_bytes(asset)
    print(f"{options.out}: {len(asset)} bytes, SHA-256 {hashlib.sha256(asset).hexdigest()}")
