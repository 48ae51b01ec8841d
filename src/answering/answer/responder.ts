/** A passage as a responder sees it: numbered from 1, by relevance. */
export interface NumberedPassage {
  number: number;
  title: string;
  headings: string[];
  text: string;
  /** Whether words are missing in it that its page shows: it is not quoted. */
  lacksWords?: boolean | undefined;
  /** Of its page within the docs, where a model may ask for more of it. */
  path?: string | undefined;
  url: string;
  /** From 0 to 1. */
  relevance: number;
}

/** An attached image, for models that can see. */
export interface AttachedImage {
  mediaType: string;
  base64: string;
}

/** An earlier message of the conversation, as plain text. */
export interface PastMessage {
  role: "user" | "assistant";
  text: string;
}

/** Text that the reader attached: a selection, a piece of code, a file. */
export interface ReaderContext {
  kind: "code" | "textSelection" | "attachment" | "note";
  text: string;
  path?: string | undefined;
}

/** Whether a reader asks about it. What is attached is read besides. */
export const isPointedAt = ({ kind }: ReaderContext): boolean => kind === "code" || kind === "textSelection";

/** The site and reader of a question: where many wait, sites alternate, and so do the readers of a site. */
export interface Asker {
  siteId: number;
  /** Tells readers apart without naming them. */
  reader: string;
}

/** Something that a model may call while it answers. */
export interface Tool {
  name: string;
  description: string;
  /** Its input, as a JSON schema. */
  parameters: Record<string, unknown>;
}

/** What a model asks of a tool. */
export interface AskedCall {
  name: string;
  /** As the model wrote it: nothing about it is certain. */
  input: unknown;
}

export interface ToolCall extends AskedCall {
  /** Unlike that of every other call of the answer. */
  id: string;
}

/** What came of a call, for the model to read. */
export interface ToolResult {
  call: ToolCall;
  /** What its passages are read for. */
  about: string;
  /** What it brought, also what the model has already: that is shown once. */
  passages: NumberedPassage[];
  /** Whether they follow one another on a page, and are read in that order. */
  isPage: boolean;
  /** What else there is to say of it; empty where the passages say everything. */
  note: string;
}

/** Lets a model look for itself, with what it has looked for in this answer so far. */
export interface Looking {
  tools: Tool[];
  /** What came of each round of calls, oldest first. */
  rounds: ToolResult[][];
  /** The most tokens that all results together may take. */
  resultTokens: number;
}

/** Everything that an answer may be made from. The responder decides how much of it fits. */
export interface ResponderRequest {
  asker: Asker;
  question: string;
  /** What was searched for: the question made whole, or in other words; undefined where it stood by itself. */
  searched?: string | undefined;
  /** The model that the site asks for; empty or undefined for the server's choice. */
  model?: string | undefined;
  siteName: string;
  /** The owner's instructions on tone, names and what to refuse; empty where there are none. */
  instructions: string;
  /** The sentence for a question that the passages do not answer. */
  notCovered: string;
  /** BCP 47 tag of the site's language. */
  language: string;
  /** The sentence before quotes. */
  quoting: string;
  /** The sentence before quotes that only touch on the question. */
  touching: string;
  /** Whether nothing that was found answers the question outright. */
  onlyTouches?: boolean | undefined;
  history: PastMessage[];
  passages: NumberedPassage[];
  contexts: ReaderContext[];
  images: AttachedImage[];
  currentPath?: string | undefined;
  /** Undefined where the answer is written from the passages alone. */
  looking?: Looking | undefined;
}

/**
 * A question that a model is to say in the words of the docs. It has nothing of them but titles and headings in it, so the
 * model can only say what the reader asks.
 */
export interface RewriteRequest {
  asker: Asker;
  /** The model that the site asks for; empty or undefined for the server's choice. */
  model?: string | undefined;
  /** What the model is to do. */
  system: string;
  /** What helps and can be done without: it is left out where the model would read it slowly. Empty where there is nothing. */
  background: string;
  /** The question, as the message. */
  text: string;
  /** The most that it may write. */
  tokensMax: number;
}

export interface TokenUsage {
  promptTokens: number;
  completionTokens: number;
}

export type ResponderName = "ollama" | "extractive";

export type ResponderEvent =
  /** The request waits; position 1 is next. Comes before all other events, whenever the position changes. */
  | { type: "waiting"; position: number }
  /** Its turn has come: told of a question that is to be written anew, whose time begins here. */
  | { type: "served" }
  | { type: "reasoning-delta"; text: string }
  /** Text in which `[n]` cites the passage of that number. */
  | { type: "text-delta"; text: string }
  /** Text of the docs: nothing in it is a citation. */
  | { type: "quote-delta"; text: string }
  /** Cites the passage of that number, behind the text so far; `offset` is where in its text that is said. */
  | { type: "citation"; number: number; offset?: number }
  /** The model asks for this before it goes on: the request is made again with what came of it. */
  | ({ type: "tool-call" } & AskedCall)
  | {
      type: "finish";
      /** The model that wrote it, which need not be the one for the next question. */
      model?: string;
      finishReason: "stop" | "length";
      usage: TokenUsage;
      /** The estimated tokens of the prompt, before it was sent. */
      promptTokensEstimated?: number;
      queueMs?: number;
      /** Whether it only quotes what comes nearest to an answer. */
      onlyTouches?: boolean;
    };

/**
 * Whether a model looks for itself: `shown` where it has called a tool when it should have, `possible` where it says that
 * it can, or may not have been asked yet.
 */
export type ToolUse = "shown" | "possible" | "none";

/**
 * Writes an answer from passages. Throws `unavailable` before its first event when it cannot take the request
 * (another responder may then be asked), and `model_failed` when it breaks off after that. A request that lets the model
 * look may end in calls instead of text; where the model cannot call tools, it is answered as one without.
 */
export interface Responder {
  name: ResponderName;
  /** The model that would answer such a request now; undefined where there is none. */
  model(wanted?: string): string | undefined;
  /** Changes when another version replaces that model under the same name. */
  modelVersion?(wanted?: string): string | undefined;
  /** Whether that model calls tools. Missing where none is ever called. */
  toolUse?(wanted?: string): ToolUse;
  /** Raises `unavailable` when a request would be refused now: no server, no model, a full queue. */
  ready(signal: AbortSignal, wanted?: string): Promise<void>;
  respond(request: ResponderRequest, signal: AbortSignal): AsyncIterable<ResponderEvent>;
  /**
   * Writes a question in other words: waits in the same line as answers, and throws as they do. Missing where no model
   * writes.
   */
  rewrite?(request: RewriteRequest, signal: AbortSignal): AsyncIterable<ResponderEvent>;
  /** How long that takes, its time in line aside, as fast as the model was seen to be; undefined before it was. */
  rewriteSeconds?(request: RewriteRequest): number | undefined;
}
