import { AppError, toAppError } from "../errors.ts";
import type { Clock } from "../lib/clock.ts";
import type { Ids } from "../lib/ids.ts";
import type { Log } from "../lib/log.ts";
import type { Hit, Search, SearchResult } from "../search/search.ts";
import type { Site } from "../sites/sites.ts";
import type { Question, Threads, TurnEnd } from "../threads/threads.ts";
import { type CitationWriter, createCitationWriter, withoutCitations } from "./citations.ts";
import type { AnswerEvent, FoundPassage } from "./events.ts";
import { toSearchText } from "./follow-up.ts";
import { type Phrases, phrasesFor } from "./phrases.ts";
import type {
  AttachedImage,
  NumberedPassage,
  PastMessage,
  ReaderContext,
  Responder,
  ResponderEvent,
  ResponderRequest,
  TokenUsage,
} from "./responder.ts";
import { suggestionsBlock } from "./suggestions.ts";
import { findSupport } from "./support.ts";

/** A question, whichever door it came through. */
export interface AnswerRequest {
  /** Names the request in the log. */
  requestId: string;
  site: Site;
  question: Question;
  threadId: string | undefined;
  /** The conversation before the question as it was posted, or undefined where only the question was posted. */
  posted: PastMessage[] | undefined;
  contexts: ReaderContext[];
  images: AttachedImage[];
  pageSize: number;
}

export interface AnswerDeps {
  threads: Threads;
  search: Search;
  /** Asked first; what takes its place when it is unavailable, or undefined where that is an error. */
  responder: Responder;
  fallback: Responder | undefined;
  /** Where a citation of a passage leads. */
  linkTo: (site: Site, passage: Pick<Hit, "path" | "anchor" | "version" | "language">) => string;
  /** Below this relevance of the best passage, the docs do not cover the question. */
  relevanceMin: number;
  clock: Clock;
  ids: Ids;
  log: Log;
}

/** Answers questions. The turn is stored before the first event leaves, its answer before the last. */
export type Answer = (request: AnswerRequest, signal: AbortSignal) => AsyncIterable<AnswerEvent>;

export function createAnswer(common: AnswerDeps): Answer {
  return async function* answer(request, signal) {
    const deps = { ...common, log: common.log.with({ requestId: request.requestId }) };
    const startedAt = deps.clock();
    const { site, question } = request;
    const begun = await deps.threads.begin({
      siteId: site.id,
      threadId: request.threadId,
      needsThread: request.posted === undefined,
      question,
    });
    const turn = newTurn(startedAt);
    try {
      const conversation = request.posted ?? begun.past.flatMap(asMessages);
      const history = conversation.map(({ role, text }) => ({ role, text: withoutCitations(text) }));
      yield* answerTurn(deps, { ...request, ...begun, history }, turn, signal);
    } catch (error) {
      if (!signal.aborted) yield* fail(deps, request.site, begun.turnId, turn, error);
    } finally {
      // Whoever was reading is gone: what was written so far is kept.
      if (!turn.stored) await store(deps, begun.turnId, turn, "stopped");
    }
  };
}

interface Begun {
  threadId: string;
  turnId: string;
}

interface OpenRequest extends Omit<AnswerRequest, "threadId">, Begun {
  history: PastMessage[];
}

/** What becomes of a turn, filled in as it goes. */
interface OpenTurn extends Omit<TurnEnd, "outcome" | "totalMs"> {
  startedAt: number;
  /** The `start` event has left: from then on a failure is an event, not an exception. */
  started: boolean;
  stored: boolean;
}

function newTurn(startedAt: number): OpenTurn {
  return {
    startedAt,
    started: false,
    stored: false,
    answer: "",
    searched: undefined,
    retrieved: [],
    cited: [],
    generation: undefined,
    responder: undefined,
    model: undefined,
    promptTokens: undefined,
    completionTokens: undefined,
    promptTokensEstimated: undefined,
    queueMs: undefined,
    retrievalMs: undefined,
    firstTokenMs: undefined,
  };
}

