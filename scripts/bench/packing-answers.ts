import { join } from "node:path";
import { z } from "zod";
import { parseJsonLines } from "../../src/eval/datasets/json-lines.ts";

const answerSchema = z.object({ _id: z.string().min(1), answer: z.string().default("") });

/** The words that answer each question of a set, by its id; "" where the set does not say. */
export async function readAnswers(folder: string): Promise<Map<string, string>> {
  const file = join(folder, "queries.jsonl");
  const lines = parseJsonLines(await Bun.file(file).text(), answerSchema, file);
  return new Map(lines.map(({ _id, answer }) => [_id, answer]));
}
