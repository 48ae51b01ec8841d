import type { ListedPage, ServerMenuEntry } from "../connector.ts";

/** One group with all questions, by the year in which they last changed, the newest first. */
export function menuOfQuestions(pages: readonly ListedPage[]): ServerMenuEntry[] {
  if (pages.length === 0) return [];
  const newest = pages.toSorted((a, b) => b.changedAt.localeCompare(a.changedAt));
  const byYear = Map.groupBy(newest, ({ changedAt }) => changedAt.slice(0, 4));
  const entries = (some: readonly ListedPage[]) =>
    some.map(({ title, address }) => ({ label: title, address, children: [] }));
  const children = [...byYear].map(([label, some]) => ({ label, children: entries(some) }));
  return [{ label: "Questions", children }];
}
