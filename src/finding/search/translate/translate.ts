import { analyze, isStopWord } from "../analyze.ts";
import type { KeywordView } from "../keyword-index/keyword-index.ts";
import { areDocsEnglish, isMostlyEnglish, type OrdinaryWords } from "../relevance/relevance.ts";
import { type Meaning, readLexicon, type Words } from "./lexicon.ts";
import { lettersKnown, meaningsOf, type WrittenWord, wordsIn } from "./read-words.ts";

// A question in another language than the docs shares next to no words with them. Word for word, its translation is no
// good English, but it has the words that the docs have, and its vector is near theirs.

interface Docs {
  view: Pick<KeywordView, "passages" | "frequencies" | "nearWords">;
  /** The only language that is searched, where there is a filter. */
  language: string | undefined;
}

/**
 * Translates a question into English, word for word, where it is in another language and the docs are in English. Lines
 * stay lines. The first line, or what stands before a colon, as the topic of a follow-up, may be in another language than the rest.
 */
export type Translate = (text: string, docs: Docs) => Promise<string | undefined>;

/** So much of a question must be words of a language, in letters: the rest may be names. */
const KNOWN_LETTERS_MIN = 0.3;
/** A less likely meaning is taken only where the docs do not have the likeliest. */
const SHARE_OF_LIKELIEST_MIN = 0.25;

interface TranslateDeps {
  readAsset(): Promise<Uint8Array>;
  /** Whether this is a word as people write it in English. */
  isWord(text: string): Promise<boolean>;
  ordinaryWords(): Promise<OrdinaryWords>;
}

/** The asset is read with the first question that seems to be in another language. */
export function createTranslate({ readAsset, isWord, ordinaryWords }: TranslateDeps): Translate {
  let lexicon: Promise<Words[]> | undefined;
  const asWhole: Translate = async (text, docs) => {
    const english = await ordinaryWords();
    if (isMostlyEnglish(text, english) || !(await isInEnglish(docs))) return undefined;
    lexicon ??= readAsset().then(readLexicon);
    const written = await withKinds(wordsIn(text), docs, { ordinary: english, isWord });
    const words = languageOf(written, await lexicon);
    if (words === undefined || (await isSlipOfFingers(written, docs))) return undefined;
    return wordForWord(text, written, words, docs);
  };
  return async (text, docs) => (await inParts(text, docs, asWhole)) ?? (await asWhole(text, docs));
}

/** The first line and the others; or what stands before a colon and behind it. */
const PARTS = [/^([^\n]+)(\n)(.+)$/s, /^([^\n]*?[:：])(\s+)([^\n]+)$/];

/** Translates one of two parts; undefined where there are none, or where both or neither are in another language. */
async function inParts(text: string, docs: Docs, translate: Translate): Promise<string | undefined> {
  const parts = PARTS.map((each) => each.exec(text)).find((found) => found !== null);
  const [, before, between = "", behind] = parts ?? [];
  if (before === undefined || behind === undefined) return undefined;
  const [first, second] = [await translate(before, docs), await translate(behind, docs)];
  if ((first === undefined) === (second === undefined)) return undefined;
  const isSure = saysItsLanguage(first === undefined ? behind : before);
  return isSure ? `${first ?? before}${between}${second ?? behind}` : undefined;
}

async function isInEnglish({ view, language }: Docs): Promise<boolean> {
  if (language !== undefined) return /^en(?:$|-)/i.test(language);
  return areDocsEnglish(view.passages, async (term) => (await view.frequencies([term])).get(term) ?? 0);
}

/** Ordinary English, another English word, a word that the docs have, or none of these. */
type Kind = "ordinary" | "english" | "docs" | "other";

/** A word of another language may stand in an example; one that fewer passages have is not taken for the docs' own. */
const IN_PASSAGES_MIN = 3;
const IN_PASSAGES_SHARE_MIN = 0.01;

interface AskedWord extends WrittenWord {
  kind: Kind;
}

async function withKinds(
  written: readonly WrittenWord[],
  { view, language }: Docs,
  { ordinary, isWord }: { ordinary: OrdinaryWords; isWord: TranslateDeps["isWord"] },
): Promise<AskedWord[]> {
  const termsOf = new Map(written.map((word) => [word, analyze(word.written)]));
  // Where a filter leaves out pages in the question's own language, its words are theirs.
  const inDocs =
    language === undefined
      ? await view.frequencies([...new Set([...termsOf.values()].flat())])
      : new Map<string, number>();
  const enough = Math.min(IN_PASSAGES_MIN, view.passages * IN_PASSAGES_SHARE_MIN);
  const kindOf = async (word: WrittenWord): Promise<Kind> => {
    const terms = termsOf.get(word) ?? [];
    if (terms.every((term) => isStopWord(term) || ordinary.has(term))) return "ordinary";
    if (terms.every((term) => (inDocs.get(term) ?? 0) >= enough)) return "docs";
    return (await isWord(word.written)) ? "english" : "other";
  };
  return Promise.all(written.map(async (word) => ({ ...word, kind: await kindOf(word) })));
}

