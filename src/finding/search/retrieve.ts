import { AppError } from "@docent/kernel/errors";
import { SECOND_MS } from "@docent/kernel/lib/clock";
import { letOthersRun } from "@docent/kernel/lib/event-loop";
import { type Log, reasonFields } from "@docent/kernel/lib/log";
import type { Embedder } from "@docent/kernel/vectors/embedder";
import type { Audience } from "@docent/sites/pages/audience";
import type { PageFilter } from "@docent/sites/pages/pages";
import {
  areOfOneProduct,
  productNames,
  withoutAsking,
  withoutNames,
  withoutOwnThings,
} from "./asking/asking.ts";
import { asDocsWrite } from "./compounds.ts";
import { type CorrectedQuestion, correctWords } from "./correct-words.ts";
import { createGenerationCache, type GenerationCache } from "./generation-cache.ts";
import { type KeptPassages, keepPassages } from "./kept-passages.ts";
import {
  createKeywordIndex,
  type KeywordIndex,
  type KeywordView,
  SegmentDamaged,
  SegmentGone,
  SHARE_MAX,
} from "./keyword-index/keyword-index.ts";
import type { SegmentStore } from "./keyword-index/segment-store.ts";
import { matchWords, type WordProposals } from "./match-words.ts";
import {
  createMeaningMatch,
  createVectorMemory,
  type Meaning,
  NO_LEVEL,
  similaritiesOfHeadings,
} from "./meaning/meaning.ts";
import { type NameInWords, namesInWords } from "./names-in-words.ts";
import { createNavigator, type NamedPlace, type Navigator } from "./navigating/navigating.ts";
import {
  asksWhatWasNew,
  createPathReader,
  createScorer,
  createStandsOut,
  type Fused,
  fuse,
  type Proposal,
  type RankedPassage,
  type RankingQuery,
  type ReadPath,
} from "./rank-passages.ts";
import { type KeywordQuery, readQuery } from "./read-query.ts";
import {
  type CalibrationStore,
  createJudge,
  type Judge,
  type OrdinaryWords,
  readOrdinaryWords,
  type TakeEvidence,
} from "./relevance/relevance.ts";
import type { Search } from "./search.ts";
import type {
  Candidate,
  Frequencies,
  IndexState,
  PassageRun,
  SearchScope,
  SearchStore,
} from "./search-store.ts";
import {
  lessOfEveryday,
  readStory,
  type Story,
  saidIn,
  termsOf,
  textOf,
  type WeighedText,
  weighLines,
  withoutOwnThingsTold,
} from "./story/story.ts";
import { knownSpellings, type TermWeights, weighTerms } from "./term-weights.ts";
import { createTranslate, isSaidAsWritten, readLexiconAsset, type Translate } from "./translate/translate.ts";
import { weighVerbatim } from "./verbatim.ts";
import { findForms, inAllForms, type WordForms } from "./word-forms/word-forms.ts";

const NO_FORMS: WordForms = new Map();

