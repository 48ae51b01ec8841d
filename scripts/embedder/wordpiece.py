"""Text to vocabulary entries, exactly as src/models/builtin/wordpiece.ts does it."""

import re
import unicodedata

# A run of letters, digits and marks. \w would take the underscore, which parts the words of an identifier.
WORD = re.compile(r"(?:[^\W_][\u0300-\u036f]*)+")
CJK = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0002fa1f]")
CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
PIECE_MAX_CHARACTERS = 40
WORD_MAX_CHARACTERS = 100


def fold(word: str) -> str:
    """Lower case, accents dropped."""
    if word.isascii():
        return word.lower()
    return "".join(c for c in unicodedata.normalize("NFD", word.lower()) if unicodedata.category(c) != "Mn")


class Wordpiece:
    def __init__(self, vocabulary: list[str]) -> None:
        self.ids = {entry: index for index, entry in enumerate(vocabulary)}
        self.cache: dict[str, list[int]] = {}

    def encode(self, text: str) -> list[int]:
        """Entries of all words; a part that the vocabulary cannot spell is left out."""
        ids: list[int] = []
        for word in WORD.findall(CJK.sub(r" \g<0> ", text)):
            known = self.cache.get(word)
            if known is None:
                known = self.cache[word] = self.word(word)
            ids += known
        return ids

    def word(self, word: str) -> list[int]:
        if len(word) > WORD_MAX_CHARACTERS:
            return []
        whole = self.ids.get(fold(word))
        if whole is not None:
            return [whole]
        return [piece for part in CAMEL.split(word) for piece in self.pieces(fold(part))]

    def pieces(self, word: str) -> list[int]:
        """The longest entry that begins the word, then the longest that goes on, and so forth."""
        found: list[int] = []
        start = 0
        while start < len(word):
            for end in range(min(len(word), start + PIECE_MAX_CHARACTERS), start, -1):
                piece = self.ids.get(("##" if start else "") + word[start:end])
                if piece is not None:
                    break
            else:
                return []
            found.append(piece)
            start = end
        return found
