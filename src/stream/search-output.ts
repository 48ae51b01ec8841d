import type { AnswerEvent } from "../answer/events.ts";

/** The output of the search tool, in the shape from which public widgets read an answer's sources. */
export function searchOutput({ corrected, results }: Extract<AnswerEvent, { type: "search" }>) {
  const shown = results.map(({ content, path, title, href, score }) => ({
    content,
    path,
    metadata: { title, href, score },
  }));
  return { type: "search", ...(corrected !== undefined && { corrected }), results: shown };
}
