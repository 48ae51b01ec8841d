import { letOthersRun } from "@docent/kernel/lib/event-loop";
import type { Audience } from "@docent/sites/pages/audience";
import type { PageFilter } from "@docent/sites/pages/pages";
import { withoutAsking, withoutNames, withoutOwnThings } from "./asking/asking.ts";
import { asDocsWrite } from "./compounds.ts";
import { correctWords } from "./correct-words.ts";
import type { GenerationCache } from "./generation-cache.ts";
import { type KeywordView, SHARE_MAX } from "./keyword-index/keyword-index.ts";
import { matchWords, type WordProposals } from "./match-words.ts";
import { type createMeaningMatch, type Meaning, NO_LEVEL } from "./meaning/meaning.ts";
import type { NameInWords } from "./names-in-words.ts";
import { type Fused, fuse, type Proposal } from "./rank-passages.ts";
import { type KeywordQuery, readQuery } from "./read-query.ts";
import type { OrdinaryWords } from "./relevance/relevance.ts";
import type { Frequencies, IndexState, SearchScope, SearchStore } from "./search-store.ts";
import {
  asContinued,
  lessOfEveryday,
  readContinued,
  readStory,
  type Story,
  saidIn,
  termsOf,
  textOf,
  type WeighedText,
  withoutOwnThingsTold,
} from "./story/story.ts";
import { knownSpellings, type TermWeights } from "./term-weights.ts";
import { isSaidAsWritten, type Translate } from "./translate/translate.ts";
import { findForms, inAllForms, type WordForms } from "./word-forms/word-forms.ts";

// The first half of the way from a question to passages: the question is read in the words of its site, and words and
// meaning propose what may answer it.

/** What is known of a question that goes on with a conversation. */
export interface Conversation {
  /**
   * How the text begins, before a colon: what the conversation is about. Undefined where that counts as much as what is asked.
   */
  topic: string | undefined;
  /** The paths of the pages that were cited last. */
  cited: readonly string[];
}

export interface SearchQuery {
  siteId: number;
  /** Who asks: what is not for them is not there. */
  audience: Audience;
  text: string;
  filter?: PageFilter | undefined;
  pageSize: number;
  /** The page that the reader is on: it and its neighbours score a little higher. */
  currentPath?: string | undefined;
  /** The conversation that a question goes on with. */
  conversation?: Conversation | undefined;
  /** Whether the last word may be unfinished. */
  asYouType?: boolean | undefined;
  /** Whether each passage comes as the whole section that it is a part of. */
  sections?: "whole" | undefined;
  /**
   * For search boxes, whose readers go somewhere rather than ask: pages and sections that have the name that was typed come
   * first. By how well passages answer unless given.
   */
  order?: "navigation" | undefined;
  /**
   * What searching is made of; all of it unless given, and of what models wrote for passages what counts. Evaluations set
   * it.
   */
  parts?: Partial<Record<"keyword" | "nearest" | "corrections" | "enrichment", boolean>> | undefined;
}

/** What reading a question takes. */
interface ReadingSteps {
  store: Pick<SearchStore, "load">;
  /** Whether a text is a word as people write it. */
  isWord(text: string): Promise<boolean>;
  translate: Translate;
  ordinaryWords(): Promise<OrdinaryWords>;
}

/** The same, and what proposing takes. */
export interface ProposingSteps extends ReadingSteps {
  matchMeaning: ReturnType<typeof createMeaningMatch>;
  cache: GenerationCache;
}

/**
 * How many passages each way of searching proposes. Each costs reading, and with 150 no set of questions gains more than
 * two thousandths of nDCG@10.
 */
const PROPOSED = 120;
/** How many more passages are scored than asked for: some fall behind, some share a section. */
const READ_BESIDES = 20;
/** How many of the best proposals are scored. */
export const scoredFor = (pageSize: number): number => pageSize + READ_BESIDES;
/** A longer question, or text pasted into it, says no more of what it is about and would block the thread. */
const TEXT_CHARACTERS_MAX = 10_000;
const NO_WORDS: WordProposals = { found: [], named: new Set() };
const NO_FORMS: WordForms = new Map();

