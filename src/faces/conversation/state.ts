import type { Suggestion } from "@docent/kernel/text/suggestions";

/** Where a turn stands. */
type TurnStatus = "searching" | "waiting" | "thinking" | "answering" | "done" | "stopped" | "failed";

/** A piece of the page that a question is about. */
export interface QuestionContext {
  type: "code" | "textSelection";
  value: string;
  path?: string;
  elementId?: string;
}

/** What a question is narrowed to. */
export interface QuestionFilter {
  version?: string;
  language?: string;
  tag?: string;
  groups?: string[];
}

/** What may be said with a question. */
export interface AskOptions {
  context?: QuestionContext[];
  currentPath?: string;
  filter?: QuestionFilter;
  retrievalPageSize?: number;
}

/** A passage that was found. */
export interface FoundPassage {
  title: string;
  /** A short piece of its text. */
  content: string;
  path: string;
  /** Path and anchor from the site's root. */
  href: string;
  score: number;
}

/** A passage that the answer cites. */
export interface Source {
  url: string;
  title: string;
  /** A short piece of its text; empty where none is known. */
  snippet: string;
}

/** Why a turn failed. */
export interface TurnError {
  /** One of the server's codes, or of ours: `offline`, `unreachable`, `broken_off`. */
  code: string;
  /** A sentence for the reader. */
  message: string;
  retryAfterSeconds: number | undefined;
}

/** What a reader thinks of an answer. */
interface Feedback {
  helpful: boolean;
  comment: string | undefined;
  status: "sending" | "sent" | "failed";
}

/** A question with its answer. */
export interface Turn {
  /** The id of the question's message. */
  readonly id: string;
  readonly question: string;
  readonly asked: AskOptions;
  readonly askedAt: number;
  readonly status: TurnStatus;
  /** Place in the queue while it waits; 1 is the next one. */
  readonly queuePosition: number | undefined;
  /** What was searched for. */
  readonly query: string | undefined;
  /** The same where words of the question were misspelled. */
  readonly corrected: string | undefined;
  /** What a model searched for and read besides, before it answered, each but the first in quotation marks of its own. */
  readonly looks: string | undefined;
  readonly results: readonly FoundPassage[];
  /** Markdown, without the block of suggestions. */
  readonly answer: string;
  readonly reasoning: string;
  readonly sources: readonly Source[];
  readonly suggestions: readonly Suggestion[];
  /** Questions to go on with; undefined before the answer is complete. */
  readonly followUps: readonly string[] | undefined;
  /** `answered`, `quoted`, `touched`, `curated` or `unanswered`. */
  readonly outcome: string | undefined;
  readonly isCurated: boolean;
  readonly model: string | undefined;
  readonly error: TurnError | undefined;
  /** The id of the answer's message, for feedback and events. */
  readonly messageId: string | undefined;
  readonly threadId: string | undefined;
  readonly feedback: Feedback | undefined;
}

/** Whether an answer is on its way. */
export const isComing = ({ status }: Turn) =>
  status !== "done" && status !== "stopped" && status !== "failed";

/** A conversation as it stands. */
export interface ConversationState {
  readonly turns: readonly Turn[];
  readonly threadId: string | undefined;
  /** An answer is on its way. */
  readonly isBusy: boolean;
}
