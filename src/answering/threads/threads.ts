import { AppError } from "@docent/kernel/errors";
import type { Clock } from "@docent/kernel/lib/clock";
import { hasIdForm, type Ids } from "@docent/kernel/lib/ids";
import type { Log } from "@docent/kernel/lib/log";
import type { Audience } from "@docent/sites/pages/audience";
import { createTurnStoring } from "./unstored-turns.ts";

export { type AppChats, type ChatOfApp, createAppChats, mayBeOthers } from "./app-chats.ts";
export { ANONYMOUS, storedName } from "./names.ts";
export type { Unstored } from "./unstored-turns.ts";

export const CALLERS = ["web", "api", "mcp", "cli", "chat"] as const;
export type CallerKind = (typeof CALLERS)[number];
export const OUTCOMES = [
  "answered",
  "unanswered",
  "quoted",
  "touched",
  "curated",
  "failed",
  "stopped",
] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** A passage that was found for a turn. */
export interface RetrievedPassage {
  passageId: number;
  path: string;
  anchor: string;
  relevance: number;
}

/** A passage that a turn's answer links to. */
interface CitedPassage {
  passageId: number;
  url: string;
}

/** The part of the docs to which the asker narrowed a question. */
export interface QuestionFilter {
  version?: string | undefined;
  language?: string | undefined;
  tag?: string | undefined;
  groups?: readonly string[] | undefined;
}

/** What is known of a turn when its question arrives. */
export interface Question {
  questionMessageId: string;
  text: string;
  keyId: string | undefined;
  fp: string;
  caller: CallerKind;
  /** Who asks, by which pages are for them. */
  audience: Audience;
  /** The reader for whom somebody vouches: the thread is theirs. */
  readerId?: string | undefined;
  currentPath: string | undefined;
  filter: QuestionFilter | undefined;
}

export const LOOK_TOOLS = ["search", "read_page", "unknown"] as const;

/** One call of a model that looks for itself. */
export interface ModelLook {
  /** `unknown` where the call could not be read. */
  tool: (typeof LOOK_TOOLS)[number];
  /** What was searched for, or the page with its heading. */
  asked: string;
  /** How many passages that brought; 0 also for a call that was made before. */
  found: number;
}

/**
 * What is known of a turn when it ends. A further field needs its migrations and a column in `storage/sql/tables/`, is
 * written in `storage/conversations/threads.ts` and read in `turn-detail.ts` beside it.
 */
export interface TurnEnd {
  outcome: Outcome;
  answer: string;
  /** The question made whole, as it was searched for first. */
  searched: string | undefined;
  /** What a model wrote in its place because too little was found, and was searched for then; empty where nothing was. */
  rewritten: string[];
  /** What a model looked for before it answered, oldest first; empty where it looked for nothing. */
  looks: ModelLook[];
  retrieved: RetrievedPassage[];
  cited: CitedPassage[];
  generation: number | undefined;
  responder: string | undefined;
  model: string | undefined;
  promptTokens: number | undefined;
  completionTokens: number | undefined;
  /** The share of the answer's sentences that a retrieved passage carries; undefined where no model wrote it. */
  supportShare: number | undefined;
  /** The answer was written for an earlier question of the same words. */
  cached: boolean;
  /** The name of the curated answer that was given. */
  curated: string | undefined;
  promptTokensEstimated: number | undefined;
  queueMs: number | undefined;
  retrievalMs: number | undefined;
  /** How long a model took to write the question anew; undefined where none was asked. */
  rewriteMs: number | undefined;
  firstTokenMs: number | undefined;
  totalMs: number;
}

/** A question with its answer, as later turns read it. */
export interface PastTurn {
  id: string;
  question: string;
  answer: string;
}

/** A chat of an app, in which a question is asked. */
export interface AppChat {
  /** What `app-chats.ts` makes of the chat's id: one name for one chat of one reader. */
  name: string;
  /** Its client posts the whole conversation: it needs no thread that goes on by this name. */
  isWhole: boolean;
}

export interface NewTurn {
  turnId: string;
  siteId: number;
  /** The thread to continue; a new one is made when there is none of that id on the site and `newThreadId` is given. */
  threadId: string | undefined;
  newThreadId: string | undefined;
  /**
   * The turn that the question follows, where it is not the thread's last. Where the thread has none of that id, there
   * is no such thread.
   */
  previousTurnId?: string | undefined;
  /** Where no thread is named, the one that began in this chat goes on, or one begins that does. */
  chat?: AppChat | undefined;
  question: Question;
  /** A thread of nobody's becomes theirs who goes on with it; otherwise there is no such thread for a known reader. */
  adopts?: boolean | undefined;
  at: number;
  /** How many earlier turns to return. */
  pastTurns: number;
}

