import type { CallerKind, ModelLook, Outcome, QuestionFilter } from "@docent/answering/threads/threads";

/** From a moment on, and before another one. */
export interface Period {
  from: number;
  to: number;
}

/** All the time there is. */
export const ALWAYS: Period = { from: 0, to: Number.MAX_SAFE_INTEGER };

/** A row's place in a list that is ordered by time. Rows of the same moment are ordered by their ids. */
export interface ListPlace {
  at: number;
  id: string;
}

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
  /** The question made whole, as it was searched for first. */
  searched: string | undefined;
  /** What a model wrote in its place because too little was found; empty where nothing was. */
  rewritten: string[];
  /** What a model looked for before it answered. */
  looks: ModelLook[];
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
  rewriteMs: number | undefined;
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
  behind: ListPlace | undefined;
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
  ): Promise<{ found: ListedTurn[]; lookedAt: ListPlace | undefined }>;
}

/** A turn as owners read it, with what its reader said of it. */
export interface StoredConversation {
  id: string;
  threadId: string;
  at: number;
  question: string;
  /** What a model wrote in its place because too little was found; empty where nothing was. */
  rewritten: string[];
  /** What a model looked for before it answered. */
  looks: ModelLook[];
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
  behind: ListPlace | undefined;
  limit: number;
}

/** Reads turns for owners. Those that a retry replaced are in none of it. */
export interface ConversationStore {
  conversations(siteId: number, period: Period, part: ConversationPart): Promise<StoredConversation[]>;
  /**
   * The newest turns of a thread, oldest first; undefined where the site has no such thread. With `readBy` it is one of nobody's,
   * or of that reader: undefined there is somebody for whom nobody vouches.
   */
  thread(
    siteId: number,
    threadId: string,
    turnsMax: number,
    readBy?: { readerId: string | undefined },
  ): Promise<{ createdAt: number; turns: ThreadTurn[] } | undefined>;
  /** Turns that were deleted since are counted too. */
  callers(siteId: number, period: Period): Promise<CallerCounts>;
}

export const EVENT_TYPES = ["search_click", "source_click", "suggestion_click"] as const;

/** Something that a reader clicked. */
export interface ReaderEvent {
  type: (typeof EVENT_TYPES)[number];
  /** What had been searched for. */
  query: string | undefined;
  /** The page that the click led to. */
  path: string;
  /** The answer that was clicked in. It is noted where both name one of the site's that is the reader's. */
  threadId: string | undefined;
  messageId: string | undefined;
  /** Who clicked, where somebody vouches for them. */
  readerId?: string | undefined;
}

/** How often what a search gave was clicked, and the page most often. */
export interface SearchClicks {
  clicks: number;
  topPath: string;
}

/** Keeps what readers clicked. */
export interface EventStore {
  add(siteId: number, event: ReaderEvent, at: number): Promise<void>;
  /** Whether the site ever told of a click in its search. */
  hasSearchClicks(siteId: number): Promise<boolean>;
  /** Of those queries, the ones that something was clicked for. */
  searchClicks(
    siteId: number,
    period: Period,
    queries: readonly string[],
  ): Promise<ReadonlyMap<string, SearchClicks>>;
}

/** What a reader says of an answer. */
export interface Feedback {
  messageId: string;
  /** The thread of that message: knowing it is the right to speak of it, unless it is a known reader's. */
  threadId: string;
  /** Who says it, where somebody vouches for them. */
  readerId?: string | undefined;
  helpful: boolean;
  comment: string | undefined;
}

/** What was said of an answer last, with what had been asked. */
export interface StoredFeedback {
  /** Of the message. */
  id: string;
  /** When something was said of it first. */
  at: number;
  helpful: boolean;
  comment: string | undefined;
  question: string;
  currentPath: string | undefined;
}

/** Keeps one opinion of each answer. */
export interface FeedbackStore {
  /** In the place of what was said before. False where the site has no such message in that thread, or not for who says it. */
  put(siteId: number, feedback: Feedback, at: number): Promise<boolean>;
  /** Newest first, without what was said of replaced turns. */
  list(
    siteId: number,
    period: Period,
    part: { behind: ListPlace | undefined; limit: number },
  ): Promise<StoredFeedback[]>;
}

/** A question that was kept to measure with, and the pages that should be found for it. */
export interface EvaluationQuestion {
  id: string;
  /** The turn that it came from, where that is kept. */
  turnId: string | undefined;
  question: string;
  /** Paths, with an anchor where a section is meant. Any of them is right. */
  expected: string[];
  /** What kind of question it is; empty where that is not said. */
  subset: string;
  version: string;
  language: string;
  at: number;
}

