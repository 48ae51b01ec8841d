import type { AskOptions, FoundPassage, Turn } from "./state.ts";
import type { StreamPart } from "./stream.ts";
import { ownError } from "./turn-error.ts";

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
