/** A passage as a responder sees it: numbered from 1, in the order of relevance. */
export interface NumberedPassage {
  number: number;
  title: string;
  headings: string[];
  text: string;
  url: string;
  /** From 0 to 1. */
  relevance: number;
}

/** A picture that the reader attached, for models that can see. */
export interface AttachedImage {
  mediaType: string;
  base64: string;
}

/** One earlier message of the conversation, as plain text. */
export interface PastMessage {
  role: "user" | "assistant";
  text: string;
}

/** Text that the reader pointed at: a selection, a piece of code, an attached file. */
export interface ReaderContext {
  kind: "code" | "textSelection" | "attachment" | "note";
  text: string;
  path?: string | undefined;
}

/**
 * The reader for whom an answer is written, and the site: where many wait, sites take turns, and so do the readers of a
 * site.
 */
export interface Asker {
  siteId: number;
  /** Tells readers apart; names nobody. */
  reader: string;
}

/** All that an answer may be made from. A responder decides how much of it fits. */
export interface ResponderRequest {
  asker: Asker;
  question: string;
  /** The question made whole, as the passages were searched for; undefined where it stands alone. */
  searched?: string | undefined;
  /** The model that the site asks for; empty or missing where it leaves that to the server. */
  model?: string | undefined;
  siteName: string;
  /** The owner's own words on tone, names and what to refuse; empty where there are none. */
  instructions: string;
  /** What is said where the passages do not answer. */
  notCovered: string;
  /** BCP 47 tag of the site's language. */
  language: string;
  /** What stands before quotes. */
  quoting: string;
  history: PastMessage[];
  passages: NumberedPassage[];
  contexts: ReaderContext[];
  images: AttachedImage[];
  currentPath?: string | undefined;
}

export interface TokenUsage {
  promptTokens: number;
  completionTokens: number;
}

export type ResponderName = "ollama" | "extractive";

export type ResponderEvent =
  /** The request waits for its turn; 1 is the next one. Comes before all others, whenever the place changes. */
  | { type: "waiting"; position: number }
  | { type: "reasoning-delta"; text: string }
  /** Text in which `[n]` cites the passage of that number. */
  | { type: "text-delta"; text: string }
  | {
      type: "finish";
      /** The model that wrote it, which need not be the one that would answer the next question. */
      model?: string;
      finishReason: "stop" | "length";
      usage: TokenUsage;
      /** What the prompt was estimated to be, in tokens, before it was sent. */
      promptTokensEstimated?: number;
      queueMs?: number;
    };

/**
 * Writes an answer from passages. Throws `unavailable` before its first event when it cannot take the request
 * (another responder may then be asked), and `model_failed` when it breaks off after that.
 */
export interface Responder {
  name: ResponderName;
  /** The model that would answer a request for that one now, or undefined where there is none. */
  model(wanted?: string): string | undefined;
  /** Changes when another version of that model takes its place under the same name. */
  modelVersion?(wanted?: string): string | undefined;
  /** Raises `unavailable` when a request that came now would not be taken: no server, no model, a full queue. */
  ready(signal: AbortSignal, wanted?: string): Promise<void>;
  respond(request: ResponderRequest, signal: AbortSignal): AsyncIterable<ResponderEvent>;
}