/** The words of the language that a question is in; undefined where it may be in English, or none is known. */
function languageOf(written: readonly AskedWord[], languages: readonly Words[]): Words | undefined {
  const all = written.reduce((sum, each) => sum + each.written.length, 0);
  let best: { words: Words; known: number } | undefined;
  for (const words of languages) {
    let known = 0;
    let foreign = 0;
    let english = 0;
    for (const each of written) {
      const letters = lettersKnown(each, words);
      known += letters;
      if (each.kind === "ordinary") english += letters === 0 ? each.written.length : 0;
      else if (each.kind === "other" || isFunctionWord(each, words)) foreign += letters;
    }
    const isLikely = foreign > english && foreign >= all * KNOWN_LETTERS_MIN;
    if (isLikely && (best === undefined || known > best.known)) best = { words, known };
  }
  return best?.words;
}

/** In so few words there is one of some language by chance: Dutch has a `bundel`. */
const WORDS_TELLING_NOTHING = 2;
/** A script without spaces tells it in one word. */
function saysItsLanguage(text: string): boolean {
  const words = wordsIn(text);
  return words.length > WORDS_TELLING_NOTHING || words.some(({ isRun }) => isRun);
}

/** Two letters that changed places, or one that was typed twice. */
const SLIP_COST_MAX = 70;
const SLIP_PASSAGES_MIN = 3;

/** Whether all that is no English in a very short question is a word of the docs with a slip in it. */
async function isSlipOfFingers(written: readonly AskedWord[], { view }: Docs): Promise<boolean> {
  const others = written.filter(({ kind }) => kind === "other");
  if (written.length > WORDS_TELLING_NOTHING || others.length === 0) return false;
  for (const { written: word } of others) {
    const near = await view.nearWords(word.toLowerCase());
    if (!near.some(({ cost, passages }) => cost <= SLIP_COST_MAX && passages >= SLIP_PASSAGES_MIN))
      return false;
  }
  return true;
}

/** Whether a word means one that is in any question, such as "the": in English it would be a name. */
function isFunctionWord({ written }: WrittenWord, words: Words): boolean {
  const [likeliest] = words.meanings(written.toLowerCase());
  return (
    likeliest !== undefined && likeliest.english !== written.toLowerCase() && isStopWord(likeliest.english)
  );
}

async function wordForWord(
  text: string,
  written: readonly AskedWord[],
  words: Words,
  { view }: Docs,
): Promise<string> {
  const foreign = written.filter((word) => word.kind !== "docs" || isFunctionWord(word, words));
  const translated = foreign.map((word) => ({ word, parts: meaningsOf(word, words) }));
  const terms = translated.flatMap(({ parts }) => parts.flat().map(({ english }) => termOf(english)));
  const known = await view.frequencies([...new Set(terms)]);
  let result = text;
  for (const { word, parts } of translated.toReversed()) {
    if (parts.length === 0 && !word.isRun && word.written.length > 1) continue;
    const chosen = parts.map((meanings) => chooseMeaning(meanings, known)).join(" ");
    result = `${result.slice(0, word.at)} ${chosen} ${result.slice(word.at + word.written.length)}`;
  }
  return result
    .replace(/[^\S\n]+/g, " ")
    .replace(/ ?\n\s*/g, "\n")
    .trim();
}

/** The likeliest meaning of those that the docs have. */
function chooseMeaning(meanings: readonly Meaning[], known: ReadonlyMap<string, number>): string {
  const likeliest = meanings[0];
  if (likeliest === undefined) return "";
  const found = meanings.find(
    ({ english, share }) =>
      share >= likeliest.share * SHARE_OF_LIKELIEST_MIN &&
      (known.has(termOf(english)) || isStopWord(english)),
  );
  return (found ?? likeliest).english;
}

const termOf = (word: string) => analyze(word)[0] ?? "";

export { readLexiconAsset } from "./lexicon.ts";
export { isSaidAsWritten } from "./said-as-written.ts";
