import type { SearchResult } from "../search/search.ts";
import type { OpenAnswer } from "./turn.ts";

/** Searches for the passages to answer from. Takes the time of every search of a turn together. */
export async function findPassages({ deps, request, turn }: OpenAnswer, text: string): Promise<SearchResult> {
  const { site, question, pageSize } = request;
  const { filter, currentPath } = question;
  const startedAt = deps.clock();
  const found = await deps.search.find({ siteId: site.id, text, filter, pageSize, currentPath });
  turn.retrievalMs = (turn.retrievalMs ?? 0) + deps.clock() - startedAt;
  return found;
}

/** Records in the turn which passages it has. */
export function notePassages({ turn }: OpenAnswer, { generation, hits }: SearchResult): void {
  turn.generation = generation;
  turn.retrieved = hits.map(({ passageId, path, anchor, relevance }) => ({
    passageId,
    path,
    anchor,
    relevance,
  }));
}

export const bestRelevance = ({ hits }: SearchResult) => Math.max(0, ...hits.map((hit) => hit.relevance));