/** Where a question is searched, and the state of the index there. */
export interface Where {
  scope: SearchScope;
  state: IndexState;
  /** Whether what was written for passages has a part in it. */
  isEnriched: boolean;
}

/** A question as it is searched for, and where. */
export interface Reading extends Where {
  view: KeywordView;
  text: string;
  /** Those of a question of several sentences; none of others. */
  lines: readonly WeighedText[];
  query: KeywordQuery;
  names: readonly NameInWords[];
  /** The terms of the product's own name. */
  ofProduct: ReadonlySet<string>;
  frequencies: Frequencies;
  known: TermWeights;
}

/** What words and meaning propose for a question. */
export interface Proposed {
  words: WordProposals;
  /** Undefined where the question or the site has no vectors. */
  meaning: Meaning | undefined;
  /** All proposals, best first. */
  fused: Fused[];
}

/** What words and meaning propose, alone and together. */
export async function proposeAll(
  { matchMeaning, cache }: Pick<ProposingSteps, "matchMeaning" | "cache">,
  { pageSize, parts = {} }: Pick<SearchQuery, "pageSize" | "parts">,
  { scope, state, isEnriched, view, text, lines, query, names, ofProduct, frequencies, known }: Reading,
): Promise<Proposed> {
  const isEmpty = query.terms.length === 0;
  const limit = Math.max(PROPOSED, pageSize * 2);
  const isByWords = !isEmpty && parts.keyword !== false;
  const words = isByWords ? await matchWords(view, query, { names, frequencies, limit }) : NO_WORDS;
  // Each step blocks the thread for a millisecond or two; streams go on between them.
  await letOthersRun();
  const isByMeaning = !isEmpty && parts.nearest !== false;
  // Every passage is a little nearer to a question that names the product, and those that only name it most of all.
  const said = {
    text: withoutNames(text, ofProduct),
    lines: lines.map((line) => ({ ...line, text: withoutNames(line.text, ofProduct) })),
  };
  const meaning = isByMeaning ? await matchMeaning({ scope, state, isEnriched }, said) : undefined;
  await letOthersRun();
  const fused = fuse(await propose({ words, meaning }, limit), {
    wordsMost: SHARE_MAX * known.values().reduce((sum, weight) => sum + weight, 0),
    level: meaning?.level ?? NO_LEVEL,
    passages: view.passages,
    tracked: await cache.questionPassages(scope),
    isVerbatim: query.isVerbatim,
  });
  return { words, meaning, fused };
}

interface ReadOptions {
  asYouType: boolean;
  corrects: boolean;
}

/**
 * Reads a question, sentence by sentence where it has several; one in another language is translated, and what is
 * misspelled in others is corrected.
 */
export async function read(
  steps: ReadingSteps,
  view: KeywordView,
  { text, conversation, filter, asYouType = false, parts }: SearchQuery,
) {
  const whole = text.slice(0, TEXT_CHARACTERS_MAX).toWellFormed();
  const topic = conversation?.topic;
  // While a question is typed, its last word may be the beginning of any.
  const asTold = asYouType ? undefined : readTold(whole, topic);
  const story = asTold === undefined ? undefined : await withoutOwnThingsTold(asTold, view);
  const [single = whole] = story !== undefined || asYouType ? [whole] : await withoutOwnThings([whole], view);
  const written = story === undefined ? withoutAsking(single) : textOf(story);
  const options = { asYouType, corrects: parts?.corrections !== false };
  const asTranslated = asYouType
    ? undefined
    : await readTranslated(steps, view, { written, story, language: filter?.language });
  const reading = asTranslated ?? (await readAsWritten(steps, view, written, options));
  const { isTranslated, isRespelled } = reading;
  const spelled = isRespelled ? await asDocsWrite(text, { view, isWord: steps.isWord }) : undefined;
  const asRead = { ...reading, spelled, story };
  if (story === undefined)
    return { ...asRead, judged: { text: reading.text, query: reading.query, isTranslated } };
  const { shares: told, asked } = termsOf(reading.text, story);
  const shares = lessOfEveryday(told, reading.frequencies, await steps.ordinaryWords());
  const query = inAllForms({ ...reading.query, shares }, reading.forms);
  if (topic === undefined)
    return { ...asRead, judged: { text: saidIn(reading.text, story), asked, query, isTranslated }, query };
  // Whether the docs answer is judged by all words alike: what is asked may be said of the topic alone.
  const judged = { text: asContinued(reading.text), query: reading.query, isTranslated };
  const corrected = reading.corrected && { ...reading.corrected, text: asContinued(reading.corrected.text) };
  return { ...asRead, corrected, judged, query };
}