export interface SearchQuery {
  siteId: number;
  /** Who asks: what is not for them is not there. */
  audience: Audience;
  text: string;
  filter?: PageFilter | undefined;
  pageSize: number;
  /** The page that the reader is on: it and its neighbours score a little higher. */
  currentPath?: string | undefined;
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

/** The settings it reads, under their own names. */
interface SearchSettings {
  /** The most passages whose signs are kept in memory. */
  vectors_in_memory: number;
  /** The most memory for whole vectors. */
  vector_memory_bytes: number;
  /** The most memory for what was read of keyword indexes. */
  keyword_memory_bytes: number;
  /** The most memory for passages that were read. */
  passage_memory_bytes: number;
  /** The longest wait for a question's vector. */
  question_vector_seconds: number;
}

export interface SearchDeps {
  settings: SearchSettings;
  store: SearchStore;
  segments: Pick<SegmentStore, "rows">;
  calibrations: Pick<CalibrationStore, "nearest">;
  embedder: Embedder;
  /** Whether a text is a word as people write it: such a word is not corrected, although no passage has it. */
  isWord(text: string): Promise<boolean>;
  log: Log;
}

/** Everything learned between a question and the passages that were scored. */
export interface Retrieval {
  /** How many proposals are scored besides those with a name that was asked for. */
  scored: number;
  /** Whether the question was put into the language of the docs, word by word. */
  isTranslated: boolean;
  /** The words that were looked for in all their forms. */
  forms: WordForms;
  /** The search text as it was searched for. */
  text: string;
  /** What was corrected in it; undefined where nothing was. */
  corrected: CorrectedQuestion | undefined;
  /** The whole question with its compounds as docs write them; undefined where that is how it was asked. */
  spelled: string | undefined;
  scope: SearchScope;
  query: KeywordQuery;
  frequencies: Frequencies;
  weights: TermWeights;
  words: WordProposals;
  /** Undefined where the question or the site has no vectors. */
  meaning: Meaning | undefined;
  /** All proposals, best first. */
  fused: Fused[];
  ranked: RankedPassage[];
  takeEvidence: TakeEvidence;
  /** Scores any passages as the proposed ones were scored. */
  rankAll(fused: Fused[]): Promise<RankedPassage[]>;
  /** A test for the pages that the filter allows; undefined where it allows all. */
  pageTest(): Promise<((pageId: number) => boolean) | undefined>;
  readRuns: ReadRuns;
  /** Begins the question anew where what was read by now may be a part: to be called by what reads more than is ranked. */
  checkKept(): Promise<void>;
}

/** What a search box shows of what was typed. */
export interface Navigation {
  generation: number;
  /** The pages and sections that have the name that was typed, best first; none where something is asked. */
  places: NamedPassagePlace[];
  /** Undefined where there are as many places as are shown. */
  retrieval: Retrieval | undefined;
  readRuns: ReadRuns;
}

/** Reads passages beside those that were found; begins the question anew where they may be a part of what was there. */
export type ReadRuns = (runs: readonly PassageRun[]) => Promise<Candidate[]>;

/** A page or a section with the passage in which it begins. */
interface NamedPassagePlace {
  passage: Candidate;
  anchor: string;
}

/**
 * How many passages each way of searching proposes. Each costs reading, and with 150 no set of questions gains more than
 * two thousandths of nDCG@10.
 */
const PROPOSED = 120;
/** How many more passages are scored than asked for: some fall behind, some share a section. */
const READ_BESIDES = 20;
/** How many of the best proposals are scored. */
const scoredFor = (pageSize: number): number => pageSize + READ_BESIDES;
/** A longer question, or text pasted into it, says no more of what it is about and would block the thread. */
const TEXT_CHARACTERS_MAX = 10_000;
const NO_WORDS: WordProposals = { found: [], named: new Set() };

/**
 * The way from question to passages, which finding and explaining share. What `use` makes of a retrieval is of the same
 * state of the index.
 */
export type Retrieve = <T>(query: SearchQuery, use: (retrieval: Retrieval) => T | Promise<T>) => Promise<T>;

/** The same for what has the name that was typed. */
export type Navigate = <T>(query: SearchQuery, use: (navigation: Navigation) => T | Promise<T>) => Promise<T>;

export interface OpenRetrieval {
  retrieve: Retrieve;
  navigate: Navigate;
  audience: Search["audience"];
}

export function createRetrieval(deps: SearchDeps): OpenRetrieval {
  const { settings, store, segments, calibrations } = deps;
  const vectorMemory = createVectorMemory(settings.vector_memory_bytes);
  const cache = createGenerationCache({ store, signsMax: settings.vectors_in_memory, vectorMemory });
  const questionMs = settings.question_vector_seconds * SECOND_MS;
  const steps: Steps = {
    store,
    passages: keepPassages(store, settings.passage_memory_bytes),
    judge: createJudge(calibrations, readOrdinaryWords),
    cache,
    matchMeaning: createMeaningMatch({ ...deps, cache, vectorMemory, questionMs }),
    index: createKeywordIndex({
      segments,
      pageIds: cache.pageIds,
      bytesMax: settings.keyword_memory_bytes,
    }),
    isWord: deps.isWord,
    log: deps.log,
    readPath: createPathReader(),
    navigator: createNavigator(store),
    ordinaryWords: readOrdinaryWords,
    translate: createTranslate({
      readAsset: readLexiconAsset,
      isWord: deps.isWord,
      ordinaryWords: readOrdinaryWords,
    }),
  };
  return {
    retrieve: (asked, use) =>
      whileWhole(async () => use(await retrieve(steps, asked, await locate(steps, asked)))),
    navigate: (asked, use) => whileWhole(async () => use(await navigate(steps, asked))),
    audience: cache.audience,
  };
}

/** What a question began to read has been removed by runs since. */
class GenerationGone extends Error {}

/**
 * Runs may be published while a question is answered, and merging replaces segments; never so often in a row, even where
 * they follow one another without a pause and the machine is busy.
 */
const ATTEMPTS_MAX = 25;

/** Begins anew where a segment or the generation was replaced meanwhile, so that a question sees one state of the index. */
async function whileWhole<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      const isReplaced = error instanceof SegmentGone || error instanceof GenerationGone;
      if (!isReplaced || attempt === ATTEMPTS_MAX) throw error;
    }
  }
}

