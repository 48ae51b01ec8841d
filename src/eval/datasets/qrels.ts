import { AppError } from "../../errors.ts";

/** By question, what should be found with its grade. */
export type Qrels = Map<string, Map<string, number>>;

/** Reads judgements: question, what should be found and its grade, by tabs; the first line names the columns. */
export function parseQrels(text: string, file: string): Qrels {
  const qrels: Qrels = new Map();
  for (const [index, line] of text.split("\n").entries()) {
    if (index === 0 || line.trim() === "") continue;
    const [question = "", found = "", graded = ""] = line.replace(/\r$/, "").split("\t");
    const grade = Number(graded);
    if (question === "" || found === "" || graded.trim() === "" || !Number.isFinite(grade)) {
      throw new AppError(
        "invalid_request",
        `${file} cannot be used: line ${index + 1} is not three columns.`,
        {
          hint: "Each line is a question's id, what it should find, and a grade such as 1, with tabs between them.",
        },
      );
    }
    if (grade <= 0) continue;
    const golds = qrels.get(question) ?? new Map<string, number>();
    qrels.set(question, golds.set(found, grade));
  }
  return qrels;
}
