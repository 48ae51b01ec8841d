import type { Scores } from "../../src/measuring/eval/scores.ts";
import { difference, type Table as Plain, share, signed } from "../../src/measuring/eval/tables.ts";
import { CHOSEN, START } from "./choose-weights.ts";
import { SHIPPED_WEIGHTS } from "./rerank.ts";
import type { WeightsReport } from "./weights.ts";

/** A table with what is to be said of it. */
export interface Table extends Plain {
  says: string;
}

/** The figures of all sets, the weights that were chosen, and what a change of one costs. */
export const weightsTables = (report: WeightsReport): Table[] => [
  figuresTable(report),
  ...(report.sets.some(({ hybrid }) => hybrid !== undefined) ? [hybridTable(report)] : []),
  chosenTable(report),
  fragilityTable(report),
];

const both = ({ ndcg10, recall5 }: Scores) => `${share(ndcg10)} / ${share(recall5)}`;

function figuresTable({ sets }: WeightsReport): Table {
  return {
    title: "On sets that had no part in it",
    says: `nDCG@10 / recall@5. Each set is ranked by the weights as shipped, and by those that the other sets choose. Both are compared, question by question, with the better of two plain full-text searches: SQLite's FTS5 over sections of 2,000 characters without stop words and with titles weighing three times as much, or with all words and titles alike, which is marked. The interval contains the mean difference of nDCG@10 in 95 of 100 draws of as many questions.`,
    heads: [
      "set",
      "questions",
      "better keywords",
      "as shipped",
      "as shipped, against keywords",
      "chosen without the set",
      "chosen without it, against keywords",
    ],
    rows: sets.map(({ name, questions, shipped, leftOut, keywords }) => [
      name,
      String(questions),
      `${both(keywords.scores)}${keywords.name === "baseline" ? "" : ` (${keywords.name})`}`,
      both(shipped),
      difference(keywords.shipped),
      both(leftOut),
      difference(keywords.leftOut),
    ]),
  };
}

function hybridTable({ sets }: WeightsReport): Table {
  const measured = sets.filter(({ hybrid }) => hybrid !== undefined);
  const rows = measured.map(({ name, questions, shipped, leftOut, hybrid }) => {
    if (typeof hybrid !== "object") return [name, String(questions), hybrid ?? "", "", "", "", ""];
    const { scores, shipped: asShipped, leftOut: asLeftOut } = hybrid;
    return [
      name,
      String(questions),
      both(scores),
      both(shipped),
      difference(asShipped),
      both(leftOut),
      difference(asLeftOut),
    ];
  });
  return {
    title: "Against a hybrid search by rank",
    says: "LanceDB's hybrid search over Docent's own passages, titles counting twice: BM25, and vectors that the model all-MiniLM-L6-v2 makes of a passage's first 256 tokens, joined by reciprocal rank. A page ranks by its best passage.",
    heads: [
      "set",
      "questions",
      "hybrid",
      "as shipped",
      "as shipped, against hybrid",
      "chosen without the set",
      "chosen without it, against hybrid",
    ],
    rows,
  };
}

function chosenTable({ sets }: WeightsReport): Table {
  return {
    title: "The weights that the other sets choose",
    says: `Words count 1. Choosing begins with ${START} for each of these, whatever is shipped, and ends where no step up or down gains anything. Quoted phrases, names and the page that the reader is on are not chosen so: hardly a question of these sets has any.`,
    heads: ["chosen without", ...CHOSEN],
    rows: [
      ["(as shipped)", ...CHOSEN.map((part) => String(SHIPPED_WEIGHTS[part]))],
      ...sets.map(({ name, chosen }) => [name, ...CHOSEN.map((part) => String(chosen[part]))]),
    ],
  };
}

function fragilityTable({ sets, fragility }: WeightsReport): Table {
  return {
    title: "A third more or less",
    says: "What becomes of nDCG@10 where one weight of those shipped is a third larger or smaller: the worse of both.",
    heads: ["", ...sets.map(({ name }) => name), "greatest loss"],
    rows: fragility.map(({ part, losses }) => [
      part,
      ...losses.map((loss) => signed(-loss)),
      share(Math.max(0, ...losses)),
    ]),
  };
}
