import { stemmer } from "stemmer";
import { isStopWord } from "./stop-words.ts";

// A word, or something a reader would type as one thing: --dry-run, package.json, snake_case, E1234, v1.2.3, C++.
// The marks before it are bounded: a line of nothing but dashes would otherwise be tried from each of them to its end.
const TOKEN = /[-.@#/$_]{0,3}[\p{L}\p{N}\p{M}](?:[-._/@:#]?[\p{L}\p{N}\p{M}]+|_)*(?:\+\+|#)?/gu;
// Scripts that are written without spaces between words.
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const UNSPACED_RUN =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{M}ー]+/gu;
// Most words: nothing in them folds, and they have no parts.
const PLAIN_WORD = /^(?:[A-Z]?[a-z]+|[A-Z]+)$/;
const TOKEN_CHARACTERS_MAX = 64;

/**
 * The terms under which a text is indexed and looked for: words folded and stemmed, identifiers whole and in parts,
 * text without spaces in pairs of characters.
 */
export function analyze(text: string): string[] {
  const terms: string[] = [];
  const normal = text.normalize("NFKC");
  const mayBeUnspaced = UNSPACED.test(normal);
  for (const [token] of normal.matchAll(TOKEN)) {
    if (mayBeUnspaced && UNSPACED.test(token)) terms.push(...unspaced(token));
    else terms.push(...spaced(token));
  }
  return terms;
}

/** The terms of a question: each once, without the words that every question has. */
export function analyzeQuestion(question: string): string[] {
  const all = [...new Set(analyze(question))];
  const telling = all.filter((term) => !isStopWord(term));
  return telling.length > 0 ? telling : all;
}

function spaced(token: string): string[] {
  // Of a long address or path nobody types the whole.
  if (token.length > TOKEN_CHARACTERS_MAX) return [...new Set(partsOf(token))];
  if (PLAIN_WORD.test(token)) return [stem(token.toLowerCase())];
  // Stemmed like a part: a reader who types an identifier in lower case types one word.
  const whole = stem(fold(token).replace(/[.:/@#-]+$/, ""));
  const parts = partsOf(token);
  const only = parts.length === 1 ? parts[0] : undefined;
  return only !== undefined && (only === whole || /^\p{L}+$/u.test(whole))
    ? [only]
    : [whole, ...new Set(parts)];
}

function partsOf(token: string): string[] {
  return token
    .split(/[^\p{L}\p{N}\p{M}+#]+/u)
    .filter((part) => part !== "" && part.length <= TOKEN_CHARACTERS_MAX)
    .flatMap(camelParts)
    .map((part) => stem(fold(part)));
}

function unspaced(token: string): string[] {
  const terms: string[] = [];
  for (const [run] of token.matchAll(UNSPACED_RUN)) {
    const characters = [...run];
    if (characters.length === 1) terms.push(run);
    for (let index = 0; index + 1 < characters.length; index++) {
      terms.push(`${characters[index]}${characters[index + 1]}`);
    }
  }
  for (const rest of token.split(UNSPACED_RUN)) if (rest !== "") terms.push(...spaced(rest));
  return terms;
}

function camelParts(word: string): string[] {
  return word.split(/(?<=\p{Ll}|\p{N})(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u);
}

function fold(word: string): string {
  return word
    .toLowerCase()
    .normalize("NFD")
    .replace(/(?<=[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}])\p{Mn}+/gu, "")
    .normalize("NFC");
}

function stem(word: string): string {
  return /^[a-z]{3,}$/.test(word) ? stemmer(word) : word;
}