async function* answerTurn(
  deps: AnswerDeps,
  request: OpenRequest,
  turn: OpenTurn,
  signal: AbortSignal,
): AsyncIterable<AnswerEvent> {
  const { site, threadId, turnId } = request;
  const phrases = phrasesFor(site.settings.language, site.settings.phrases);
  const query = toSearchText(request.question.text, request.history, request.contexts);
  const found = await retrieve(deps, request, query, turn);
  const covered = bestRelevance(found) >= deps.relevanceMin;
  if (covered && deps.fallback === undefined) await deps.responder.ready(signal);

  turn.started = true;
  yield { type: "start", threadId, messageId: turnId };
  yield { type: "search", callId: `search_${turnId}`, query, results: found.hits.map(toFound) };
  const written = covered
    ? yield* write(deps, request, found.hits, turn, phrases, signal)
    : yield* decline(deps, turn, phrases);
  await store(deps, turnId, turn, written.outcome);
  yield { type: "finish", threadId, ...written };
}

type Written = Omit<Extract<AnswerEvent, { type: "finish" }>, "type" | "threadId">;

async function retrieve(
  deps: AnswerDeps,
  request: OpenRequest,
  query: string,
  turn: OpenTurn,
): Promise<SearchResult> {
  const { site, question, pageSize } = request;
  const { filter, currentPath } = question;
  const startedAt = deps.clock();
  const found = await deps.search.find({ siteId: site.id, text: query, filter, pageSize, currentPath });
  turn.retrievalMs = deps.clock() - startedAt;
  turn.searched = query;
  turn.generation = found.generation;
  turn.retrieved = found.hits.map(({ passageId, path, anchor, relevance }) => ({
    passageId,
    path,
    anchor,
    relevance,
  }));
  return found;
}

const bestRelevance = ({ hits }: SearchResult) => Math.max(0, ...hits.map((hit) => hit.relevance));

async function* decline(
  deps: AnswerDeps,
  turn: OpenTurn,
  phrases: Phrases,
): AsyncGenerator<AnswerEvent, Written> {
  turn.responder = "extractive";
  yield say(deps, turn, phrases.notCovered);
  return {
    outcome: "unanswered",
    responder: "extractive",
    model: undefined,
    finishReason: "stop",
    usage: { promptTokens: 0, completionTokens: 0 },
  };
}

async function* write(
  deps: AnswerDeps,
  request: OpenRequest,
  hits: Hit[],
  turn: OpenTurn,
  phrases: Phrases,
  signal: AbortSignal,
): AsyncGenerator<AnswerEvent, Written> {
  const passages = hits.map((hit, index) => toNumbered(deps, request.site, hit, index));
  const citations = createCitationWriter(passages);
  let usage: TokenUsage = { promptTokens: 0, completionTokens: 0 };
  let finishReason: "stop" | "length" = "stop";
  const asked = toResponderRequest(request, passages, phrases);
  for await (const event of respond(deps, asked, turn, signal)) {
    if (event.type === "reasoning-delta") yield event;
    if (event.type === "text-delta") yield* sayAll(deps, turn, citations.write(event.text));
    if (event.type === "finish") {
      ({ usage, finishReason } = event);
      turn.promptTokensEstimated = event.promptTokensEstimated;
      turn.queueMs = event.queueMs;
    }
  }
  yield* sayAll(deps, turn, citations.end());
  const cited = yield* cite(deps, turn, passages, citations, phrases);
  if (request.site.settings.suggestions) {
    const paths = new Set(hits.filter((_, index) => cited.has(index + 1)).map((hit) => hit.path));
    yield* sayAll(deps, turn, suggestionsBlock(hits, paths, deps.relevanceMin));
  }
  const { promptTokens, completionTokens } = usage;
  Object.assign(turn, { promptTokens, completionTokens });
  const responder = turn.responder === "ollama" ? "ollama" : "extractive";
  const outcome = responder === "ollama" ? "answered" : "quoted";
  return { outcome, responder, model: turn.model, finishReason, usage };
}

/** The first responder's answer; or, when it is not there before its first word, the fallback's. */
async function* respond(
  { responder, fallback, log }: AnswerDeps,
  request: ResponderRequest,
  turn: OpenTurn,
  signal: AbortSignal,
): AsyncIterable<ResponderEvent> {
  try {
    for await (const event of responder.respond(request, signal)) {
      // Which model it is may only be known once it has been asked.
      turn.responder = responder.name;
      turn.model = responder.model();
      yield event;
    }
  } catch (error) {
    const begun = turn.responder !== undefined;
    if (begun || fallback === undefined || !(error instanceof AppError) || error.code !== "unavailable")
      throw error;
    log.info("answering by quoting", { reason: error.message, cause: error.cause });
    turn.responder = fallback.name;
    yield* fallback.respond(request, signal);
  }
}