/** The thread that a question was added to. */
export interface BegunTurn {
  threadId: string;
  /** The turns before it, oldest first: those that led to the one that it follows. */
  past: PastTurn[];
  /** The question took the place of an earlier one of the same message id. */
  replaced: boolean;
}

/** Keeps threads and turns. */
export interface ThreadStore {
  /**
   * Adds the question to its thread, in one write. To everyone but its reader, a known reader's thread is none. A question
   * whose message id the thread already has takes the place of the earlier one. Undefined where there is no such thread.
   */
  begin(turn: NewTurn): Promise<BegunTurn | undefined>;
  /** What `begin` would tell of a thread that goes on, where nothing can be stored. Undefined where there is none such. */
  recall(turn: NewTurn): Promise<BegunTurn | undefined>;
  finish(turnId: string, end: TurnEnd, at: number): Promise<void>;
  /** Marks turns that a server which is gone left unfinished as failed. Returns how many there were. */
  failUnfinished(at: number): Promise<number>;
}

export interface TurnBegin {
  siteId: number;
  threadId: string | undefined;
  /**
   * Apps of the site may still hold ids that another service gave. Those that cannot be ours begin a new thread, by
   * their form alone: whether a thread is expired, deleted or another site's must not be told from an unknown one.
   */
  takesForeignIds: boolean;
  /**
   * All who ask are known, so that threads without a reader are from before. On a site where some are not known, a thread of
   * one of them stays as it is: whoever knows its id would read on what a known reader is answered.
   */
  adoptsThreads?: boolean | undefined;
  /** The turn of the thread that the question follows, where it is not the last. */
  previousTurnId?: string | undefined;
  /** The chat of an app that it is asked in: it stands in for the id of a thread. */
  chat?: AppChat | undefined;
  /** Only the newest message was posted, so what it refers to must be here. */
  needsThread: boolean;
  question: Question;
}

/** A turn that is stored, and whether its asker named a thread that it is not in. */
export interface StartedTurn extends BegunTurn {
  turnId: string;
  isNewThread: boolean;
}

interface ThreadsDeps {
  /** The settings it reads, under their own names. */
  settings: { history_turns: number };
  store: ThreadStore;
  clock: Clock;
  ids: Ids;
  log: Log;
}

/** Begins and finishes turns in their threads. */
export function createThreads({ settings, store, clock, ids, log }: ThreadsDeps) {
  const storing = createTurnStoring({ store, clock, log });

  return {
    async begin(turn: TurnBegin): Promise<StartedTurn> {
      const { threadId: asked } = turn;
      const turnId = ids.ulid();
      // Docent itself works the thread's id out from the channel: where there is none yet, it begins under that id.
      const isOfChannel = asked !== undefined && turn.question.caller === "chat";
      const isForeign = asked !== undefined && turn.takesForeignIds && !hasIdForm(asked);
      const mustContinue = turn.needsThread && asked !== undefined && !isForeign && !isOfChannel;
      const begun = await storing.begin({
        turnId,
        siteId: turn.siteId,
        threadId: asked,
        newThreadId: isOfChannel ? asked : mustContinue ? undefined : ids.capability(),
        previousTurnId: turn.previousTurnId,
        chat: turn.chat,
        question: turn.question,
        adopts: turn.adoptsThreads,
        at: clock(),
        pastTurns: settings.history_turns,
      });
      if (!begun) throw new AppError("not_found", "Not found");
      return { turnId, isNewThread: asked !== undefined && begun.threadId !== asked, ...begun };
    },
    finish: storing.finish,
    flush: storing.flush,
    unstored: storing.unstored,
    unstoredTotal: storing.unstoredTotal,
    failUnfinished: () => store.failUnfinished(clock()),
  };
}

export type Threads = ReturnType<typeof createThreads>;

/** Threads of which nothing is kept, for questions that only try out what would be answered. */
export function createTrialThreads(ids: Ids): Threads {
  return {
    begin: async ({ threadId }) => ({
      turnId: ids.ulid(),
      threadId: threadId ?? ids.capability(),
      past: [],
      replaced: false,
      isNewThread: false,
    }),
    finish: async () => {},
    flush: async () => {},
    unstored: () => undefined,
    unstoredTotal: () => 0,
    failUnfinished: async () => 0,
  };
}
