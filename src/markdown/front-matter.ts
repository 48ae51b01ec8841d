import { isRecord, plainData } from "./plain-data.ts";
import { normalizeSource } from "./source-text.ts";

/** A page's source, taken apart into what is said about it and what it says. */
export interface FrontMatter {
  /** Without a prototype, so that a key of a page can never shadow a method. */
  data: Record<string, unknown>;
  body: string;
  /** The line of the source, from 1, on which the body starts. */
  bodyLine: number;
  /** Why the front matter could not be used; the body is whole all the same. */
  fault?: string;
}

/** Takes the YAML between `---` fences off a page. Whatever is wrong with it, the page's own text is kept. */
export function splitFrontMatter(source: string): FrontMatter {
  const text = normalizeSource(source);
  const lines = text.split("\n");
  const whole = { data: emptyData(), body: text, bodyLine: 1 };
  if (lines[0]?.trimEnd() !== "---") return whole;
  const end = lines.findIndex((line, index) => index > 0 && isClosingFence(line));
  if (end < 0) {
    return looksLikeYaml(lines.slice(1, 3)) ? { ...whole, fault: "front matter is not closed" } : whole;
  }
  const yaml = lines.slice(1, end);
  const rest = { body: lines.slice(end + 1).join("\n"), bodyLine: end + 2 };
  const parsed = parseYaml(yaml.join("\n"));
  if (parsed.ok) return { ...rest, data: parsed.data };
  // Two rules with prose between them look like front matter: that prose is the page's.
  if (!looksLikeYaml(yaml)) return whole;
  return { ...rest, data: emptyData(), fault: parsed.fault };
}

type Parsed = { ok: true; data: Record<string, unknown> } | { ok: false; fault: string };

function parseYaml(yaml: string): Parsed {
  let value: unknown;
  try {
    value = Bun.YAML.parse(yaml);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { ok: false, fault: `front matter is not valid YAML: ${reason}` };
  }
  if (value === null || value === undefined) return { ok: true, data: emptyData() };
  if (!isRecord(value)) return { ok: false, fault: "front matter is not a list of names and values" };
  const data = plainData(value);
  return data ? { ok: true, data } : { ok: false, fault: "front matter is too large or refers to itself" };
}

function isClosingFence(line: string): boolean {
  const text = line.trimEnd();
  return text === "---" || text === "...";
}

function looksLikeYaml(lines: string[]): boolean {
  const first = lines.find((line) => line.trim() !== "" && !line.startsWith("#"));
  return first !== undefined && /^["']?[\w$.-]{1,100}["']? {0,10}:(?:\s|$)/.test(first);
}

function emptyData(): Record<string, unknown> {
  return Object.create(null);
}
