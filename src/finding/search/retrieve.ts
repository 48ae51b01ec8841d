import { AppError } from "@docent/kernel/errors";
import { SECOND_MS } from "@docent/kernel/lib/clock";
import { letOthersRun } from "@docent/kernel/lib/event-loop";
import { type Log, reasonFields } from "@docent/kernel/lib/log";
import type { Embedder } from "@docent/kernel/vectors/embedder";
import type { Audience } from "@docent/sites/pages/audience";
import { areOfOneProduct, productNames } from "./asking/asking.ts";
import type { CorrectedQuestion } from "./correct-words.ts";
import { createGenerationCache } from "./generation-cache.ts";
import { type KeptPassages, keepPassages } from "./kept-passages.ts";
import {
  createKeywordIndex,
  type KeywordIndex,
  type KeywordView,
  SegmentDamaged,
  SegmentGone,
} from "./keyword-index/keyword-index.ts";
import type { SegmentStore } from "./keyword-index/segment-store.ts";
import {
  createMeaningMatch,
  createVectorMemory,
  type Meaning,
  NO_LEVEL,
  similaritiesOfHeadings,
} from "./meaning/meaning.ts";
import { namesInWords } from "./names-in-words.ts";
import { createNavigator, type NamedPlace, type Navigator } from "./navigating/navigating.ts";
import {
  bestOf,
  type Proposed,
  type ProposingSteps,
  proposeAll,
  type Reading,
  read,
  type SearchQuery,
  scoredFor,
  similaritiesOf,
  type Where,
} from "./propose.ts";
import {
  asksWhatWasNew,
  createPathReader,
  createScorer,
  createStandsOut,
  type Fused,
  type RankedPassage,
  type RankingQuery,
  type ReadPath,
  raiseCited,
} from "./rank-passages.ts";
import type { KeywordQuery } from "./read-query.ts";
import {
  type CalibrationStore,
  createJudge,
  type Judge,
  readOrdinaryWords,
  type Survey,
  type TakeEvidence,
} from "./relevance/relevance.ts";
import type { Search } from "./search.ts";
import type { Candidate, Frequencies, PassageRun, SearchScope, SearchStore } from "./search-store.ts";
import { weighLines } from "./story/story.ts";
import { openSurvey } from "./survey.ts";
import { type TermWeights, weighTerms } from "./term-weights.ts";
import { createTranslate, readLexiconAsset } from "./translate/translate.ts";
import { weighVerbatim } from "./verbatim.ts";
import type { WordForms } from "./word-forms/word-forms.ts";

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
export interface Retrieval extends Proposed {
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
 * The way from question to passages, which finding and explaining share. What `use` makes of a retrieval is of the same
 * state of the index.
 */
export type Retrieve = <T>(query: SearchQuery, use: (retrieval: Retrieval) => T | Promise<T>) => Promise<T>;

/** The same for what has the name that was typed. */
export type Navigate = <T>(query: SearchQuery, use: (navigation: Navigation) => T | Promise<T>) => Promise<T>;

export interface OpenRetrieval {
  retrieve: Retrieve;
  navigate: Navigate;
  /** Opens a site for plain questions. Segments that are replaced meanwhile are opened anew. */
  survey(siteId: number, audience: Audience): Promise<Survey>;
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
    survey: (siteId, audience) => surveyWhole(steps, { siteId, audience }),
    audience: cache.audience,
  };
}

async function surveyWhole(steps: Steps, asked: Pick<SearchQuery, "siteId" | "audience">): Promise<Survey> {
  const open = async () => openSurvey(steps, await locate(steps, asked));
  let survey = await whileWhole(open);
  const askCurrent: Survey["ask"] = async (question) => {
    try {
      return await survey.ask(question);
    } catch (error) {
      survey = await open();
      throw error;
    }
  };
  return { passages: survey.passages, ask: (question) => whileWhole(() => askCurrent(question)) };
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
interface Steps extends ProposingSteps {
  store: SearchStore;
  passages: KeptPassages;
  judge: Judge;
  index: KeywordIndex;
  readPath: ReadPath;
  navigator: Navigator;
  log: Log;
}

async function locate(
  { store, cache }: Steps,
  { siteId, audience, filter = {}, parts }: Pick<SearchQuery, "siteId" | "audience" | "filter" | "parts">,
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
  const { pageSize, currentPath, conversation } = asked;
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
    ofProduct,
    frequencies,
    weights: weighTerms(judged.query.terms, frequencies, judged.query.shares),
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
  const citedPaths = conversation?.cited ?? [];
  const from = { currentPath, citedPaths };
  const wanted: RankingQuery = { ...terms, ...from, pageLength, isOfChanges, standsOut, relevanceOf };
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
  return raiseCited(ranked, wanted.citedPaths);
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
