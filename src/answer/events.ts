import type { Outcome } from "../threads/threads.ts";
import type { TokenUsage } from "./responder.ts";

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
  | { type: "reasoning-delta"; text: string }
  | { type: "text-delta"; text: string }
  | { type: "source"; source: CitedSource }
  | {
      type: "finish";
      threadId: string;
      outcome: Outcome;
      responder: "ollama" | "extractive";
      model: string | undefined;
      finishReason: "stop" | "length";
      usage: TokenUsage;
    }
  | { type: "error"; code: string; message: string };
