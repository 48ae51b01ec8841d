import { stemmer } from "stemmer";
import { isStopWord } from "./stop-words.ts";
import { cutUnspaced, hasUnspaced } from "./unspaced.ts";

// A word, or something a reader would type as one thing: --dry-run, package.json, snake_case, E1234, v1.2.3, C++.
// The marks before it are bounded: a line of nothing but dashes would otherwise be tried from each of them to its end.
const TOKEN = /[-.@#/$_]{0,3}[\p{L}\p{N}\p{M}](?:[-._/@:#]?[\p{L}\p{N}\p{M}]+|_)*(?:\+\+|#)?/gu;
// The same where all is ASCII, as most lines are: several times as fast.
const ASCII_TOKEN = /[-.@#/$_]{0,3}[A-Za-z\d](?:[-._/@:#]?[A-Za-z\d]+|_)*(?:\+\+|#)?/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII is meant
const BEYOND_ASCII = /[^\x00-\x7f]/;
/** Punctuation that English text has without being anything but ASCII otherwise. */
const TYPOGRAPHY = /[\u00a0\u2010-\u2027\u2030-\u203a\u2190-\u21ff\u2500-\u25ff]/g;
// Most words: nothing in them folds, and they have no parts.
const PLAIN_WORD = /^(?:[A-Z]?[a-z]+|[A-Z]+)$/;
const TOKEN_CHARACTERS_MAX = 64;

/** Changed whenever the same text gives other terms than before: the keyword index is then made anew. */
export const ANALYZER_REVISION = "5";

/**
 * The terms under which a text is indexed and looked for: words folded and stemmed, identifiers whole and in parts,
 * text without spaces in short pieces.
 */
export function analyze(text: string): string[] {
  const terms: string[] = [];
  for (const token of tokensOf(text)) for (const term of cutOf(token).terms) terms.push(term);
  return terms;
}

/** The tokens of a text, as they are written. */
function tokensOf(text: string): string[] {
  if (!BEYOND_ASCII.test(text)) return text.match(ASCII_TOKEN) ?? [];
  const plain = text.replace(TYPOGRAPHY, " ");
  if (!BEYOND_ASCII.test(plain)) return plain.match(ASCII_TOKEN) ?? [];
  return plain
    .normalize("NFKC")
    .split("\n")
    .flatMap((line) => line.match(BEYOND_ASCII.test(line) ? TOKEN : ASCII_TOKEN) ?? []);
}

/** What a token is indexed as, and what it names exactly if it names something. */
interface Cut {
  terms: readonly string[];
  identifier: string | undefined;
}

const TOKENS_KEPT = 30_000;
/** What tokens were cut into before: most of a text are ones that come again and again, and cutting is most of the work. */
const cuts = new Map<string, Cut>();

function cutOf(token: string): Cut {
  const known = cuts.get(token);
  if (known !== undefined) return known;
  const made = cut(token);
  if (token.length <= TOKEN_CHARACTERS_MAX) {
    if (cuts.size >= TOKENS_KEPT) cuts.clear();
    cuts.set(token, made);
  }
  return made;
}

function cut(token: string): Cut {
  // Of a long address or path nobody types the whole.
  if (token.length > TOKEN_CHARACTERS_MAX && !hasUnspaced(token))
    return { terms: [...new Set(partsOf(token))], identifier: undefined };
  if (PLAIN_WORD.test(token)) return { terms: [stem(token.toLowerCase())], identifier: undefined };
  if (hasUnspaced(token)) return { terms: unspaced(token), identifier: undefined };
  const whole = wholeOf(token);
  return { terms: spaced(token, whole), identifier: isIdentifier(token, whole) ? whole : undefined };
}

/** The terms of a question: each once, without the words that every question has. */
export function analyzeQuestion(question: string): string[] {
  const all = [...new Set(analyze(question))];
  const telling = all.filter((term) => !isStopWord(term));
  return telling.length > 0 ? telling : all;
}

/**
 * What a text names exactly: `--dry-run`, `package.json`, `snake_case`, `camelCase`, `E1234`, `v1.2.3`, whole, as
 * `analyze` writes them. They are indexed in a field of their own, so that a passage that has the very thing wins.
 */
export function identifiersOf(text: string): string[] {
  const found = new Set<string>();
  for (const token of tokensOf(text)) {
    const { identifier } = cutOf(token);
    if (identifier !== undefined) found.add(identifier);
  }
  return [...found];
}

/** Numbers alone name nothing, nor do words that a hyphen or an apostrophe joins. */
function isIdentifier(token: string, whole: string): boolean {
  if (/^[\d.,:/-]+$/.test(whole) || !/[a-z]/.test(whole)) return false;
  return (
    /[_/@#$]|\+\+|^[-.]|\p{L}\.\p{L}/u.test(token) ||
    /\p{Ll}\p{Lu}|\p{Lu}{2,}\p{Ll}/u.test(token) ||
    /\d/.test(token)
  );
}

function spaced(token: string, whole: string): string[] {
  const parts = partsOf(token);
  const only = parts.length === 1 ? parts[0] : undefined;
  return only !== undefined && (only === whole || /^\p{L}+$/u.test(whole))
    ? [only]
    : [whole, ...new Set(parts)];
}

/** Stemmed like a part: a reader who types an identifier in lower case types one word. */
function wholeOf(token: string): string {
  return stem(fold(token).replace(/[.:/@#-]+$/, ""));
}

function partsOf(token: string): string[] {
  return token
    .split(/[^\p{L}\p{N}\p{M}+#]+/u)
    .filter((part) => part !== "" && part.length <= TOKEN_CHARACTERS_MAX)
    .flatMap(camelParts)
    .map((part) => stem(fold(part)));
}

function unspaced(token: string): string[] {
  const { terms, others } = cutUnspaced(token);
  return [...terms, ...others.flatMap((rest) => cutOf(rest).terms)];
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
