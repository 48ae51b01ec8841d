import type { EvalReport, Loss } from "./evaluate.ts";
import { share, type Table, tablesOf } from "./tables.ts";

/** A report on identifiers: the scores, and by kind and way of asking how often the page is first, and how high it is. */
export function identifierTables(report: EvalReport, losses: readonly Loss[]): Table[] {
  const { systems } = report;
  const lost = Map.groupBy(losses, ({ subset }) => subset);
  const kinds = Object.entries(systems[0]?.subsets ?? {});
  const cells = (subset: string, score: "hit1" | "mrr10") =>
    systems.map((system) => share(system.subsets[subset]?.[score]));
  return [
    ...tablesOf(report).slice(0, 1),
    {
      title: "by what is asked for, and how",
      heads: [
        "",
        "questions",
        ...systems.map(({ name }) => `hit@1 ${name}`),
        ...systems.map(({ name }) => `MRR@10 ${name}`),
        "lost",
      ],
      rows: kinds.map(([subset, { questions }]) => [
        subset,
        String(questions),
        ...cells(subset, "hit1"),
        ...cells(subset, "mrr10"),
        String(lost.get(subset)?.length ?? 0),
      ]),
    },
  ];
}
