import { isRecord, plainData } from "../text/plain-data.ts";
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

/** A way to write front matter. */
interface Notation {
  name: string;
  closings: string[];
  /** The first line of what stands between the fences, when it is no comment and not blank. */
  firstLine: RegExp;
  parse(text: string): unknown;
}

const NOTATIONS: Record<string, Notation> = {
  "---": {
    name: "YAML",
    closings: ["---", "..."],
    firstLine: /^["']?[\w$.-]{1,100}["']? {0,10}:(?:\s|$)/,
    parse: (text) => Bun.YAML.parse(text),
  },
  "+++": {
    name: "TOML",
    closings: ["+++"],
    firstLine: /^(?:["']?[\w.-]{1,100}["']?\s{0,10}=|\[)/,
    parse: (text) => Bun.TOML.parse(text),
  },
};

/** Takes the YAML between `---` fences, or the TOML between `+++` ones, off a page. Whatever is wrong with it, the page's own text is kept. */
export function splitFrontMatter(source: string): FrontMatter {
  const text = normalizeSource(source);
  const lines = text.split("\n");
  const whole = { data: emptyData(), body: text, bodyLine: 1 };
  const fence = lines[0]?.trimEnd() ?? "";
  const notation = Object.hasOwn(NOTATIONS, fence) ? NOTATIONS[fence] : undefined;
  if (notation === undefined) return whole;
  const end = lines.findIndex((line, index) => index > 0 && notation.closings.includes(line.trimEnd()));
  if (end < 0) {
    const fault = "front matter is not closed";
    return looksLike(notation, lines.slice(1, 3)) ? { ...whole, fault } : whole;
  }
  const written = lines.slice(1, end);
  const rest = { body: lines.slice(end + 1).join("\n"), bodyLine: end + 2 };
  const parsed = parseData(notation, written.join("\n"));
  if (parsed.ok) return { ...rest, data: parsed.data };
  // Two rules with prose between them look like front matter: that prose is the page's.
  if (!looksLike(notation, written)) return whole;
  return { ...rest, data: emptyData(), fault: parsed.fault };
}

type Parsed = { ok: true; data: Record<string, unknown> } | { ok: false; fault: string };

function parseData({ name, parse }: Notation, text: string): Parsed {
  let value: unknown;
  try {
    value = parse(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { ok: false, fault: `front matter is not valid ${name}: ${reason}` };
  }
  if (value === null || value === undefined) return { ok: true, data: emptyData() };
  if (!isRecord(value)) return { ok: false, fault: "front matter is not a list of names and values" };
  const data = plainData(value);
  return data ? { ok: true, data } : { ok: false, fault: "front matter is too large or refers to itself" };
}

function looksLike({ firstLine }: Notation, lines: string[]): boolean {
  const first = lines.find((line) => line.trim() !== "" && !line.startsWith("#"));
  return first !== undefined && firstLine.test(first);
}

function emptyData(): Record<string, unknown> {
  return Object.create(null);
}
