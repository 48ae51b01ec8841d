import { isRecord } from "@docent/kernel/text/json";

/** The text of a value, "" where it is no text. */
export const textOf = (value: unknown) => (typeof value === "string" ? value.trim() : "");

export const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

export const recordOf = (value: unknown): Record<string, unknown> => (isRecord(value) ? value : {});

export const textsOf = (value: unknown): string[] => listOf(value).filter((each) => typeof each === "string");

const CODE_CHARACTERS_MAX = 200;

/** A value on one line, as code. */
export function codeOf(value: unknown): string {
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "");
  const line = text.replace(/\s+/g, " ").slice(0, CODE_CHARACTERS_MAX);
  const fence = line.includes("`") ? "``" : "`";
  const space = line.includes("`") || line === "" ? " " : "";
  return `${fence}${space}${line}${space}${fence}`;
}

/** A name fit for a path: `listPets` is `list-pets`. */
export function kebab(name: string): string {
  return name
    .normalize("NFC")
    .replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, "$1-$2")
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, "$1-$2")
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, "-")
    .replace(/^-+|(?<!-)-+$/g, "");
}
