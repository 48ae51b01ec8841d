import type { AnswerEvent } from "../answer/events.ts";

/** What the search tool is shown to have found: the shape in which public widgets read an answer's sources. */
export function searchOutput({ results }: Extract<AnswerEvent, { type: "search" }>) {
  const shown = results.map(({ content, path, title, href, score }) => ({
    content,
    path,
    metadata: { title, href, score },
  }));
  return { type: "search", results: shown };
}
