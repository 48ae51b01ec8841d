import type { Curated } from "../curated/curated.ts";
import type { Embedder } from "../embed/embedder.ts";
import type { Clock } from "../lib/clock.ts";
import type { Pacer } from "../lib/event-loop.ts";
import type { Log } from "../lib/log.ts";
import type { Hit, Search } from "../search/search.ts";
import type { Site } from "../sites/sites.ts";
import type { Question, Threads, TurnEnd } from "../threads/threads.ts";
import type { AnswerCache } from "./cache/cache.ts";
import type { AttachedImage, PastMessage, ReaderContext, Responder } from "./responder.ts";

/** A question, whichever door it came through. */
export interface AnswerRequest {
  /** Names the request in the log. */
  requestId: string;
  /** Tells readers apart, so that one of them cannot hold up the others. */
  reader: string;
  site: Site;
  question: Question;
  threadId: string | undefined;
  /** The conversation before the question as it was posted, or undefined where only the question was posted. */
  posted: PastMessage[] | undefined;
  /** The turn of the thread that the question follows, where it is not the last. */
  previousTurnId?: string | undefined;
  /**
   * What the stored turns are to what was posted: what comes before it, and has to be there; or what says more than it,
   * where they are there, because of the answers only ids were posted. Undefined: nothing.
   */
  stored?: "before" | "instead" | undefined;
  contexts: ReaderContext[];
  images: AttachedImage[];
  pageSize: number;
}

/** Told of every turn that has ended, with what is stored of it. */
export type ObserveTurn = (end: TurnEnd, site: Site) => void;

/** What it reads of the settings, in their own names. */
interface AnswerSettings {
  /** Below this relevance of the best passage, the docs do not cover the question. A site may have its own. */
  relevance_min: number;
}

/** The parts that answer, and what the operator decided of them. */
export interface AnswerDeps {
  settings: AnswerSettings;
  threads: Threads;
  search: Search;
  /** Measures whether a passage carries a sentence. */
  embedder: Embedder;
  /** Asked first. */
  responder: Responder;
  /** Takes its place when it is unavailable; undefined where that is an error. */
  fallback: Responder | undefined;
  /** Answers that people wrote. */
  curated: Pick<Curated, "match">;
  cache: AnswerCache;
  /** Where a citation of a passage leads. */
  linkTo: (site: Site, passage: Pick<Hit, "path" | "href" | "version" | "language">) => string;
  observe?: ObserveTurn | undefined;
  /** Passed before each piece of an answer that is held against its passages, so that one comes after the other. */
  pace: Pacer;
  clock: Clock;
  log: Log;
}

/** A turn that is stored, and the thread it belongs to. */
interface Begun {
  threadId: string;
  turnId: string;
  /** The question took the place of an earlier one: its reader wants another answer. */
  replaced: boolean;
  /** The asker named a thread, and the question is in another one. */
  isNewThread: boolean;
}

/** A question with the conversation before it, whether that was posted or stored. */
export interface OpenRequest extends Omit<AnswerRequest, "threadId">, Begun {
  /** As the reader saw it: its links say what was talked about. */
  conversation: PastMessage[];
  /** The same as a model may see it. */
  history: PastMessage[];
}