/** Keeps questions to measure with. */
export interface EvaluationStore {
  /** At most so many, oldest first. */
  list(siteId: number, limit: number): Promise<EvaluationQuestion[]>;
  count(siteId: number): Promise<number>;
  add(siteId: number, question: EvaluationQuestion): Promise<void>;
  /** Whether the site had it. */
  remove(siteId: number, id: string): Promise<boolean>;
}

/** A search that was made, by whomever. */
export interface LoggedSearch {
  siteId: number;
  query: string;
  /** How many passages it gave. */
  results: number;
  at: number;
}

/** Keeps what was searched for. */
export interface SearchLogStore {
  add(searches: readonly LoggedSearch[]): Promise<void>;
}

/** How often something was searched for. */
export interface CountedSearch {
  query: string;
  hits: number;
  /** How many passages it gave the last time. */
  results: number;
  lastAt: number;
}

/** A place in the list of searches, the most frequent first. */
interface SearchPlace {
  hits: number;
  query: string;
}

/** Counts searches. `upTo` is the newest that is counted: a list that is read part by part stays the same list. */
export interface SearchReportStore {
  newest(siteId: number): Promise<number>;
  count(siteId: number, period: Period, upTo: number): Promise<number>;
  list(
    siteId: number,
    period: Period,
    part: { upTo: number; behind: SearchPlace | undefined; limit: number },
  ): Promise<CountedSearch[]>;
}

/** How many questions of a range ended so. */
export interface OutcomeCount {
  /** Which of the ranges that were asked for, from 0. */
  range: number;
  /** Undefined while they are being answered. */
  outcome: Outcome | undefined;
  count: number;
}

/** What is known of the questions of a range beside how they ended. */
export interface RangeFigures {
  /** Of readers who have a name. */
  readers: number;
  /** Answers that were written for an earlier question of the same words. */
  cached: number;
  /** Questions that are stored still; of deleted ones there are only counts. */
  stored: number;
  /** In milliseconds, in no order: of each question that has them. */
  queueMs: number[];
  firstTokenMs: number[];
  totalMs: number[];
}

/** Opinions that were given in a range. */
export interface RatingCount {
  helpful: number;
  rated: number;
}

/** A page, and how many answers cite it or how many questions were asked on it. */
export interface PageCount {
  path: string;
  /** Of the page as readers find it now, or found it; undefined where no generation that is kept has it. */
  title: string | undefined;
  count: number;
}

/** A place that answers lead to, where the passage that was cited is kept no more. */
export interface AddressCount {
  url: string;
  count: number;
}

/** What answers cite. */
interface CitedPages {
  pages: PageCount[];
  addresses: AddressCount[];
}

/** Which questions of a period are looked at one by one, the newest, and how many pages are named. */
interface PageBounds {
  questionsMax: number;
  pagesMax: number;
}

/** Counts what readers asked. Turns that a retry replaced are in none of it. */
/** What readers ask in the same words, and how many of them. */
export interface SharedQuestion {
  /** As it was asked last. */
  question: string;
  readers: number;
}

export interface OverviewStore {
  /** Turns that were deleted since are counted too, to the range that holds the noon of their day, in UTC. */
  outcomes(siteId: number, ranges: readonly Period[]): Promise<OutcomeCount[]>;
  figures(siteId: number, period: Period): Promise<RangeFigures>;
  ratings(siteId: number, period: Period): Promise<RatingCount>;
  searches(siteId: number, period: Period): Promise<number>;
  /** The pages that most answers cite. An answer that cites several passages of a page cites one page. */
  cited(siteId: number, period: Period, bounds: PageBounds): Promise<CitedPages>;
  /** The pages on which most questions were asked. */
  askedOn(siteId: number, period: Period, bounds: PageBounds): Promise<PageCount[]>;
  /**
   * Questions that began a conversation, were answered, and that at least so many readers with names asked, on at least so
   * many days (UTC); the most asked first. None that a reader found unhelpful, that was asked for a group, or that has an
   * address of a site or a person in it.
   */
  shared(
    siteId: number,
    period: Period,
    bounds: {
      questionsMax: number;
      charactersMax: number;
      readersMin: number;
      daysMin: number;
      limit: number;
    },
  ): Promise<SharedQuestion[]>;
}
