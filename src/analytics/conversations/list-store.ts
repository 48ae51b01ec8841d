import type { CallerKind, Outcome } from "../../threads/threads.ts";
import type { Period, Place } from "../period.ts";
import type { ConversationFilter } from "./filter.ts";

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
