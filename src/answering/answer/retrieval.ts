import type { Hit, PagePassages, PageQuery, SearchResult } from "@docent/finding/search/search";
import { pathWithin } from "@docent/sites/site/page-address";
import type { QuestionFilter } from "../threads/threads.ts";
import type { FoundPassage } from "./events.ts";
import type { Continued } from "./follow-up/follow-up.ts";
import type { OpenAnswer } from "./turn.ts";

/** A model finds the answer below the results that are shown too, where their order is not right. */
const READ_OF_SHOWN = 2;

interface Finding {
  continued?: Continued | undefined;
  filter?: QuestionFilter | undefined;
  most?: number;
}

/**
 * Searches for the sections to answer from: those that are shown, and behind them those that a model may read besides.
 * Takes the time of every search of a turn together.
 */
export function findSections(
  answer: OpenAnswer,
  text: string,
  { continued, filter = answer.request.question.filter, most = sectionsMaxOf(answer.request) }: Finding = {},
): Promise<SearchResult> {
  const { site, question } = answer.request;
  const { audience, currentPath } = question;
  return timed(answer, () =>
    answer.deps.search.find({
      siteId: site.id,
      audience,
      text,
      filter,
      pageSize: most,
      currentPath,
      conversation: continued && {
        topic: continued.topic,
        cited: continued.cited.map((address) => pathWithin(site, address)),
      },
      sections: "whole",
    }),
  );
}

export const sectionsMaxOf = ({
  pageSize,
  sectionsMax = READ_OF_SHOWN * pageSize,
}: OpenAnswer["request"]): number => sectionsMax;

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

/** Of the results that are shown: what a model reads besides is no sign that the docs cover a question. */
export const bestRelevance = ({ hits }: Pick<SearchResult, "hits">, { pageSize }: OpenAnswer["request"]) =>
  Math.max(0, ...hits.slice(0, pageSize).map((hit) => hit.relevance));

/** A passage as the reader's app shows it. */
export const toFound = ({ snippet, path, title, href, relevance }: Hit): FoundPassage => ({
  content: snippet,
  path,
  title,
  href,
  score: Math.round(relevance * 1000) / 1000,
});
