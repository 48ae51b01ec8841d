import { z } from "zod";
import type { Clock } from "../../lib/clock.ts";
import type { Log } from "../../lib/log.ts";
import type { Site } from "../../sites/sites.ts";
import type { AnswerEvent } from "../events.ts";
import type { OpenRequest } from "../request.ts";
import type { Responder } from "../responder.ts";
import type { OpenTurn } from "../turn.ts";
import { cacheKey } from "./key.ts";

/**
 * Answers that were written for an earlier question of the same words. A failure in here is logged, and fails no
 * answer.
 */
export interface AnswerCache {
  /** The answer that a question would get once more, unless it is one that wants its own. */
  find(request: OpenRequest, signal: AbortSignal): Promise<CachedAnswer | undefined>;
  /** Hands the events of an answer on, and keeps it when it has come to a good end and its reader has all of it. */
  keep(request: OpenRequest, turn: OpenTurn, events: AsyncIterable<AnswerEvent>): AsyncIterable<AnswerEvent>;
}

interface AnswerCacheOptions {
  /** What it reads of the settings, in their own names. 0 keeps none. */
  settings: { answer_cache_answers: number };
  store: AnswerCacheStore;
  responder: Responder;
  /** Names the program's version and the settings that change what is written for a site, or where its links lead. */
  revision: (site: Site) => string;
  /** How long the links in an answer of that site work at least; undefined where they do not end. */
  linksLastMs: (site: Site) => number | undefined;
  clock: Clock;
  log: Log;
}

/** For how many of the models that sites ask for it is remembered which model answered last. */
const MODELS_KEPT = 1000;

/** The cache's parts, and what it remembers from one question to the next. */
interface CacheState extends AnswerCacheOptions {
  /** Message ids of the questions that were asked, the latest last, each with its site. */
  asked: Set<string>;
  /** Which model answered last, with its version, by what sites ask for. */
  lastModels: Map<string, string>;
}

export function createAnswerCache(options: AnswerCacheOptions): AnswerCache {
  const cache: CacheState = { ...options, asked: new Set(), lastModels: new Map() };
  return {
    find: (request, signal) => find(cache, request, signal),
    keep: (request, turn, events) => keep(cache, request, turn, events),
  };
}

async function find(
  cache: CacheState,
  request: OpenRequest,
  signal: AbortSignal,
): Promise<CachedAnswer | undefined> {
  const { store, clock } = cache;
  if (cache.settings.answer_cache_answers === 0 || !standsAlone(request) || isRepeat(cache.asked, request))
    return undefined;
  const { id: siteId, settings } = request.site;
  const model = await modelNow(cache, settings.model, signal);
  if (model === undefined) return undefined;
  const key = keyOf(cache, request, model);
  const answer = await tolerant(cache, () => store.find(siteId, key));
  const at = clock();
  if (!answer || (answer.until !== undefined && answer.until <= at)) return undefined;
  await tolerant(cache, () => store.touch(siteId, key, at));
  return answer;
}

async function* keep(
  cache: CacheState,
  request: OpenRequest,
  turn: OpenTurn,
  events: AsyncIterable<AnswerEvent>,
): AsyncIterable<AnswerEvent> {
  if (cache.settings.answer_cache_answers === 0 || !standsAlone(request)) return yield* events;
  const recorded: Recorded = { query: "", found: [], written: [] };
  for await (const event of events) {
    record(recorded, event);
    yield event;
    // The reader has it all by now, and waits for nothing.
    if (isWhole(event)) await tolerant(cache, () => add(cache, request, turn, recorded));
  }
}

async function add(
  cache: CacheState,
  request: OpenRequest,
  turn: OpenTurn,
  recorded: Recorded,
): Promise<void> {
  const { store, linksLastMs, clock } = cache;
  const { model, generation } = turn;
  if (model === undefined || generation === undefined) return;
  const lastMs = linksLastMs(request.site);
  const { startedAt, retrieved, cited, supportShare } = turn;
  // Links that end are given away while at least half of their time is left.
  const until = lastMs === undefined ? undefined : startedAt + lastMs / 2;
  const answer = { ...recorded, generation, model, retrieved, cited, supportShare, until };
  const { id: siteId, settings } = request.site;
  const key = keyOf(cache, request, versioned(cache, model, settings.model));
  await store.put({ siteId, turnId: request.turnId, key, answer, at: clock() });
  await store.trim(cache.settings.answer_cache_answers);
}

/** The model whose answers may be given. While Ollama is away, that is the one that was there last. */
async function modelNow(cache: CacheState, wanted: string, signal: AbortSignal): Promise<string | undefined> {
  // A full queue or a missing model is no matter here.
  await cache.responder.ready(signal, wanted).catch(() => {});
  signal.throwIfAborted();
  const model = cache.responder.model(wanted);
  if (model !== undefined) remember(cache.lastModels, wanted, versioned(cache, model, wanted));
  return cache.lastModels.get(wanted);
}

