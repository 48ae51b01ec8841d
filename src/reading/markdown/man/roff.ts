import { evaluate, readCondition } from "./conditions.ts";
import { readName } from "./escapes.ts";

/** A line of a page as its macros see it, once conditions and the page's own macros are worked off. */
export type RoffLine =
  | { kind: "text"; text: string }
  | { kind: "macro"; name: string; args: string[] }
  | { kind: "table"; lines: string[] }
  | { kind: "equation"; text: string };

/** Lines that a macro of the page's own is made of, or the page itself, and how far they are read. */
interface Input {
  lines: readonly string[];
  at: number;
  args: readonly string[];
}

interface Roff {
  inputs: Input[];
  strings: Map<string, string>;
  registers: Map<string, number>;
  macros: Map<string, string[]>;
  aliases: Map<string, string>;
  /** What the last `.ie` found, for `.el`. */
  last: boolean[];
  left: { lines: number; characters: number };
  /** `\(*W` is written for a dash by programs that make pages. */
  dashes: boolean;
  /** What the macros of a page mean; it cannot give them another meaning. */
  isKnown: (name: string) => boolean;
}

/** How much a page may grow by its own macros and strings. */
const LINES_MAX = 100_000;
const CHARACTERS_MAX = 4_000_000;
const DEEP_MAX = 40;
const STRING_CHARACTERS_MAX = 10_000;
const STRINGS_DEEP_MAX = 8;

const STRINGS: readonly [string, string][] = [
  ["lq", "\\(lq"],
  ["rq", "\\(rq"],
  ["R", "\\(rg"],
  ["Tm", "\\(tm"],
  ["S", ""],
  ["q", '"'],
  ["Ba", "|"],
  ["Ne", "\\(!="],
  ["Ge", "\\(>="],
  ["Le", "\\(<="],
  ["Gt", ">"],
  ["Lt", "<"],
  ["Pm", "\\(+-"],
  ["If", "\\(if"],
  ["Pi", "\\(*p"],
  ["Na", "NaN"],
  ["Am", "&"],
  ["aa", "\\(aa"],
  ["ga", "\\(ga"],
];

