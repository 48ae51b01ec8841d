import type { CallerKind, Outcome, QuestionFilter } from "../../threads/threads.ts";
import type { Period, Place } from "../period.ts";

/** Which conversations are looked for; what is left out does not narrow. */
export interface ConversationFilter {
  outcomes?: readonly Outcome[] | undefined;
  /** What its reader said of it. */
  helpful?: boolean | undefined;
  caller?: CallerKind | undefined;
  /** Words that the question or the answer has, all of them. What stands in quotes is one. */
  text?: string | undefined;
}

const WORDS_MAX = 10;

/** The words of what somebody looks for: what stands in quotes is one of them. */
export function searchedWords(text: string): string[] {
  const words = [...text.normalize("NFC").matchAll(/"([^"]*)"?|[^\s"]+/g)].map(([word, quoted]) =>
    (quoted ?? word).trim(),
  );
  return [...new Set(words)].filter((word) => word !== "").slice(0, WORDS_MAX);
}

/** Whether readers still find the page of a passage as it was: as it was, in other words, or not at all. */
export const PAGE_STATES = ["same", "changed", "gone"] as const;
export type PageState = (typeof PAGE_STATES)[number];

/** A passage that was found for a turn, as it was then. */
export interface RetrievedDetail {
  passageId: number;
  path: string;
  anchor: string;
  relevance: number;
  /** Where the answer leads for it; undefined where it does not cite it. */
  citedUrl: string | undefined;
  page: PageState;
  /** What it said; undefined where no generation that is kept has it. */
  content: PassageContent | undefined;
}

/** What a passage said. */
interface PassageContent {
  title: string;
  /** Its headings, the outermost first. */
  headingPath: string[];
  version: string;
  language: string;
  /** Its beginning, without markup. */
  text: string;
}

/** Another turn of the same conversation. */
export interface NeighbourTurn {
  id: string;
  at: number;
  question: string;
  outcome: Outcome | undefined;
}

/** All that is kept of a turn. */
export interface TurnDetail {
  id: string;
  threadId: string;
  at: number;
  finishedAt: number | undefined;
  /** When a retry took its place. */
  replacedAt: number | undefined;
  fp: string;
  caller: CallerKind;
  currentPath: string | undefined;
  filter: QuestionFilter | undefined;
  question: string;
  searched: string | undefined;
  answer: string;
  outcome: Outcome | undefined;
  generation: number | undefined;
  responder: string | undefined;
  model: string | undefined;
  promptTokens: number | undefined;
  promptTokensEstimated: number | undefined;
  completionTokens: number | undefined;
  supportShare: number | undefined;
  cached: boolean;
  curated: string | undefined;
  queueMs: number | undefined;
  retrievalMs: number | undefined;
  firstTokenMs: number | undefined;
  totalMs: number | undefined;
  helpful: boolean | undefined;
  comment: string | undefined;
  retrieved: RetrievedDetail[];
  /** What the answer leads to beside passages that were found, as curated answers do. */
  otherCitedUrls: string[];
  /** The turns of its conversation, oldest first, itself included unless it was replaced. */
  thread: NeighbourTurn[];
}

/** Reads one turn whole. */
export interface TurnStore {
  /** Undefined where the site has no such turn. */
  turn(siteId: number, turnId: string): Promise<TurnDetail | undefined>;
  /** The thread that a turn belongs to. */
  threadOf(siteId: number, turnId: string): Promise<string | undefined>;
}

/** A turn as a list shows it. */
export interface ListedTurn {
  id: string;
  at: number;
  question: string;
  /** Its beginning. */
  answer: string;
  outcome: Outcome | undefined;
  caller: CallerKind;
  currentPath: string | undefined;
  responder: string | undefined;
  model: string | undefined;
  /** The name of the curated answer that was given. */
  curated: string | undefined;
  cached: boolean;
  totalMs: number | undefined;
  helpful: boolean | undefined;
  comment: string | undefined;
}

/** Where a look goes on, and how far. */
export interface Look {
  behind: Place | undefined;
  /** The most turns to find. */
  limit: number;
  /** The most turns to look at. */
  lookedAtMax: number;
}

/** Looks through turns, newest first. Those that a retry replaced are in none of it. */
export interface ConversationListStore {
  /** What was found among the next turns, and the last turn that was looked at; undefined where there are no more. */
  look(
    siteId: number,
    period: Period,
    filter: ConversationFilter,
    look: Look,
  ): Promise<{ found: ListedTurn[]; lookedAt: Place | undefined }>;
}

/** A turn as owners read it, with what its reader said of it. */
export interface StoredConversation {
  id: string;
  threadId: string;
  at: number;
  question: string;
  answer: string;
  /** Undefined while it is being written. */
  outcome: Outcome | undefined;
  caller: CallerKind;
  currentPath: string | undefined;
  responder: string | undefined;
  model: string | undefined;
  /** What the answer links to, each address once. A page that is gone has no title. */
  cited: { url: string; title: string | undefined }[];
  helpful: boolean | undefined;
  comment: string | undefined;
}

/** One turn of a thread. */
interface ThreadTurn {
  id: string;
  questionMessageId: string;
  question: string;
  answer: string;
  askedAt: number;
  /** Undefined while it is being written. */
  answeredAt: number | undefined;
}

/** How many turns were asked by pages, by programs, and by anyone. */
export interface CallerCounts {
  web: number;
  api: number;
  total: number;
}

/** Which part of the turns of a period is read: those behind a place, in an order. */
export interface ConversationPart {
  order: "newest" | "oldest";
  behind: Place | undefined;
  limit: number;
}

/** Reads turns for owners. Those that a retry replaced are in none of it. */
export interface ConversationStore {
  conversations(siteId: number, period: Period, part: ConversationPart): Promise<StoredConversation[]>;
  /** The newest turns of a thread, oldest first; undefined where the site has no such thread. */
  thread(
    siteId: number,
    threadId: string,
    turnsMax: number,
  ): Promise<{ createdAt: number; turns: ThreadTurn[] } | undefined>;
  /** Turns that were deleted since are counted too. */
  callers(siteId: number, period: Period): Promise<CallerCounts>;
}
