import type { CallerKind, Outcome, QuestionFilter } from "../../threads/threads.ts";

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
export interface PassageContent {
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
