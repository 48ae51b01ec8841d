import type { EvalReport, Loss } from "../evaluate.ts";
import { share, type Table, tablesOf } from "../tables.ts";

/**
 * A report on identifiers: the scores, and by kind and way of asking how often the page comes first and how
 * high it ranks.
 */
export function identifierTables(report: EvalReport, losses: readonly Loss[]): Table[] {
  const { systems } = report;
  const lost = Map.groupBy(losses, ({ subset }) => subset);
  const subsets = Object.entries(systems[0]?.subsets ?? {});
  const cells = (subset: string, score: "hit1" | "mrr10") =>
    systems.map((system) => share(system.subsets[subset]?.[score]));
  const byKind = Map.groupBy(subsets, ([subset]) => subset.split(": ")[0] ?? subset);
  const heads = [
    "asked",
    "questions",
    ...systems.map(({ name }) => `hit@1 ${name}`),
    ...systems.map(({ name }) => `MRR@10 ${name}`),
    "lost",
  ];
  const tables = [...byKind].map(([kind, own]) => ({
    title: `by how it is asked for: ${kind}`,
    heads,
    rows: own.map(([subset, { questions }]) => [
      subset.slice(kind.length + 2),
      String(questions),
      ...cells(subset, "hit1"),
      ...cells(subset, "mrr10"),
      String(lost.get(subset)?.length ?? 0),
    ]),
  }));
  return [...tablesOf(report).slice(0, 1), ...tables];
}