function remember(lastModels: Map<string, string>, wanted: string, model: string): void {
  lastModels.delete(wanted);
  lastModels.set(wanted, model);
  const [oldest] = lastModels.keys();
  if (lastModels.size > MODELS_KEPT && oldest !== undefined) lastModels.delete(oldest);
}

const versioned = ({ responder }: CacheState, model: string, wanted: string) =>
  `${model} ${responder.modelVersion?.(wanted) ?? ""}`;

const keyOf = ({ revision, responder }: CacheState, request: OpenRequest, model: string) =>
  cacheKey(request, { revision: revision(request.site), responder: responder.name, model });

/** Whether nothing but the question's own words decide its answer. */
const standsAlone = ({ conversation, contexts, images }: OpenRequest) =>
  conversation.length + contexts.length + images.length === 0;

const isWhole = (event: AnswerEvent) =>
  event.type === "finish" && event.outcome === "answered" && event.finishReason === "stop";

type Recorded = Pick<CachedAnswer, "query" | "found" | "written">;

function record(recorded: Recorded, event: AnswerEvent): void {
  if (event.type === "search") Object.assign(recorded, { query: event.query, found: event.results });
  if (event.type === "text-delta") recorded.written.push(event.text);
  if (event.type === "source") recorded.written.push(event.source);
}

/** Does something with the store. Where that fails, the cache has nothing, and the model is asked. */
async function tolerant<T>({ log }: CacheState, work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    log.warn("the cache of answers could not be used", { error });
    return undefined;
  }
}

/** Ids that a client draws are at least as long; shorter ones, such as `q1`, are written by hand and come again. */
const DRAWN_ID_CHARACTERS_MIN = 16;
const QUESTIONS_KEPT = 10_000;

/**
 * Whether a question is asked once more, because its reader wants another answer; notes it. A reader's client may have
 * lost the thread's id by then, which came with the answer that is thrown away: so message ids are remembered as well.
 */
function isRepeat(
  asked: Set<string>,
  { site, question: { questionMessageId: id }, replaced }: OpenRequest,
): boolean {
  if (id.length < DRAWN_ID_CHARACTERS_MIN) return replaced;
  const question = `${site.id} ${id}`;
  const known = asked.delete(question);
  asked.add(question);
  for (const oldest of asked) {
    if (asked.size <= QUESTIONS_KEPT) break;
    asked.delete(oldest);
  }
  return replaced || known;
}

const foundSchema = z.object({
  content: z.string(),
  path: z.string(),
  title: z.string(),
  href: z.string(),
  score: z.number(),
});

const retrievedSchema = z.object({
  passageId: z.number(),
  path: z.string(),
  anchor: z.string(),
  relevance: z.number(),
});

/** An answer that a model wrote, as far as its reader saw it and its turn tells of it. */
export const cachedAnswerSchema = z.object({
  generation: z.number(),
  model: z.string(),
  /** What was searched for it. */
  query: z.string(),
  found: z.array(foundSchema),
  /** What the reader got, in its order: pieces of text as they were written, and sources. */
  written: z.array(z.union([z.string(), z.object({ id: z.string(), url: z.string(), title: z.string() })])),
  retrieved: z.array(retrievedSchema),
  cited: z.array(z.object({ passageId: z.number(), url: z.string() })),
  supportShare: z.number().optional(),
  /** The time from which it is not given any more, because links in it stop working soon after. */
  until: z.number().optional(),
});

export type CachedAnswer = z.infer<typeof cachedAnswerSchema>;

/** An answer that is to be kept. */
export interface NewCachedAnswer {
  siteId: number;
  /** The turn that it was written for. */
  turnId: string;
  /** Stands for all that the answer depends on besides the generation. */
  key: string;
  answer: CachedAnswer;
  at: number;
}

/** Keeps answers, to be given again. What is kept of one generation does not exist in any other. */
export interface AnswerCacheStore {
  /** The answer of that key, where readers still see the generation that it was written from. */
  find(siteId: number, key: string): Promise<CachedAnswer | undefined>;
  /** Notes that an answer was given again. Those that were given longest ago go first. */
  touch(siteId: number, key: string, at: number): Promise<void>;
  /**
   * Keeps an answer in the place of an earlier one of its key, and removes the site's answers of other generations. One
   * from a generation that readers no longer see is not kept, and none whose turn has been deleted meanwhile.
   */
  put(answer: NewCachedAnswer): Promise<void>;
  /** Removes all but this many answers. */
  trim(answersMax: number): Promise<void>;
}