/** Reads a page's lines: comments, conditions, strings and macros that it defines are done with. */
export function* readRoff(source: string, isKnown: (name: string) => boolean): Generator<RoffLine> {
  const roff: Roff = {
    inputs: [{ lines: source.split("\n"), at: 0, args: [] }],
    strings: new Map(STRINGS),
    registers: new Map([
      [".g", 1],
      [".A", 0],
      [".T", 1],
    ]),
    macros: new Map(),
    aliases: new Map(),
    last: [],
    left: { lines: LINES_MAX, characters: CHARACTERS_MAX },
    dashes: false,
    isKnown,
  };
  for (;;) {
    const raw = nextLine(roff);
    if (raw === undefined) return;
    const whole = interpolate(withoutComment(raw), roff);
    // A condition counts where its block ends.
    const line = /^[.'][ \t]*(?:if|ie|el|while)\b/.test(whole) ? whole : whole.replace(/\\}/g, "");
    const control = /^[.'][ \t]*([^\s\\]*)[ \t]*(.*)$/s.exec(line);
    if (control === null) {
      if (line !== "" || raw === "") yield { kind: "text", text: line };
      continue;
    }
    const [, name = "", rest = ""] = control;
    if (name === "" || name === ".") continue;
    const written = doRequest(roff, roff.aliases.get(name) ?? name, rest);
    if (written !== undefined) yield written;
  }
}

/** The next line, with those that it goes on in. */
function nextLine(roff: Roff): string | undefined {
  for (;;) {
    const input = roff.inputs.at(-1);
    if (input === undefined) return undefined;
    if (input.at < input.lines.length) {
      const parts: string[] = [];
      for (;;) {
        const part = input.lines[input.at++] ?? "";
        if (!endsInBackslash(part) || input.at >= input.lines.length) return parts.join("") + part;
        parts.push(part.slice(0, -1));
      }
    }
    roff.inputs.pop();
  }
}

function endsInBackslash(line: string): boolean {
  let at = line.length;
  while (at > 0 && line[at - 1] === "\\") at -= 1;
  // A comment goes on nowhere.
  return (line.length - at) % 2 === 1 && !/^[.'][ \t]*\\"/.test(line.slice(0, 50));
}

function withoutComment(line: string): string {
  for (let at = line.indexOf("\\"); at >= 0; at = line.indexOf("\\", at + 2)) {
    const next = line[at + 1];
    if (next === '"') return line.slice(0, at).trimEnd();
    if (next === "#") return line.slice(0, at);
  }
  return line;
}

/** Puts in the strings, registers and arguments that a line names. */
function interpolate(line: string, roff: Roff, deep = 0): string {
  if (!line.includes("\\") || deep > STRINGS_DEEP_MAX) return line;
  const parts: string[] = [];
  let from = 0;
  for (let at = line.indexOf("\\"); at >= 0; ) {
    const kind = line[at + 1];
    let end = at + 2;
    let value: string | undefined;
    if (kind === "*") {
      const name = readName(line, at + 2);
      end = name.end;
      value = grown(roff, interpolate(stringOf(roff, name.value), roff, deep + 1));
    } else if (kind === "n") {
      const sign = /^[+-]/.test(line.charAt(at + 2)) ? 1 : 0;
      const name = readName(line, at + 2 + sign);
      end = name.end;
      value = String(roff.registers.get(name.value) ?? 0);
    } else if (kind === "$") {
      const name = readName(line, at + 2);
      end = name.end;
      value = grown(roff, argumentOf(roff, name.value));
    } else if (kind === "w") {
      const mark = line.charAt(at + 2);
      const close = line.slice(at + 3, at + 303).indexOf(mark);
      if (close >= 0) end = at + 4 + close;
      value = close < 0 ? undefined : String(close);
    } else if (kind === "(" && roff.dashes && line.startsWith("*W", at + 2)) {
      end = at + 4;
      value = "-";
    }
    if (value !== undefined) {
      parts.push(line.slice(from, at), value);
      from = end;
    }
    at = line.indexOf("\\", end);
  }
  return parts.join("") + line.slice(from);
}

const stringOf = (roff: Roff, name: string) => roff.strings.get(name.split(" ")[0] ?? "") ?? "";

function argumentOf({ inputs }: Roff, name: string): string {
  const args = inputs.at(-1)?.args ?? [];
  if (name === "*" || name === "@") return args.map((each) => (name === "@" ? `"${each}"` : each)).join(" ");
  return args[Number(name) - 1] ?? "";
}

/** What is put in, where the page is not too large with it. */
function grown({ left }: Roff, text: string): string {
  left.characters -= text.length;
  return left.characters < 0 || text.length > STRING_CHARACTERS_MAX ? "" : text;
}

/** Does what a request of roff says; returns what is for the macros of the page. */
function doRequest(roff: Roff, name: string, rest: string): RoffLine | undefined {
  switch (name) {
    case "if":
    case "ie":
    case "el":
      return doCondition(roff, name, rest);
    case "while":
      return doCondition(roff, "if", `0 ${readCondition(rest, knownOf(roff)).rest}`);
    case "de":
    case "de1":
    case "am":
    case "am1":
    case "ig":
      return define(roff, name, rest);
    case "ds":
    case "as":
      return defineString(roff, name, rest);
    case "nr":
      return setRegister(roff, rest);
    case "rm":
      for (const each of splitArguments(rest)) roff.macros.delete(each);
      return undefined;
    case "als": {
      const [alias = "", of = ""] = splitArguments(rest);
      if (!roff.isKnown(alias) && alias !== of) roff.aliases.set(alias, of);
      return undefined;
    }
    case "tr":
      roff.dashes ||= rest.includes("\\(*W-");
      return undefined;
    case "TS":
      return { kind: "table", lines: linesUntil(roff, "TE") };
    case "EQ":
      return { kind: "equation", text: linesUntil(roff, "EN").join("\n") };
    case "PS":
      linesUntil(roff, "PE");
      return undefined;
    default:
      return doMacro(roff, name, rest);
  }
}

const knownOf = ({ registers, strings, macros, isKnown }: Roff) => ({
  register: (name: string) => registers.has(name),
  string: (name: string) => strings.has(name) || macros.has(name) || isKnown(name),
});

function doCondition(roff: Roff, name: string, rest: string): undefined {
  const read =
    name === "el" ? { holds: !(roff.last.pop() ?? true), rest } : readCondition(rest, knownOf(roff));
  if (name === "ie") {
    roff.last.push(read.holds);
    if (roff.last.length > DEEP_MAX) roff.last.shift();
  }
  const isBlock = read.rest.startsWith("\\{");
  const body = isBlock ? read.rest.slice(2).replace(/^\\$/, "") : read.rest;
  // One in one line with another is read again with each.
  roff.left.characters -= body.length;
  if (read.holds && roff.left.characters > 0) {
    if (body.trim() !== "") pushInput(roff, [body.trimStart()], roff.inputs.at(-1)?.args ?? []);
  } else if (isBlock) skipBlock(roff, body);
  return undefined;
}

function skipBlock(roff: Roff, rest: string): void {
  let open = 1;
  for (let line: string | undefined = rest; line !== undefined; line = nextLine(roff)) {
    for (const [mark] of line.matchAll(/\\(?:[{}]|\\)/g))
      open += mark === "\\{" ? 1 : mark === "\\}" ? -1 : 0;
    if (open <= 0) return;
  }
}

function define(roff: Roff, request: string, rest: string): undefined {
  const [name = "", end = "."] = request === "ig" ? ["", splitArguments(rest)[0]] : splitArguments(rest);
  const lines: string[] = [];
  const isEnd = new RegExp(`^[.'][ \\t]*${end.replace(/[^\w]/g, "\\$&")}(?:\\s|$)`);
  for (let line = nextLine(roff); line !== undefined && !isEnd.test(line); line = nextLine(roff))
    lines.push(withoutComment(line).replaceAll("\\\\", "\\"));
  if (request === "ig" || roff.isKnown(name)) return undefined;
  const before = request.startsWith("am") ? roff.macros.get(name) : undefined;
  if (before === undefined) roff.macros.set(name, lines);
  else for (const line of lines) before.push(line);
  return undefined;
}

function defineString(roff: Roff, request: string, rest: string): undefined {
  const [, name = "", value = ""] = /^(\S{1,100})[ \t]*"?(.*)$/s.exec(rest) ?? [];
  const text = value.replaceAll("\\\\", "\\");
  const before = request === "as" ? (roff.strings.get(name) ?? "") : "";
  roff.strings.set(name, (before + text).slice(0, STRING_CHARACTERS_MAX));
  return undefined;
}

function setRegister(roff: Roff, rest: string): undefined {
  const [name = "", value = "0"] = splitArguments(rest);
  const change = evaluate(value.replace(/^[+-]/, "")) * (value.startsWith("-") ? -1 : 1);
  const before = /^[+-]/.test(value) ? (roff.registers.get(name) ?? 0) : 0;
  roff.registers.set(name, before + change);
  return undefined;
}

function doMacro(roff: Roff, name: string, rest: string): RoffLine | undefined {
  const lines = roff.macros.get(name);
  if (lines === undefined) return { kind: "macro", name, args: splitArguments(rest) };
  pushInput(roff, lines, splitArguments(rest));
  return undefined;
}

/** Goes on with other lines first. One that has no end is left out. */
function pushInput(roff: Roff, lines: readonly string[], args: readonly string[]): void {
  // What has been read to its end is in nobody's way.
  while (roff.inputs.length > 1 && isAtEnd(roff.inputs.at(-1))) roff.inputs.pop();
  roff.left.lines -= lines.length + 1;
  if (roff.left.lines < 0 || roff.inputs.length > DEEP_MAX) return;
  roff.inputs.push({ lines, at: 0, args });
}

const isAtEnd = (input: Input | undefined) => input !== undefined && input.at >= input.lines.length;

/** The lines up to the one that ends a block; comments are left out. */
function linesUntil(roff: Roff, end: string): string[] {
  const lines: string[] = [];
  for (let line = nextLine(roff); line !== undefined; line = nextLine(roff)) {
    if (line.startsWith(`.${end}`)) break;
    if (!/^[.']\\"/.test(line)) lines.push(interpolate(withoutComment(line), roff));
  }
  return lines;
}

/** The arguments of a macro; those in quotes have spaces. */
export function splitArguments(rest: string): string[] {
  const args: string[] = [];
  const pattern = /[ \t]*(?:"((?:[^"]|"")*)(?:"|$)|((?:\\[\s\S]|[^\s\\])+|\\$))/y;
  let match = pattern.exec(rest);
  while (match !== null) {
    args.push(match[1]?.replaceAll('""', '"') ?? match[2] ?? "");
    match = pattern.exec(rest);
  }
  return args;
}
