import type { AnswerEvent } from "@docent/answering/answer/events";

type Looked = Extract<AnswerEvent, { type: "search" | "read" }>;

/** The tool, and what it was asked. */
export function toolCall(event: Looked) {
  if (event.type === "search") return { toolName: "search", input: { query: event.query } };
  const { path, heading } = event;
  return { toolName: "read_page", input: { path, ...(heading !== undefined && { heading }) } };
}

/** The output of a tool, in the shape from which public widgets read an answer's sources. */
export function toolOutput(event: Looked) {
  const corrected = event.type === "search" ? event.corrected : undefined;
  const shown = event.results.map(({ content, path, title, href, score }) => ({
    content,
    path,
    metadata: { title, href, score },
  }));
  return {
    type: event.type === "search" ? "search" : "page",
    ...(corrected !== undefined && { corrected }),
    results: shown,
  };
}
