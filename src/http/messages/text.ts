import { z } from "zod";

const CONTROL_CHARACTERS = /\p{Cc}/u;

/** A thread's id, whoever gave it: other services have ids of other forms. */
export const threadIdSchema = z
  .string()
  .max(200)
  .refine((id) => !CONTROL_CHARACTERS.test(id), "must be one line of text");

interface Part {
  type: string;
  text?: string | undefined;
}

/** The text of a message that is written as parts: other parts than those of text say nothing. */
export const textIn = (parts: Part[]) =>
  parts.flatMap(({ type, text }) => (type === "text" && text !== undefined ? text : [])).join("\n");

/** A check that the parts hold no more text than a message may, and what is said where they do. */
export function withinCharacters(charactersMax: number): [(parts: Part[]) => boolean, string] {
  return [
    (parts) => textIn(parts).length <= charactersMax,
    `holds more than ${charactersMax} characters of text`,
  ];
}
