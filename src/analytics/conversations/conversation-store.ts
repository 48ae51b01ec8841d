import type { CallerKind, Outcome } from "../../threads/threads.ts";
import type { Period, Place } from "../period.ts";

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
export interface ThreadTurn {
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
