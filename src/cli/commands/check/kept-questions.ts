import { existsSync } from "node:fs";
import { join } from "node:path";
import type { KeptQuestions, ReadDocs } from "@docent/measuring/check/check";
import { parseQuestions } from "@docent/measuring/eval/datasets/datasets";
import { keepKnownPlaces } from "@docent/measuring/eval/known-places";
import type { Parts } from "@docent/running/app/parts";
import { type Context, textOption } from "../../command.ts";
import { readTextFile } from "../../files.ts";

/** Where kept questions are looked for in the folder that is checked. */
export const QUESTIONS_NAME = "docent-questions.jsonl";
const QUESTIONS_BYTES_MAX = 16 * 1024 * 1024;

/** The questions that the docs are kept to: those of `--questions`, or of the file that lies in the folder. */
export async function readKeptQuestions(
  context: Context,
  { pages }: Parts["content"],
  { site, folder }: ReadDocs,
): Promise<KeptQuestions | undefined> {
  const named = textOption(context, "questions");
  const beside = join(folder, QUESTIONS_NAME);
  const file = named ?? (existsSync(beside) ? beside : undefined);
  if (file === undefined) return undefined;
  const text = await readTextFile(context, file, QUESTIONS_BYTES_MAX);
  const questions = parseQuestions(text, file, site.url);
  const { unknown } = await keepKnownPlaces(questions, pages, site.id);
  const lines = text.split("\n").flatMap((line, index) => (line.trim() === "" ? [] : [index + 1]));
  return { file, questions, lines, unknown: new Set(unknown) };
}
