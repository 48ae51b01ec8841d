import type { Outcome } from "../threads/threads.ts";
import type { ResponderName, TokenUsage } from "./responder.ts";

/** A passage as the search tool part shows it. */
export interface FoundPassage {
  /** A short piece of its text. */
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

/** What an answer is made of, whichever door it leaves through. `start` comes first, `finish` or `error` last. */
export type AnswerEvent =
  | { type: "start"; threadId: string; messageId: string }
  | { type: "search"; callId: string; query: string; results: FoundPassage[] }
  /** The question waits for the model, in this place; 1 is the next one. Sent again whenever the place changes. */
  | { type: "status"; status: "waiting"; position: number }
  | { type: "reasoning-delta"; text: string }
  | { type: "text-delta"; text: string }
  | { type: "source"; source: CitedSource }
  | {
      type: "finish";
      threadId: string;
      /** The asker named another thread, which does not exist here: nothing that was said there is known. */
      isNewThread: boolean;
      outcome: Outcome;
      /** What wrote the answer; undefined where people did. */
      responder: ResponderName | undefined;
      model: string | undefined;
      /** It was written for an earlier question of the same words. */
      cached: boolean;
      finishReason: "stop" | "length";
      usage: TokenUsage;
    }
  | { type: "error"; code: string; message: string };

/** How an answer came about, for the event that ends it. */
export type AnswerEnd = Omit<Extract<AnswerEvent, { type: "finish" }>, "type" | "threadId" | "isNewThread">;
