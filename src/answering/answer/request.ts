import type { Hit, PagePassages, RelevanceSettings, Search } from "@docent/finding/search/search";
import type { Clock } from "@docent/kernel/lib/clock";
import type { Pacer } from "@docent/kernel/lib/event-loop";
import type { Log } from "@docent/kernel/lib/log";
import type { Embedder } from "@docent/kernel/vectors/embedder";
import type { PageStore } from "@docent/sites/pages/pages";
import type { Site } from "@docent/sites/site/sites";
import type { Curated } from "../curated/curated.ts";
import type { AppChat, Question, Threads, TurnEnd } from "../threads/threads.ts";
import type { AnswerCache } from "./cache/cache.ts";
import type { AttachedImage, PastMessage, ReaderContext, Responder } from "./responder.ts";
import type { RewriteMemory } from "./rewriting/rewriting.ts";
import type { SupportReader } from "./support/support.ts";

/** A question, whichever door it came through. */
export interface AnswerRequest {
  /** Identifies the request in the log. */
  requestId: string;
  /** Tells readers apart, so that one of them cannot hold up the others. */
  reader: string;
  site: Site;
  question: Question;
  threadId: string | undefined;
  /** The conversation before the question as posted; undefined where only the question was posted. */
  posted: PastMessage[] | undefined;
  /** The turn of the thread that the question follows, where it is not the last. */
  previousTurnId?: string | undefined;
  /** The chat of an app that it is asked in. */
  chat?: AppChat | undefined;
  /**
   * How the stored turns relate to the posted ones. `before`: they precede them, and must exist. `instead`:
   * they replace them where they exist, because the answers were posted as ids only. Undefined: they are not
   * used.
   */
  stored?: "before" | "instead" | undefined;
  contexts: ReaderContext[];
  images: AttachedImage[];
  /** How many results are shown. */
  pageSize: number;
  /** How many of the sections that were found a model may read; twice as many as are shown unless given. */
  sectionsMax?: number | undefined;
}

/** Called after each turn, with its stored record. */
export type ObserveTurn = (end: TurnEnd, site: Site) => void;

/** The settings it reads, under their own names. */
interface AnswerSettings extends RelevanceSettings {
  /**
   * How long a model may take to write a question anew that the docs do not seem to cover. 0: it is declined at once.
   */
  rewrite_seconds: number;
  /** How many rounds of calls a model may make that looks for itself; 0: none. */
  search_rounds: number;
  /** How long after the first of them the last one may begin. */
  search_seconds: number;
  /** The most tokens that their results may take. */
  search_tokens: number;
}

/** The parts that answer, with the operator's choices. */
export interface AnswerDeps {
  settings: AnswerSettings;
  threads: Threads;
  search: Search;
  /** Reads pages for models that look for themselves. */
  pages: PagePassages;
  /** Names the pages of a site. */
  listing: Pick<PageStore, "listPages">;
  /** Measures whether a passage supports a sentence. */
  embedder: Embedder;
  /** Asked first. */
  responder: Responder;
  /** Takes its place when it is unavailable; undefined where that is an error. */
  fallback: Responder | undefined;
  /** Answers that people wrote. */
  curated: Pick<Curated, "match">;
  cache: AnswerCache;
  rewrites: RewriteMemory;
  /** The address of a citation. */
  linkTo: (site: Site, passage: Pick<Hit, "path" | "href" | "version" | "language" | "groups">) => string;
  observe?: ObserveTurn | undefined;
  /** Called before each piece of an answer that is compared with its passages, so that answers alternate. */
  paceLinking: Pacer;
  /** Reads what passages state, for the links behind an answer's sentences. */
  readSupport: SupportReader;
  clock: Clock;
  log: Log;
}

/** A stored turn and its thread. */
interface Begun {
  threadId: string;
  turnId: string;
  /** Whether the question replaced an earlier one because its reader wants another answer. */
  replaced: boolean;
  /** Whether the asker named a thread, but the question is in another one. */
  isNewThread: boolean;
}

/** A question with the conversation before it, whether posted or stored. */
export interface OpenRequest extends Omit<AnswerRequest, "threadId">, Begun {
  /** As the reader saw it: its links show what it was about. */
  conversation: PastMessage[];
  /** The same, as a model may see it. */
  history: PastMessage[];
}
