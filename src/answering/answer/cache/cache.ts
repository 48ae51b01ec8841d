import type { Search } from "@docent/finding/search/search";
import type { Clock } from "@docent/kernel/lib/clock";
import type { Log } from "@docent/kernel/lib/log";
import type { Audience } from "@docent/sites/pages/audience";
import type { Site } from "@docent/sites/site/sites";
import { z } from "zod";
import { LOOK_TOOLS } from "../../threads/threads.ts";
import type { AnswerEvent } from "../events.ts";
import type { OpenRequest } from "../request.ts";
import type { Responder } from "../responder.ts";
import type { OpenTurn } from "../turn.ts";
import { cacheKey } from "./key.ts";

/**
 * Answers that were written for an earlier question in the same words. A failure of the cache is logged and
 * fails no answer.
 */
export interface AnswerCache {
  /** The answer to repeat for a question, unless the reader wants a new one. */
  find(request: OpenRequest, signal: AbortSignal): Promise<CachedAnswer | undefined>;
  /** Passes an answer's events on, and keeps the answer once it ended well and the reader has all of it. */
  keep(request: OpenRequest, turn: OpenTurn, events: AsyncIterable<AnswerEvent>): AsyncIterable<AnswerEvent>;
}

interface AnswerCacheOptions {
  /** The settings it reads, under their own names. 0 keeps none. */
  settings: { answer_cache_answers: number };
  store: AnswerCacheStore;
  /** Says which askers see the same of a site. */
  search: Pick<Search, "audience">;
  responder: Responder;
  /**
   * A text that changes with the program's version and every setting that affects a site's answers or links.
   */
  revision: (site: Site) => string;
  /** How long these links work at least; undefined where they do not expire. */
  linksLastMs: (urls: readonly string[]) => number | undefined;
  clock: Clock;
  log: Log;
}

/** How many of the models that sites ask for have their last answering model remembered. */
const MODELS_KEPT = 1000;

/** The cache's parts, and its memory between questions. */
interface CacheState extends AnswerCacheOptions {
  /** Message ids of asked questions with their sites, the latest last. */
  asked: Set<string>;
  /** The model and version that answered last, for each model that sites ask for. */
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
  if (
    cache.settings.answer_cache_answers === 0 ||
    !isQuestionAlone(request) ||
    isRepeat(cache.asked, request)
  )
    return undefined;
  const { id: siteId, settings } = request.site;
  const model = await modelNow(cache, settings.model, signal);
  if (model === undefined) return undefined;
  const { generation } = request.site;
  const audience = await tolerant(cache, () => seenBy(cache, request, generation));
  if (audience === undefined) return undefined;
  const key = keyOf(cache, request, { model, audience });
  const answer = await tolerant(cache, () => store.find(siteId, key));
  const at = clock();
  // Who sees the same in one generation may not in the next.
  if (answer?.generation !== generation || (answer.until !== undefined && answer.until <= at))
    return undefined;
  await tolerant(cache, () => store.touch(siteId, key, at));
  return answer;
}

