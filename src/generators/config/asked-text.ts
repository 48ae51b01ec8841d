import { isRecord } from "../../text/json.ts";
import type { Unknown, WantedDocs } from "../docs-site.ts";
import { isComputed } from "./values.ts";

/** What is asked of a site's owner while its configuration is read, and what they have answered before. */
export interface Inquiry extends Pick<WantedDocs, "answers"> {
  unknowns: Unknown[];
}

/**
 * A text or a yes and no of a configuration. Where that computes it, the owner's answer is taken, or a guess while there
 * is none.
 */
export function askedText(
  { unknowns, answers = {} }: Inquiry,
  value: unknown,
  { name, usual, from = "The configuration" }: { name: string; usual: string; from?: string },
): string {
  const source = sourceOf(value);
  if (source === undefined) return textOf(value) ?? usual;
  const guess = (isComputed(value) ? textOf(value.guess) : undefined) ?? usual;
  const question = `What is ${name}? ${from} computes it: ${source}`;
  return askedOf({ unknowns, answers }, { name, question, guess });
}

/** The owner's answer to a question that is always open; the guess while there is none. */
export function askedOf({ unknowns, answers = {} }: Inquiry, asked: Unknown & { name: string }): string {
  const { name, guess } = asked;
  if (Object.hasOwn(answers, name)) return answers[name] ?? guess;
  if (!unknowns.some((each) => each.name === name)) unknowns.push(asked);
  return guess;
}

/** The code of what only a run would tell. */
function sourceOf(value: unknown): string | undefined {
  if (isComputed(value)) return value.source;
  return isRecord(value) && typeof value["call"] === "string" ? `${value["call"]}(…)` : undefined;
}

const textOf = (value: unknown) =>
  typeof value === "string" || typeof value === "boolean" ? String(value) : undefined;
