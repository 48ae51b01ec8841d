import type { Outcome } from "../threads/threads.ts";
import type { ResponderName, TokenUsage } from "./responder.ts";

/** A passage as the search tool part shows it. */
export interface FoundPassage {
  /** A short excerpt. */
  content: string;
  path: string;
  title: string;
  /** Path and anchor, relative to the site. */
  href: string;
  score: number;
}

/** A passage that the answer links to. */
export interface CitedSource {
  id: string;
  url: string;
  title: string;
}

/**
 * The events of an answer, whichever door it leaves through. `start` comes first, `finish` or `error` last.
 */
export type AnswerEvent =
  | { type: "start"; threadId: string; messageId: string }
  /** The first one is of the question; a model that looks for itself makes more. `corrected` is the query where words of the question were misspelled; undefined otherwise. */
  | {
      type: "search";
      callId: string;
      query: string;
      corrected?: string | undefined;
      results: FoundPassage[];
    }
  /** A model read a page while it answered. */
  | {
      type: "read";
      callId: string;
      path: string;
      heading: string | undefined;
      results: FoundPassage[];
    }
  /** The question waits for the model; position 1 is next. Sent again whenever the position changes. */
  | { type: "status"; status: "waiting"; position: number }
  | { type: "reasoning-delta"; text: string }
  | { type: "text-delta"; text: string }
  | { type: "source"; source: CitedSource }
  | {
      type: "finish";
      threadId: string;
      /** Whether the asker named a thread that does not exist here, so that its conversation is unknown. */
      isNewThread: boolean;
      outcome: Outcome;
      /** The responder that wrote the answer; undefined for a curated one. */
      responder: ResponderName | undefined;
      model: string | undefined;
      /** Whether it was written for an earlier question in the same words. */
      cached: boolean;
      finishReason: "stop" | "length";
      usage: TokenUsage;
      /** Questions that what was found answers as well, and the answer does not use; missing where there are none. */
      followUps?: string[] | undefined;
    }
  | { type: "error"; code: string; message: string };

/** How an answer came about, for its last event. */
export type AnswerEnd = Omit<Extract<AnswerEvent, { type: "finish" }>, "type" | "threadId" | "isNewThread">;