/** The parts that a retrieval uses. */
interface Steps {
  store: SearchStore;
  passages: KeptPassages;
  judge: Judge;
  cache: GenerationCache;
  matchMeaning: ReturnType<typeof createMeaningMatch>;
  index: KeywordIndex;
  isWord: SearchDeps["isWord"];
  readPath: ReadPath;
  navigator: Navigator;
  translate: Translate;
  ordinaryWords(): Promise<OrdinaryWords>;
  log: Log;
}

/** Where a question is searched, and the state of the index there. */
interface Where {
  scope: SearchScope;
  state: IndexState;
  /** Whether what was written for passages has a part in it. */
  isEnriched: boolean;
}

async function locate(
  { store, cache }: Steps,
  { siteId, audience, filter = {}, parts }: SearchQuery,
): Promise<Where> {
  const state = await store.state(siteId);
  if (!state.isReadable) throw beingMadeAnew();
  const { generation } = state;
  const seen = await cache.audience({ siteId, generation }, audience);
  const isEnriched = state.enrichment.segments.length > 0 && (parts?.enrichment ?? state.enrichment.counts);
  return { scope: { siteId, generation, audience: seen, filter }, state, isEnriched };
}

/** Finds what has the name that was typed, and searches only where that is not enough. */
async function navigate(steps: Steps, asked: SearchQuery): Promise<Navigation> {
  const where = await locate(steps, asked);
  const { scope } = where;
  const found = await steps.navigator.find(scope, asked);
  const retrieval = found.length < asked.pageSize ? await retrieve(steps, asked, where) : undefined;
  // Another word is guessed only where no name has those that were typed.
  const named =
    found.length > 0 || retrieval === undefined
      ? found
      : await steps.navigator.findMeant(scope, { ...asked, corrected: retrieval.corrected?.text });
  const places = await loadPlaces(steps, scope, named);
  return { generation: scope.generation, places, retrieval, readRuns: runReader(steps, scope) };
}

async function loadPlaces(steps: Steps, scope: SearchScope, named: readonly NamedPlace[]) {
  if (named.length === 0) return [];
  const ids = [...new Set(named.map(({ passageId }) => passageId))];
  const [passages] = await Promise.all([steps.passages.load(ids), checkKept(steps.store, scope)]);
  const byId = new Map(passages.map((passage) => [passage.passageId, passage]));
  return named.flatMap(({ passageId, anchor }) => {
    const passage = byId.get(passageId);
    return passage === undefined ? [] : [{ passage, anchor }];
  });
}

/** Where what was written for passages is damaged, search goes on without it. */
async function retrieve(steps: Steps, asked: SearchQuery, where: Where): Promise<Retrieval> {
  try {
    return await retrieveIn(steps, asked, where);
  } catch (error) {
    const { isEnriched, state } = where;
    const isOfWritten =
      error instanceof SegmentDamaged && state.enrichment.segments.includes(error.segmentId);
    if (!isEnriched || !isOfWritten) throw error;
    const hint = "docent index repair <domain>";
    steps.log.warn("what was written for passages cannot be searched", { ...reasonFields(error), hint });
    return retrieveIn(steps, asked, { ...where, isEnriched: false });
  }
}

