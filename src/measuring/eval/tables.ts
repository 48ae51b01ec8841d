import type { EvalReport, SystemReport } from "./evaluate.ts";
import type { GateReport } from "./gate/gate.ts";
import type { Comparison } from "./scores.ts";
import type { SpanShares } from "./spans.ts";

/** Rows of text under column heads. */
export interface Table {
  title: string;
  heads: string[];
  rows: string[][];
}

const HEADS = [
  "",
  "nDCG@10",
  "±",
  "recall@5",
  "recall@10",
  "MRR@10",
  "hit@1",
  "p50 ms",
  "nDCG against the first",
];

/**
 * A report as tables: the scores, the characters returned where spans are known, and nDCG@10 by kind of
 * question.
 */
export function tablesOf(report: EvalReport): Table[] {
  const { task, unit, questions, systems } = report;
  const title = `${task === "" ? "" : `${task}; `}by ${unit}, ${questions} questions`;
  const tables: Table[] = [{ title, heads: HEADS, rows: systems.map(scoreCells) }];
  if (systems.some(({ shares }) => shares !== undefined)) tables.push(sharesTable(systems));
  const subsets = Object.entries(systems[0]?.subsets ?? {});
  if (subsets.length > 0) {
    tables.push({
      title: "nDCG@10 by kind of question",
      heads: ["", ...subsets.map(([name, { questions: count }]) => `${name || "others"} (${count})`)],
      rows: systems.map((system) => [
        system.name,
        ...subsets.map(([name]) => share(system.subsets[name]?.ndcg10)),
      ]),
    });
  }
  return tables;
}

/** The mistakes of each choice of `answer_when`, as a table. */
export function choicesTable({ choices, questions }: GateReport): Table {
  return {
    title: `answer_when, ${questions} questions`,
    heads: ["", "wrongly declined", "wrongly answered, its page taken out", "everyday questions answered"],
    rows: choices.map(({ answerWhen, wronglyDeclined, wronglyAnswered, everydayAnswered }) => [
      answerWhen,
      share(wronglyDeclined),
      share(wronglyAnswered),
      share(everydayAnswered),
    ]),
  };
}

/** The effect of thresholds, as a table. */
export function gateTable(gate: GateReport): Table {
  const { auc, best, questions } = gate;
  return {
    title: `relevance of the best passage, ${questions} questions; AUC ${share(auc)}; best threshold ${best.threshold.toFixed(2)}, balanced accuracy ${share(best.balancedAccuracy)}`,
    heads: ["threshold", "passes, its page there", "passes, its page taken out"],
    rows: gate.steps.map(({ threshold, answered, unanswerable }) => [
      threshold.toFixed(1),
      share(answered),
      share(unanswerable),
    ]),
  };
}

/** A table in Markdown. */
export function toMarkdown({ heads, rows }: Table): string {
  const cell = (text: string) => text.replaceAll("|", "\\|");
  return [heads, heads.map(() => "---"), ...rows].map((row) => `| ${row.map(cell).join(" | ")} |`).join("\n");
}

function scoreCells({ name, scores, standardError, p50Ms, against }: SystemReport): string[] {
  const { ndcg10, recall5, recall10, mrr10, hit1 } = scores;
  const cells = [ndcg10, standardError, recall5, recall10, mrr10, hit1].map(share);
  return [
    name,
    ...cells,
    p50Ms.toFixed(p50Ms < 10 ? 2 : 1),
    against === undefined ? "" : difference(against),
  ];
}

/** A comparison, as tables show it. */
export function difference({ difference, low, high, verdict }: Comparison): string {
  const mark = { better: "better", worse: "worse", "no difference shown": "not told from chance" }[verdict];
  return `${signed(difference)} [${signed(low)}, ${signed(high)}] ${mark}`;
}

function sharesTable(systems: readonly SystemReport[]): Table {
  const cells = (shares: SpanShares | undefined) =>
    [shares?.recall, shares?.precision, shares?.iou].map((value) => share(value));
  return {
    title: "Characters that answer, in what is returned",
    heads: ["", "recall@5", "precision@5", "IoU@5", "recall@10", "precision@10", "IoU@10"],
    rows: systems.map(({ name, shares }) => [name, ...cells(shares?.at5), ...cells(shares?.at10)]),
  };
}

/** A number from 0 to 1, as tables show it. */
export const share = (value: number | undefined) =>
  value === undefined || Number.isNaN(value) ? "-" : value.toFixed(3).replace(/^0(?=\.)/, "");
/** A difference of such numbers. */
export const signed = (value: number) => `${value < 0 ? "−" : "+"}${share(Math.abs(value))}`;
