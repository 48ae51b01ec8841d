import type { UnembeddedWriting } from "@docent/sites/ingest/stores";
import { readStrings } from "../rows/json.ts";

/** A passage with what was written for it. */
export interface WritingRow {
  id: number;
  title: string;
  headingsJson: string;
  text: string;
  questionsJson: string;
  wordsJson: string;
}

export const toUnembeddedWriting = ({
  headingsJson,
  questionsJson,
  wordsJson,
  ...row
}: WritingRow): UnembeddedWriting => ({
  ...row,
  headings: readStrings(headingsJson),
  questions: readStrings(questionsJson),
  words: readStrings(wordsJson),
});