async function retrieveIn(steps: Steps, asked: SearchQuery, where: Where): Promise<Retrieval> {
  const { store, cache, index } = steps;
  const { scope, state, isEnriched } = where;
  const { pageSize, currentPath } = asked;
  const calibration = steps.judge.lookUp(scope, state.embedder?.id, isEnriched);
  const view = await index.open(scope, state.segments, isEnriched ? state.enrichment.segments : []);
  const asRead = await read(steps, view, asked);
  const { text, story, judged, query, frequencies } = asRead;
  const weights = weighTerms(query.terms, frequencies, query.shares);
  const known = new Map([...weights].filter(([term]) => frequencies.of.has(term)));
  const names = await namesInWords(text, { view, weights });
  const ofProduct = productNames(query.terms, frequencies, await steps.ordinaryWords());
  const lines = story === undefined ? [] : weighLines(text, known);
  const reading: Reading = { ...where, view, text, lines, query, names, ofProduct, frequencies, known };
  const { words, meaning, fused } = await proposeAll(steps, asked, reading);
  await letOthersRun();
  const { takeEvidence, relevanceOf } = await steps.judge.judge({
    ...judged,
    calibration,
    query,
    ofProduct,
    frequencies,
    weights,
    similarities: similaritiesOf(fused),
    typicalSimilarity: meaning?.level.typical ?? 0,
    written: asked.text,
    passagesWith: async (term) => (await view.frequencies([term])).get(term) ?? 0,
    isOfOneProduct: async () =>
      areOfOneProduct(await textsAmong(fused, steps.passages), view, await steps.ordinaryWords()),
  });
  const { pageLength } = view;
  const standsOut = createStandsOut(meaning?.level ?? NO_LEVEL, view.passages);
  const terms = { query, names, known, verbatim: weighVerbatim(query.verbatim, frequencies, weights) };
  const isOfChanges = asksWhatWasNew(text);
  const wanted: RankingQuery = { ...terms, pageLength, currentPath, isOfChanges, standsOut, relevanceOf };
  const rankAll = (some: Fused[]) => rankCandidates({ ...steps, scope, view, meaning }, some, wanted);
  return {
    text,
    corrected: asRead.corrected,
    spelled: asRead.spelled,
    isTranslated: judged.isTranslated,
    scored: scoredFor(pageSize),
    forms: asRead.forms,
    scope,
    query,
    frequencies,
    weights,
    words,
    meaning,
    fused,
    takeEvidence,
    rankAll,
    ranked: await rankAll(bestOf(fused, pageSize, words)),
    pageTest: () => cache.pageTest(scope),
    checkKept: () => checkKept(store, scope),
    readRuns: runReader(steps, scope),
  };
}

/** How soon a question may be asked again whose site's index another version has made. */
const MADE_ANEW_SECONDS = 10;

/** Without its words, a question would be refused that the docs answer. */
const beingMadeAnew = () =>
  new AppError(
    "unavailable",
    "The search index of this site is being made anew. Please try again in a moment.",
    { retryAfterSeconds: MADE_ANEW_SECONDS, hint: "Another version of Docent made it: see docent doctor." },
  );

/** A question that took as long as several runs may have met a part of what they removed. */
async function checkKept(store: SearchStore, scope: SearchScope): Promise<void> {
  if (!(await store.isKept(scope))) throw new GenerationGone();
}

const runReader =
  ({ store, passages: kept }: Pick<Steps, "store" | "passages">, scope: SearchScope): ReadRuns =>
  async (runs) => {
    const { passages, wereKept } = await kept.runs(runs);
    if (!wereKept) await checkKept(store, scope);
    return passages;
  };

