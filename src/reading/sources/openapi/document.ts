import { isRecord } from "@docent/kernel/text/json";

/** A description of an API, as it was read. */
export type ApiDocument = Record<string, unknown>;

/** Reads JSON or YAML; a sentence about what is wrong where it is neither, or describes no API. */
export function readApiDocument(content: Uint8Array): ApiDocument | string {
  const text = new TextDecoder().decode(content);
  let value: unknown;
  try {
    value = parseDescription(text);
  } catch (cause) {
    return `is neither JSON nor YAML: ${cause instanceof Error ? cause.message : cause}`;
  }
  if (isRecord(value) && ("openapi" in value || "swagger" in value)) return value;
  return "says neither openapi nor swagger at its top, so it describes no API";
}

/** Parses JSON or YAML. JSON is YAML too, but a large file is read far sooner as what it is. */
export function parseDescription(text: string): unknown {
  if (/^\s*[{[]/.test(text)) {
    try {
      return JSON.parse(text);
    } catch {
      return Bun.YAML.parse(text);
    }
  }
  return Bun.YAML.parse(text);
}