async function* keep(
  cache: CacheState,
  request: OpenRequest,
  turn: OpenTurn,
  events: AsyncIterable<AnswerEvent>,
): AsyncIterable<AnswerEvent> {
  if (cache.settings.answer_cache_answers === 0 || !isQuestionAlone(request)) return yield* events;
  const recorded: Recorded = { found: undefined, written: [] };
  for await (const event of events) {
    record(recorded, event);
    yield event;
    // The reader has everything by now, and waits for nothing.
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
  const { found } = recorded;
  if (model === undefined || generation === undefined || found === undefined) return;
  const lastMs = linksLastMs(turn.cited.map(({ url }) => url));
  const { startedAt, searched: query = "", rewritten, looks, retrieved, cited, supportShare } = turn;
  // Answers with expiring links are repeated while at least half of their time is left.
  const until = lastMs === undefined ? undefined : startedAt + lastMs / 2;
  const answer = {
    ...recorded,
    found,
    query,
    rewritten,
    looks,
    generation,
    model,
    retrieved,
    cited,
    supportShare,
    until,
  };
  const { id: siteId, settings } = request.site;
  const audience = await seenBy(cache, request, generation);
  const key = keyOf(cache, request, { model: versioned(cache, model, settings.model), audience });
  await store.put({ siteId, turnId: request.turnId, key, answer, at: clock() });
  await store.trim(cache.settings.answer_cache_answers);
}

/** The model whose answers may be repeated. While Ollama is away, that is the one that was there last. */
async function modelNow(cache: CacheState, wanted: string, signal: AbortSignal): Promise<string | undefined> {
  // A full queue or a missing model does not matter here.
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

/** A model answers otherwise once it has shown that it looks for itself. */
const versioned = ({ responder }: CacheState, model: string, wanted: string) =>
  `${model} ${responder.modelVersion?.(wanted) ?? ""} ${responder.toolUse?.(wanted) ?? ""}`;

const seenBy = ({ search }: CacheState, { site, question }: OpenRequest, generation: number) =>
  search.audience({ siteId: site.id, generation }, question.audience);

const keyOf = (
  { revision, responder }: CacheState,
  request: OpenRequest,
  asked: { model: string; audience: Audience },
) => cacheKey(request, { revision: revision(request.site), responder: responder.name, ...asked });

/** Whether the answer depends on the question's own words only. */
const isQuestionAlone = ({ conversation, contexts, images }: OpenRequest) =>
  conversation.length + contexts.length + images.length === 0;

const isWhole = (event: AnswerEvent) =>
  event.type === "finish" && event.outcome === "answered" && event.finishReason === "stop";

type Recorded = Pick<CachedAnswer, "written" | "corrected" | "followUps"> & {
  found: CachedAnswer["found"] | undefined;
};

function record(recorded: Recorded, event: AnswerEvent): void {
  // The first search is of the question; what a model looked for comes behind it, and may come between texts.
  if (event.type === "search" && recorded.found === undefined)
    Object.assign(recorded, { found: event.results, corrected: event.corrected });
  else if (event.type === "search" || event.type === "read") recorded.written.push(lookOf(event));
  if (event.type === "text-delta") recorded.written.push(event.text);
  if (event.type === "source") recorded.written.push(event.source);
  if (event.type === "finish") recorded.followUps = event.followUps;
}

/** Does something with the store. A failure counts as a cache miss. */
async function tolerant<T>({ log }: CacheState, work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    log.warn("the cache of answers could not be used", { error });
    return undefined;
  }
}

/**
 * Ids that clients generate are at least this long; shorter ones, such as `q1`, are written by hand and
 * recur.
 */
const DRAWN_ID_CHARACTERS_MIN = 16;
const QUESTIONS_KEPT = 10_000;

/**
 * Whether a question is asked again because its reader wants another answer; notes the question. The client
 * may have lost the thread's id, which came with the discarded answer, so message ids are remembered as well.
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

const foundSchema = z.lazy(() =>
  z.object({
    content: z.string(),
    path: z.string(),
    title: z.string(),
    href: z.string(),
    score: z.number(),
  }),
);

const retrievedSchema = z.lazy(() =>
  z.object({
    passageId: z.number(),
    path: z.string(),
    anchor: z.string(),
    relevance: z.number(),
  }),
);

/** A call of a model that looked for itself, as the reader saw it. */
const lookSchema = z.lazy(() =>
  z.union([
    z.object({ search: z.string(), results: z.array(foundSchema) }),
    z.object({ read: z.string(), heading: z.string().optional(), results: z.array(foundSchema) }),
  ]),
);

type CachedLook = z.infer<typeof lookSchema>;

const lookOf = (event: Extract<AnswerEvent, { type: "search" | "read" }>): CachedLook =>
  event.type === "search"
    ? { search: event.query, results: event.results }
    : { read: event.path, heading: event.heading, results: event.results };

/** An answer that a model wrote, with what its reader saw and its turn records. */
export const cachedAnswerSchema = z.lazy(() =>
  z.object({
    generation: z.number(),
    model: z.string(),
    /** What was searched for it: the question made whole. */
    query: z.string(),
    /** The same where words of the question were misspelled. */
    corrected: z.string().optional(),
    /** What a model wrote in its place, and was searched for then. */
    rewritten: z.array(z.string()).default([]),
    found: z.array(foundSchema),
    /** What the model looked for, as the turn records it. */
    looks: z.array(z.object({ tool: z.enum(LOOK_TOOLS), asked: z.string(), found: z.number() })).default([]),
    /** What the reader got, in order: what the model looked for, pieces of text as written, and sources. */
    written: z.array(
      z.union([z.string(), lookSchema, z.object({ id: z.string(), url: z.string(), title: z.string() })]),
    ),
    retrieved: z.array(retrievedSchema),
    cited: z.array(z.object({ passageId: z.number(), url: z.string() })),
    supportShare: z.number().optional(),
    followUps: z.array(z.string()).optional(),
    /** The time after which it is not repeated, because its links expire soon after. */
    until: z.number().optional(),
  }),
);

export type CachedAnswer = z.infer<typeof cachedAnswerSchema>;

/** An answer to cache. */
interface NewCachedAnswer {
  siteId: number;
  /** The turn that it was written for. */
  turnId: string;
  /** Stands for everything that the answer depends on besides the generation. */
  key: string;
  answer: CachedAnswer;
  at: number;
}

/** Stores answers to repeat. An answer exists only in the generation that it was written from. */
export interface AnswerCacheStore {
  /** The answer for a key, while readers still see its generation. */
  find(siteId: number, key: string): Promise<CachedAnswer | undefined>;
  /** Notes that an answer was repeated. The least recently repeated ones are dropped first. */
  touch(siteId: number, key: string, at: number): Promise<void>;
  /**
   * Stores an answer, replacing an earlier one with its key, and removes the site's answers from other
   * generations. Stores none whose generation is no longer visible, or whose turn has been deleted.
   */
  put(answer: NewCachedAnswer): Promise<void>;
  /** Removes all but this many answers. */
  trim(answersMax: number): Promise<void>;
}
