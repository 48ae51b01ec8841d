import { englishStem } from "../stems/stems.ts";
import { type Spelling, spellingOf, wordAt } from "./spelling.ts";

/** What was typed into a search box to get somewhere. */
export interface Typed {
  /** As it was typed, in lower case. */
  text: string;
  /** Its words, by letters and digits alone. */
  spelling: Spelling;
  words: readonly string[];
  stems: readonly string[];
  /** Whether the last word may go on. */
  isUnfinished: boolean;
  /** Whether it is written as names are in code: `--frozen-lockfile`, `outDir`, `build.target`. */
  isCode: boolean;
}

/** Longer texts ask something. */
const WORDS_MAX = 4;
/** What questions begin with, in the languages that people ask in most. One by itself may be a name, as in `pnpm why`. */
const ASKING =
  /^(?:how|what|why|when|where|which|who|whose|can|could|does|do|did|is|are|should|will|wie|was|warum|wieso|wann|wo|welche[rsnm]?|wer|kann|comment|pourquoi|quand|où|quel(?:le)?s?|qui|peut|cómo|qué|por|cuándo|dónde|cuál|quién|puedo|como|quando|perché|dove|quale|hoe|wat|waarom|wanneer|waar|welke|kan|jak|dlaczego|gdzie|как|что|почему|где|когда)$/u;
const CODE = /(?:^|\s)--?\p{L}|[\p{L}\p{N}][._:@/-]+\p{L}|\p{Ll}\p{Lu}|_/u;

/** Reads what was typed; undefined where that asks a question, or has no letters. */
export function readTyped(text: string, isUnfinished: boolean): Typed | undefined {
  const trimmed = text.trim();
  const words = trimmed.split(/\s+/);
  const isQuestion = words.length > 1 && ASKING.test(words[0]?.toLowerCase() ?? "");
  if (words.length > WORDS_MAX || isQuestion || /[?？]$/u.test(trimmed)) return undefined;
  const spelling = spellingOf(trimmed);
  if (spelling.letters === "") return undefined;
  return {
    text: trimmed.toLowerCase(),
    ...read(spelling),
    isUnfinished: isUnfinished && !/\s$/u.test(text),
    isCode: CODE.test(trimmed),
  };
}

function read(spelling: Spelling): Pick<Typed, "spelling" | "words" | "stems"> {
  const words = spelling.starts.map((_, index) => wordAt(spelling, index));
  return { spelling, words, stems: words.map(englishStem) };
}

/** What was typed without a word that many titles of the site begin with: options are typed with the product's name, too. */
export function withoutProduct(typed: Typed, beginnings: ReadonlySet<string>): Typed | undefined {
  const [first = ""] = typed.words;
  if (typed.words.length < 2 || !beginnings.has(first)) return undefined;
  const letters = typed.spelling.letters.slice(first.length);
  const starts = typed.spelling.starts.slice(1).map((start) => start - first.length);
  return { ...typed, ...read({ letters, starts }) };
}