/** Links to the passages that the answer rests on: those it cites, or, where it cites none, those that carry it. */
async function* cite(
  deps: AnswerDeps,
  turn: OpenTurn,
  passages: NumberedPassage[],
  citations: CitationWriter,
  phrases: Phrases,
): AsyncGenerator<AnswerEvent, Set<number>> {
  const cited = citations.cited();
  const numbers = cited.length > 0 ? cited : findSupport(turn.answer, passages);
  const sources = numbers.flatMap((number) => passages.find((passage) => passage.number === number) ?? []);
  if (cited.length === 0 && sources.length > 0) {
    const links = sources.map((source) => `[${escapeLabel(source.title)}](${source.url})`).join(", ");
    yield say(deps, turn, `\n\n${phrases.sources} ${links}`);
  }
  for (const { number, url, title } of sources) {
    yield { type: "source", source: { id: `source_${number}`, url, title } };
  }
  turn.cited = sources.map(({ number, url }) => ({
    passageId: turn.retrieved[number - 1]?.passageId ?? 0,
    url,
  }));
  return new Set(numbers);
}

function* sayAll(deps: AnswerDeps, turn: OpenTurn, text: string): Iterable<AnswerEvent> {
  if (text !== "") yield say(deps, turn, text);
}

function say(deps: AnswerDeps, turn: OpenTurn, text: string): AnswerEvent {
  turn.firstTokenMs ??= deps.clock() - turn.startedAt;
  turn.answer += text;
  return { type: "text-delta", text };
}

async function* fail(
  deps: AnswerDeps,
  { settings }: Site,
  turnId: string,
  turn: OpenTurn,
  error: unknown,
): AsyncIterable<AnswerEvent> {
  const { code, message, cause } = toAppError(error);
  // Where the store is what failed, the reader is told all the same.
  await store(deps, turnId, turn, "failed").catch((failure) =>
    deps.log.error("a turn could not be stored", { turn: turnId, error: failure }),
  );
  turn.stored = true;
  if (!turn.started) throw error;
  deps.log.warn("an answer failed", { code, reason: message, cause });
  // What broke is of no use to a reader; what to do about it is.
  const own = phrasesFor(settings.language, settings.phrases).failed;
  yield { type: "error", code, message: code === "model_failed" || code === "internal" ? own : message };
}

async function store(
  deps: AnswerDeps,
  turnId: string,
  turn: OpenTurn,
  outcome: TurnEnd["outcome"],
): Promise<void> {
  const { startedAt, started: _, stored: __, ...end } = turn;
  const totalMs = deps.clock() - startedAt;
  await deps.threads.finish(turnId, { ...end, outcome, totalMs });
  turn.stored = true;
  deps.log.info("a turn ended", {
    turn: turnId,
    outcome,
    responder: end.responder,
    model: end.model,
    totalMs,
  });
}

const asMessages = ({ question, answer }: { question: string; answer: string }): PastMessage[] => [
  { role: "user", text: question },
  ...(answer === "" ? [] : [{ role: "assistant" as const, text: answer }]),
];

function toFound(hit: Hit): FoundPassage {
  return {
    content: hit.snippet,
    path: hit.path,
    title: hit.title,
    href: `/${hit.path}${hit.anchor === "" ? "" : `#${hit.anchor}`}`,
    score: Math.round(hit.relevance * 1000) / 1000,
  };
}

function toNumbered(deps: AnswerDeps, site: Site, hit: Hit, index: number): NumberedPassage {
  const { title, headings, markdown, relevance } = hit;
  return { number: index + 1, title, headings, text: markdown, url: deps.linkTo(site, hit), relevance };
}

function toResponderRequest(
  request: OpenRequest,
  passages: NumberedPassage[],
  { quoting }: Phrases,
): ResponderRequest {
  const { site, question, history, contexts, images } = request;
  return {
    question: question.text,
    siteName: site.name,
    language: site.settings.language,
    quoting,
    history,
    passages,
    contexts,
    images,
    currentPath: question.currentPath,
  };
}

const escapeLabel = (title: string) => title.replace(/[[\]\\]/g, "\\$&").replace(/\s+/g, " ");
