import type { Outcome, RetrievedPassage } from "@docent/answering/threads/threads";
import type { Audience } from "@docent/sites/pages/audience";
import type { PageFilter } from "@docent/sites/pages/pages";

/** What an owner says of a gap. */
export const GAP_STATES = ["open", "documented", "dismissed"] as const;
export type GapState = (typeof GAP_STATES)[number];

/**
 * Why a question has no answer: no passage is about it at all; the nearest is not relevant enough, so no model was asked;
 * the model said that it does not know; or there was an answer, and its reader disliked it.
 */
export const GAP_REASONS = ["nothing_near", "below_gate", "declined", "disliked"] as const;
export type GapReason = (typeof GAP_REASONS)[number];

/** How much of a question is looked at: of a long one its beginning. */
export const GAP_TEXT_CHARACTERS_MAX = 1000;

/** A turn without an answer that helped, which belongs to no gap yet. */
export interface UnplacedTurn {
  turnId: string;
  /** The question made whole: as it was searched for, or as it was asked where nothing was searched. Its beginning. */
  text: string;
  outcome: Outcome;
  responder: string | undefined;
  retrieved: RetrievedPassage[];
}

/** Which gap a turn belongs to, with what was told of it when it ended. */
export interface Placement {
  turnId: string;
  gapId: string;
  reason: GapReason;
  nearest: { path: string; relevance: number } | undefined;
}

/** A turn of a gap. */
export interface GapQuestion extends Placement {
  text: string;
  askedAt: number;
  /** Who asked it, by which pages are for them. */
  audience: Audience;
  filter: PageFilter;
}

/** What came of asking a gap's question again. */
export interface AskedAgain {
  at: number;
  generation: number;
  answered: boolean;
  /** Of the best passage there is now; 0 where there is none. */
  relevance: number;
  path: string | undefined;
  /** The name of the curated answer that it would get. */
  curated: string | undefined;
}

/** What is kept of a gap beside its questions. */
export interface GapRecord {
  id: string;
  state: GapState;
  stateAt: number;
  /** The generation that readers saw when the state was set. */
  stateGeneration: number;
  askedAgain: AskedAgain | undefined;
}

/** Keeps which questions belong together. Nothing of theirs is copied: it goes with the turns. */
export interface GapStore {
  /** Of a site's newest questions without an answer that helped, those in no gap, oldest first. */
  unplaced(siteId: number, window: GapWindow): Promise<UnplacedTurn[]>;
  /** How many of them there are. */
  countUnplaced(siteId: number, questionsMax: number): Promise<number>;
  /** Of the same questions, those that are in one, oldest first; and the mark of all that was placed until now. */
  placed(siteId: number, questionsMax: number): Promise<{ questions: GapQuestion[]; mark: number }>;
  /** Adds placements, and the gaps that are new. Does nothing where others were added since the mark. */
  place(siteId: number, mark: number, placements: Placement[], at: number): Promise<boolean>;
  /** The generation that readers of the site see. */
  generation(siteId: number): Promise<number>;
  records(siteId: number): Promise<GapRecord[]>;
  /** Whether the site has that gap. */
  setState(siteId: number, gapId: string, change: StateChange): Promise<boolean>;
  /** What the answer to a turn was made from. */
  evidence(turnId: string): Promise<Evidence | undefined>;
  setAskedAgain(gapId: string, asked: AskedAgain): Promise<void>;
}

interface GapWindow {
  questionsMax: number;
  /** The most of them to return. */
  most: number;
}

type StateChange = Pick<GapRecord, "state" | "stateAt">;

/** The passages, or the curated answer, that an answer was made from. */
export interface Evidence {
  passageIds: number[];
  curated: string | undefined;
}