/** A question as it is searched for, and where. */
interface Reading extends Where {
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

/** What words and meaning propose, alone and together. */
async function proposeAll(
  { matchMeaning, cache }: Steps,
  { pageSize, parts = {} }: SearchQuery,
  { scope, state, isEnriched, view, text, lines, query, names, ofProduct, frequencies, known }: Reading,
): Promise<Pick<Retrieval, "words" | "meaning" | "fused">> {
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
async function read(
  steps: Steps,
  view: KeywordView,
  { text, filter, asYouType = false, parts }: SearchQuery,
) {
  const whole = text.slice(0, TEXT_CHARACTERS_MAX).toWellFormed();
  // While a question is typed, its last word may be the beginning of any.
  const asTold = asYouType ? undefined : readStory(whole);
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
  if (story === undefined)
    return { ...reading, spelled, story, judged: { text: reading.text, isTranslated } };
  const { shares: told, asked } = termsOf(reading.text, story);
  const shares = lessOfEveryday(told, reading.frequencies, await steps.ordinaryWords());
  const judged = { text: saidIn(reading.text, story), asked, isTranslated };
  return {
    ...reading,
    spelled,
    story,
    judged,
    query: inAllForms({ ...reading.query, shares }, reading.forms),
  };
}

interface Written {
  written: string;
  story: Story | undefined;
  /** The only language that is searched, where there is a filter. */
  language: string | undefined;
}

/** Reads a question in another language than the docs; undefined where it is in theirs. */
async function readTranslated(steps: Steps, view: KeywordView, { written, story, language }: Written) {
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

async function readAsWritten(
  { isWord }: Steps,
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

/** So many passages tell whether one name is in all docs. */
const SAMPLED = 8;

/** Texts of passages from all through what was found. */
async function textsAmong(fused: readonly Fused[], passages: KeptPassages): Promise<string[]> {
  const step = Math.ceil(fused.length / SAMPLED);
  const some = await passages.load(
    fused.filter((_, rank) => rank % step === 0).map(({ passageId }) => passageId),
  );
  return some.map(({ title, headings, text }) => [title, ...headings, text].join("\n"));
}

const similaritiesOf = (fused: readonly Fused[]) =>
  fused.flatMap(({ similarity }) => (similarity === undefined ? [] : [similarity]));

interface RankingDeps extends Pick<Steps, "store" | "passages" | "readPath"> {
  scope: SearchScope;
  view: KeywordView;
  meaning: Meaning | undefined;
}

async function rankCandidates(
  deps: RankingDeps,
  fused: Fused[],
  wanted: RankingQuery,
): Promise<RankedPassage[]> {
  const { store, passages, scope } = deps;
  const passageIds = fused.map(({ passageId }) => passageId);
  const candidates = passageIds.length === 0 ? [] : await passages.load(passageIds);
  // What is read from here on is of segments, which say by themselves when they are gone. So nobody waits for the answer.
  const [ranked] = await Promise.all([
    scoreCandidates(deps, candidates, { fused, wanted }),
    checkKept(store, scope),
  ]);
  return ranked;
}

async function scoreCandidates(
  { readPath, view, meaning }: RankingDeps,
  candidates: readonly Candidate[],
  { fused, wanted }: { fused: readonly Fused[]; wanted: RankingQuery },
): Promise<RankedPassage[]> {
  const byId = new Map(fused.map((each) => [each.passageId, each]));
  await letOthersRun();
  const { query, names } = wanted;
  const terms = [...query.terms, ...names.map(({ term }) => term)];
  const wordsById = await view.wordsOf([...byId.keys()], { ...query, terms });
  const pageIds = [...new Set(candidates.map(({ pageId }) => pageId))];
  const pages = await view.pageWords(pageIds, [...wanted.known.keys()]);
  const links = view.saidByLinks(pageIds, wanted.known);
  // In a search for literal names, meaning says nothing.
  const byHeadings = meaning !== undefined && !query.isVerbatim;
  const headings = byHeadings ? await similaritiesOfHeadings(meaning, candidates) : new Map<number, number>();
  const score = createScorer(wanted, readPath);
  return candidates.flatMap((candidate) => {
    const own = byId.get(candidate.passageId);
    const words = wordsById.get(candidate.passageId);
    const page = pages.get(candidate.pageId);
    return own && words && page
      ? [
          score(candidate, {
            words,
            page,
            links: links.get(candidate.pageId),
            fused: own,
            headings: headings.get(candidate.passageId),
          }),
        ]
      : [];
  });
}

/** The passages to score: the best ones, and those with a name that was asked for. */
function bestOf(fused: Fused[], pageSize: number, { named }: WordProposals): Fused[] {
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