const readTold = (question: string, topic: string | undefined): Story | undefined =>
  topic === undefined ? readStory(question) : readContinued(question, topic);

interface Written {
  written: string;
  story: Story | undefined;
  /** The only language that is searched, where there is a filter. */
  language: string | undefined;
}

/** Reads a question in another language than the docs; undefined where it is in theirs. */
async function readTranslated(steps: ReadingSteps, view: KeywordView, { written, story, language }: Written) {
  // Code is in no language.
  const said = story === undefined ? written : saidIn(written, story);
  const translated = await steps.translate(said, { view, language });
  if (translated === undefined) return undefined;
  // Where a filter leaves only one language, pages in another are none of the question's.
  const isSaid = language === undefined && (await isSaidAsWritten(readQuery(said).terms, { ...steps, view }));
  if (isSaid) return undefined;
  const asDocs = await asDocsWrite(translated, { view, isWord: steps.isWord });
  const text = story === undefined ? asDocs.replaceAll("\n", " ") : asDocs + written.slice(said.length);
  // What is left as it was written is a name, or a word of the other language: no typo.
  const reading = await readIn(view, text, false);
  return { ...reading, text, corrected: undefined, isRespelled: false, isTranslated: true };
}

export async function readAsWritten(
  { isWord }: Pick<ReadingSteps, "isWord">,
  view: KeywordView,
  written: string,
  { asYouType, corrects }: ReadOptions,
) {
  // While a question is typed, its last word is none yet.
  const text = corrects && !asYouType ? await asDocsWrite(written, { view, isWord }) : written;
  const isRespelled = text !== written;
  const asWritten = await readIn(view, text, asYouType);
  const told = { text, corrected: undefined, isRespelled, isTranslated: false };
  if (!corrects) return { ...asWritten, ...told };
  const corrected = await correctWords(text, asWritten.query, { ...asWritten, view, isWord });
  if (corrected === undefined) return { ...asWritten, ...told };
  return { ...(await readIn(view, corrected.text, asYouType)), ...told, text: corrected.text, corrected };
}

async function readIn(view: KeywordView, text: string, asYouType: boolean) {
  const written = readQuery(text, { asYouType });
  // While a word is typed, its language is told by less than it will be.
  const forms = asYouType ? NO_FORMS : await findForms(text, view.frequencies);
  const query = inAllForms(written, forms);
  const frequencies = { passages: view.passages, of: await view.frequencies(query.terms) };
  const terms = knownSpellings(query.terms, query.spellings, frequencies);
  return { asked: query.terms, query: { ...query, terms }, frequencies, forms };
}

export const similaritiesOf = (fused: readonly Fused[]) =>
  fused.flatMap(({ similarity }) => (similarity === undefined ? [] : [similarity]));

/** The passages to score: the best ones, and those with a name that was asked for. */
export function bestOf(fused: Fused[], pageSize: number, { named }: WordProposals): Fused[] {
  return fused.filter(({ passageId }, rank) => rank < scoredFor(pageSize) || named.has(passageId));
}

interface Proposals {
  words: WordProposals;
  meaning: Meaning | undefined;
}

/** What each way of searching found, with the others' scores added. */
async function propose({ words: { found }, meaning }: Proposals, limit: number): Promise<Proposal[]> {
  const scores = new Map(found.map(({ passageId, score }) => [passageId, score]));
  const all = [...new Set([...scores.keys(), ...(meaning?.near ?? [])])];
  const similarities = (await meaning?.similarities(all)) ?? new Map<number, number>();
  const nearest = (meaning?.near ?? [])
    .toSorted((a, b) => (similarities.get(b) ?? 0) - (similarities.get(a) ?? 0) || a - b)
    .slice(0, limit);
  return [...new Set([...scores.keys(), ...nearest])].map((passageId) => ({
    passageId,
    words: scores.get(passageId),
    similarity: similarities.get(passageId),
  }));
}
