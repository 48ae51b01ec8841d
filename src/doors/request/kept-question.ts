import { z } from "zod";
import { storableText } from "./fields.ts";

const QUESTION_CHARACTERS_MAX = 1000;
const EXPECTED_CHARACTERS_MAX = 2000;
const EXPECTED_MAX = 50;
const LABEL_CHARACTERS_MAX = 100;

const words = (charactersMax: number) =>
  z.string().max(charactersMax).transform(storableText).pipe(z.string().trim().min(1, "must not be empty"));

/** A name that may be empty, such as that of a version. */
export const labelField = z
  .string()
  .max(LABEL_CHARACTERS_MAX)
  .transform((text) => storableText(text).trim());

/** A name that says something, such as that of a group. */
export const nameField = words(LABEL_CHARACTERS_MAX);

/** What an owner keeps a question with, to ask it again and again. */
export const keptQuestionFields = {
  question: words(QUESTION_CHARACTERS_MAX),
  expected: z.array(words(EXPECTED_CHARACTERS_MAX)).min(1).max(EXPECTED_MAX),
  version: labelField.optional(),
  language: labelField.optional(),
};
