import type { Hit, PagePassages, PageQuery, SearchResult } from "../search/search.ts";
import type { QuestionFilter } from "../threads/threads.ts";
import type { FoundPassage } from "./events.ts";
import type { OpenAnswer } from "./turn.ts";

/** Searches for the passages to answer from. Takes the time of every search of a turn together. */
export function findPassages(
  answer: OpenAnswer,
  text: string,
  filter: QuestionFilter | undefined = answer.request.question.filter,
): Promise<SearchResult> {
  const { site, question, pageSize } = answer.request;
  const { audience, currentPath } = question;
  return timed(answer, () =>
    answer.deps.search.find({ siteId: site.id, audience, text, filter, pageSize, currentPath }),
  );
}

/** Reads the passages of a page that the reader may see. */
export function readPassages(
  answer: OpenAnswer,
  page: Pick<PageQuery, "path" | "heading" | "passages">,
): ReturnType<PagePassages["read"]> {
  const { site, question } = answer.request;
  const { defaultVersion: version, defaultLanguage: language } = site.settings;
  const defaults = { version, language };
  return timed(answer, () =>
    answer.deps.pages.read({
      siteId: site.id,
      audience: question.audience,
      filter: question.filter,
      defaults,
      ...page,
    }),
  );
}

async function timed<T>({ deps, turn }: OpenAnswer, work: () => Promise<T>): Promise<T> {
  const startedAt = deps.clock();
  const result = await work();
  turn.retrievalMs = (turn.retrievalMs ?? 0) + deps.clock() - startedAt;
  return result;
}

/** Records in the turn which passages it has. */
export function notePassages({ turn }: OpenAnswer, hits: readonly Hit[]): void {
  turn.retrieved = hits.map(({ passageId, path, anchor, relevance }) => ({
    passageId,
    path,
    anchor,
    relevance,
  }));
}

export const bestRelevance = ({ hits }: SearchResult) => Math.max(0, ...hits.map((hit) => hit.relevance));

/** A passage as the reader's app shows it. */
export const toFound = ({ snippet, path, title, href, relevance }: Hit): FoundPassage => ({
  content: snippet,
  path,
  title,
  href,
  score: Math.round(relevance * 1000) / 1000,
});
