import { asRecord, asText, jsonIn } from "@docent/kernel/text/json";
import type { AskOptions, FoundPassage, Turn, TurnError } from "./state.ts";
import type { StreamPart } from "./stream.ts";

/** A question that nothing was said to yet. */
export function newTurn(id: string, question: string, asked: AskOptions, askedAt: number): Turn {
  return {
    id,
    question,
    asked,
    askedAt,
    status: "searching",
    queuePosition: undefined,
    query: undefined,
    corrected: undefined,
    looks: undefined,
    results: [],
    answer: "",
    reasoning: "",
    sources: [],
    suggestions: [],
    followUps: undefined,
    outcome: undefined,
    isCurated: false,
    model: undefined,
    error: undefined,
    messageId: undefined,
    threadId: undefined,
    feedback: undefined,
  };
}

/** The turn with what a part of the stream says. */
export function withPart(turn: Turn, part: StreamPart): Turn {
  switch (part.type) {
    case "start":
      return { ...turn, messageId: part.messageId, threadId: part.threadId ?? turn.threadId };
    case "query":
      return turn.query === undefined
        ? { ...turn, query: part.query }
        : { ...turn, looks: `${turn.looks ? `${turn.looks}”, “` : ""}${part.query}` };
    case "results": {
      const results = [...turn.results, ...part.results];
      const corrected = turn.corrected ?? part.corrected;
      return { ...turn, status: "waiting", queuePosition: undefined, results, corrected };
    }
    case "queue":
      return { ...turn, status: "waiting", queuePosition: part.position };
    case "reasoning":
      return { ...turn, status: "thinking", queuePosition: undefined, reasoning: turn.reasoning + part.text };
    case "text":
      return { ...turn, status: "answering", queuePosition: undefined, answer: turn.answer + part.text };
    case "source": {
      const { url, title } = part;
      return { ...turn, sources: [...turn.sources, { url, title, snippet: snippetOf(turn.results, url) }] };
    }
    case "finish": {
      const { outcome, model, followUps } = part;
      const isCurated = outcome === "curated";
      const threadId = part.threadId ?? turn.threadId;
      return { ...turn, status: "done", threadId, outcome, model, isCurated, followUps };
    }
    case "error":
      return { ...turn, status: "failed", error: ownError("failed", part.message) };
  }
}

/** The server says an address in full, and of what it found the end of it. */
function snippetOf(results: readonly FoundPassage[], url: string): string {
  return results.find(({ href }) => url.endsWith(href))?.content ?? "";
}

/** Codes of ours, beside those of the server. */
type OwnCode = "offline" | "unreachable" | "broken_off" | "failed";

/** In the words of the widget, which has few bytes to spare for others. */
const SENTENCES: Record<OwnCode, string> = {
  offline: "You are offline.",
  unreachable: "The assistant cannot be reached. Try again in a moment.",
  broken_off: "The answer broke off.",
  failed: "That did not work. Try again.",
};
const MESSAGE_CHARACTERS_MAX = 500;
const RETRY_SECONDS_MAX = 86_400;

/** An error that the server did not speak of itself. */
export function ownError(code: OwnCode, message: string = SENTENCES[code]): TurnError {
  const said = message.slice(0, MESSAGE_CHARACTERS_MAX) || SENTENCES[code];
  return { code, message: said, retryAfterSeconds: undefined };
}

/** What a reply that is no answer says. */
export async function readError(response: Response, now: number): Promise<TurnError> {
  const body = asRecord(jsonIn(await response.text()));
  const code = asText(body["code"]);
  const retryAfterSeconds = secondsOf(response.headers.get("retry-after"), now);
  const plain = ownError("unreachable", asText(body["message"]));
  return { ...plain, ...(code !== undefined && { code }), retryAfterSeconds };
}

/** The header says seconds, or a moment. */
function secondsOf(header: string | null, now: number): number | undefined {
  if (header === null) return undefined;
  const seconds = /^\d+$/.test(header.trim()) ? Number(header) : Math.ceil((Date.parse(header) - now) / 1000);
  return Number.isFinite(seconds) ? Math.min(Math.max(seconds, 0), RETRY_SECONDS_MAX) : undefined;
}
