import { codeAt } from "../writing/writing.ts";

const COLONS = /^([ \t]*)(:{3,})[ \t]*\{([^{}\s]{1,60})\}[ \t]*(.*)$/;

/** A directive of MyST, with the lines inside of it. */
export interface MystDirective {
  indent: string;
  name: string;
  argument: string;
  lines: string[];
  length: number;
}

/** The directive that begins on a line, between backticks or colons. */
export function directiveAt(lines: readonly string[], at: number): MystDirective | undefined {
  const line = lines[at] ?? "";
  const code = codeAt(lines, at);
  if (code !== undefined) {
    const [, name, argument = ""] = /^\{([^{}\s]{1,60})\}\s*(.*)$/.exec(code.info) ?? [];
    return name === undefined ? undefined : { ...code, name, argument };
  }
  const [, indent = "", colons = "", name, argument = ""] = COLONS.exec(line) ?? [];
  if (name === undefined) return undefined;
  const closing = new RegExp(`^[ \\t]*:{${colons.length},}[ \\t]*$`);
  const found = lines.findIndex((each, index) => index > at && closing.test(each));
  const end = found < 0 ? lines.length : found;
  const shift = new RegExp(`^[ \\t]{0,${indent.length}}`);
  return {
    indent,
    name,
    argument,
    lines: lines.slice(at + 1, end).map((each) => each.replace(shift, "")),
    length: Math.min(end, lines.length - 1) - at + 1,
  };
}

/** Options between `---` as lines with colons. */
export function optionLines(lines: readonly string[]): string[] {
  if (lines[0]?.trim() !== "---") return [...lines];
  const end = lines.findIndex((line, index) => index > 0 && line.trim() === "---");
  return end < 0
    ? [...lines]
    : [...lines.slice(1, end).map((line) => line.replace(/^([\w-]+):/, ":$1:")), ...lines.slice(end + 1)];
}
