import { isStopWord, type Word, wordsOf } from "../../search/analyze.ts";
import { type QuestionKind, questionKind } from "./kind.ts";
import {
  expandPhrases,
  FILLERS,
  keyOf,
  LABELS,
  LIGHT,
  meaningOf,
  PLACED,
  QUALIFIERS,
  TELLING,
} from "./words.ts";

/** A question as it is compared with others. */
export interface ReadQuestion {
  text: string;
  /** The same for all that differ in case, spaces and punctuation alone. */
  exact: string;
  kind: QuestionKind;
  /** What it is about, with the weight of each word. */
  terms: Map<string, number>;
  /** What the other question must have as well, or it asks something else: numbers, versions, options, "not", "all". */
  strict: Set<string>;
  /** Names of things, which the other question must mention in some way. */
  names: Set<string>;
  /** What stands behind `to` and behind `from`. */
  to: Set<string>;
  from: Set<string>;
}

const LIGHT_WEIGHT = 0.5;
const QUESTION_MARKS = /^[¿¡"'“”‘’«»(（「]+|[?!.,;:…"'“”‘’«»)）？！。，；：」]+$/gu;
/** Behind these, `to` begins what is to be done. */
const BEFORE_INFINITIVE = new Set(
  "how want wants need needs try trying able like possible way ways have has do go going ought allowed supposed is are where what when best easiest order".split(
    " ",
  ),
);
const TO = new Set(["to", "into", "onto"]);

/** Reads a question. `ignored` are words that tell nothing where it is asked, such as the site's own name. */
export function readQuestion(text: string, ignored: ReadonlySet<string>): ReadQuestion {
  const plain = expandPhrases(text);
  const isTitle = isTitleCase(text);
  const question: ReadQuestion = {
    text,
    exact: exactForm(text),
    kind: questionKind(plain),
    terms: new Map(),
    strict: new Set(),
    names: new Set(),
    to: new Set(),
    from: new Set(),
  };
  let before = "";
  let direction: "to" | "from" | undefined;
  for (const [index, word] of wordsOf(plain).entries()) {
    const written = word.written.toLowerCase();
    const keys = keysOf(word);
    if (TO.has(written)) direction = BEFORE_INFINITIVE.has(before) ? undefined : "to";
    else if (written === "from") direction = "from";
    before = written;
    const qualifier = QUALIFIERS.get(written);
    if (qualifier !== undefined) question.strict.add(qualifier);
    if (qualifier !== undefined || isFiller(written, keys) || keys.every((key) => ignored.has(key))) continue;
    const weight = LIGHT.has(keys[0] ?? "") ? LIGHT_WEIGHT : 1 / keys.length;
    for (const key of keys) question.terms.set(key, weight);
    if (isExact(word)) question.strict.add(keys[0] ?? "");
    else if (isName(word, index, isTitle)) question.names.add(keys[0] ?? "");
    if (direction !== undefined) question[direction].add(keys[0] ?? "");
    direction = undefined;
  }
  if ([...question.strict].some((key) => !key.startsWith("="))) forget(question, LABELS);
  if (question.kind === "where") forget(question, PLACED);
  return question;
}

/** Leaves words out that add nothing to the others. */
function forget({ terms }: ReadQuestion, words: ReadonlySet<string>): void {
  const left = [...terms.keys()].filter((key) => !words.has(key));
  if (left.length === 0) return;
  for (const key of terms.keys()) if (words.has(key)) terms.delete(key);
}

/** The words that a site's name is made of, as questions are read. */
export function ignoredWords(siteName: string): ReadonlySet<string> {
  return new Set(wordsOf(expandPhrases(siteName)).flatMap(keysOf));
}

/** A question without what is of no matter to anybody: case, spaces, and the punctuation around its words. */
export function exactForm(text: string): string {
  return text
    .normalize("NFKC")
    .toLowerCase()
    .split(/\s+/)
    .map((word) => word.replace(QUESTION_MARKS, ""))
    .filter((word) => word !== "")
    .join(" ");
}

/** A word has one key, however it is spelled; text without spaces has one for each of its pieces. */
function keysOf({ terms, spellings, isName, written }: Word): string[] {
  const isUnspaced = terms.length > 1 && !isName && spellings.length === 0 && !/[-_.'/]/.test(written);
  const own = isUnspaced ? [...new Set(terms)] : [spellings.at(-1) ?? terms[0] ?? written];
  return own.map((term) => meaningOf(keyOf(term)));
}

function isFiller(written: string, keys: string[]): boolean {
  if (TELLING.has(keys[0] ?? "")) return false;
  return FILLERS.has(keyOf(written)) || FILLERS.has(keys[0] ?? "") || isStopWord(written);
}

/** A number, or something that is typed exactly as it is: an option, a file, a version, a code. */
function isExact({ written }: Word): boolean {
  return /\d/.test(written) || /^[-.@#$_]|[_/@#$]|\+\+|::|\p{L}\.\p{L}/u.test(written);
}

/** Written as names are: capitals inside, nothing but capitals, or a capital that no beginning of a sentence explains. */
function isName({ written, isName }: Word, index: number, isTitle: boolean): boolean {
  if (isName || (/^\p{Lu}{2,}s?$/u.test(written) && !isTitle)) return true;
  return index > 0 && !isTitle && /^\p{Lu}\p{Ll}/u.test(written);
}

/** Where most words have a capital, it says nothing. */
function isTitleCase(text: string): boolean {
  const words = text.match(/\p{L}[\p{L}\p{M}]+/gu) ?? [];
  return words.filter((word) => /^\p{Lu}/u.test(word)).length * 2 > words.length;
}
