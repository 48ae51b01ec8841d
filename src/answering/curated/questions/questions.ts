import { isStopWord, type Word, wordsOf } from "@docent/finding/search/analyze";
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

export { createQuestionVectors, type MeasureQuestions } from "./vectors.ts";
export { meaningsIn } from "./words.ts";

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
  /** Words that stand behind `to`, and behind `from`. */
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

/** How much a word of a question counts, given the weight that reading gave it. */
type Weigh = (term: string, weight: number) => number;

/** How much of what two questions are about they share, from 0 to 1, counted from the one that shares less. */
export function sharedPart(a: ReadQuestion, b: ReadQuestion, weigh: Weigh = (_, weight) => weight): number {
  return Math.min(coverage(a, b, weigh), coverage(b, a, weigh));
}

/** The share of a's words, by their weight, that b has. */
function coverage(a: ReadQuestion, b: ReadQuestion, weigh: Weigh): number {
  let all = 0;
  let shared = 0;
  for (const [term, given] of a.terms) {
    const weight = weigh(term, given);
    all += weight;
    if (b.terms.has(term)) shared += weight;
  }
  return shared / all;
}

/** Whether each of two questions mentions the names that are in the other. */
export function haveSameNames(a: ReadQuestion, b: ReadQuestion): boolean {
  return a.names.isSubsetOf(b.terms) && b.names.isSubsetOf(a.terms);
}

/** Whether one question goes from A to B and the other from B to A. */
export function areOpposite(a: ReadQuestion, b: ReadQuestion): boolean {
  return !a.from.isDisjointFrom(b.to) || !a.to.isDisjointFrom(b.from);
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
  return own.map(meaningOf);
}

function isFiller(written: string, keys: string[]): boolean {
  if (TELLING.has(keys[0] ?? "")) return false;
  return FILLERS.has(keyOf(written)) || FILLERS.has(keys[0] ?? "") || isStopWord(written);
}

/** A number, or something that is typed exactly as it is: an option, a file, a version, a code. */
function isExact({ written }: Word): boolean {
  return /\d/.test(written) || /^[-.@#$_]|[_/@#$]|\+\+|::|\p{L}\.\p{L}/u.test(written);
}

/**
 * Written as names are: capitals inside, nothing but capitals, or a capital that no beginning of a sentence explains.
 */
function isName({ written, isName }: Word, index: number, isTitle: boolean): boolean {
  if (isName || (/^\p{Lu}{2,}s?$/u.test(written) && !isTitle)) return true;
  return index > 0 && !isTitle && /^\p{Lu}\p{Ll}/u.test(written);
}

/** Whether most words have a capital, which then says nothing. */
function isTitleCase(text: string): boolean {
  const words = text.match(/\p{L}[\p{L}\p{M}]+/gu) ?? [];
  return words.filter((word) => /^\p{Lu}/u.test(word)).length * 2 > words.length;
}

/** What a question wants to know of what it is about. */
export type QuestionKind =
  | "how"
  | "how-it"
  | "what"
  | "which"
  | "where"
  | "why"
  | "when"
  | "who"
  | "quantity"
  | "whether"
  | "duty"
  | "none";

const DUTY =
  /\b(?:should (?:i|we|one)|do (?:i|we|you) (?:really |still )?(?:need|have) to|must (?:i|we|one)|(?:is|are) (?:it|this|that|they)? ?(?:necessary|required|mandatory|needed|safe))\b/i;
const MAY =
  /^(?:can|could|may)\b.*?\bbe\b|^\W*(?:\S+ ){0,4}?(?:can|could|may) (?:i|we|you|one|somebody|someone)\b|\bis (?:it possible|there (?:a|any) way)\b|\bam i able\b/i;
const ASKING =
  /\b(?:why|how come|reason|when|who|whose|whom|where|what|which|how (?:many|much|long|often|big|large|fast|old|far|soon)|how)\b/i;
const WHETHER = /^\W*(?:is|are|was|were|does|do|did|has|have|had|will|would)\b/i;
/** "What is the way to …" asks how. */
const WAY =
  /^what (?:is|are) (?:the |a |an )?(?:\w+ )?(?:ways?|steps?|procedure|process|commands?|method)\b|^what (?:do|should|must|can|would|could) (?:i|we|you) (?:need to |have to )?(?:do|use|run|type)\b|^what to do\b/i;
/** "Explain what generations are" asks what they are. */
const WHAT_THEY_ARE = /^what (?:\S+ ){1,4}(?:is|are)\W*$/i;
/** Questions for one of several things. */
const WHICH =
  /^(?:which|what (?!(?:is|are|was|were|does|do|did|has|have|can|could|should|would|will|must|happens?|if|about)\b))/i;
/** Questions for the place where something is done, which ask how. */
const DOING = /^where (?:do|can|could|should|would) (?:i|we|you)\b|^where to\b/i;

/** Reads from its first words what a question, in English, wants to know. */
function questionKind(text: string): QuestionKind {
  const asking = ASKING.exec(text);
  if (asking === null) {
    if (DUTY.test(text)) return "duty";
    if (MAY.test(text)) return "how";
    return WHETHER.test(text) ? "whether" : "none";
  }
  const rest = text.slice(asking.index);
  const word = asking[0].toLowerCase();
  if (word === "why" || word === "how come" || word === "reason") return "why";
  if (word === "when") return "when";
  if (word.startsWith("who")) return "who";
  if (word.startsWith("how ")) return "quantity";
  if (word === "where") return DOING.test(rest) ? "how" : "where";
  if (word === "how") return /^how (?:does|did|will)\b/i.test(rest) ? "how-it" : "how";
  if (WAY.test(rest)) return "how";
  return WHICH.test(rest) && !WHAT_THEY_ARE.test(rest) ? "which" : "what";
}

/** Kinds that a question without a question word may be of. */
const OPEN: ReadonlySet<QuestionKind> = new Set(["how", "what"]);

/** Whether two questions about the same want to know the same of it. */
export function isSameKind(a: QuestionKind, b: QuestionKind): boolean {
  if (a === b) return true;
  return (a === "none" && OPEN.has(b)) || (b === "none" && OPEN.has(a));
}
