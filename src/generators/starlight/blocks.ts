import { isCalloutName, readDirective } from "../../markdown/callouts.ts";
import { asDiff, codeAt, linesIn, writeCode } from "../writing/writing.ts";

const CONTAINER = /^([ \t]+):{3,}[ \t]*([A-Za-z][\w-]*)?/;

/** Code without what only says how it is shown, and callouts of lists as their titles with what they say. */
export function readBlocks(markdown: string): string {
  const lines = markdown.split("\n");
  const out: string[] = [];
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? "";
    const code = codeAt(lines, at);
    if (code !== undefined) {
      out.push(...shownCode(code.info, code.lines, code.indent));
      at += code.length - 1;
      continue;
    }
    const [found, indent = "", name] = CONTAINER.exec(line) ?? [];
    if (found === undefined)
      out.push(line.replace(/^(:{3,}[ \t]*[\w-]+(?:\[[^\]]*\])?)\{[^{}]*\}[ \t]*$/, "$1"));
    else if (name !== undefined) out.push(...labelOf(line, name, indent));
  }
  return out.join("\n");
}

function labelOf(line: string, name: string, indent: string): string[] {
  const { title } = readDirective(line.replace(/\{[^{}]*\}[ \t]*$/, ""));
  const label = title ?? (isCalloutName(name) ? name.charAt(0).toUpperCase() + name.slice(1) : "");
  return label === "" ? [] : ["", `${indent}**${label}**`, ""];
}

/** A comment in the first lines of code that names its file. */
const FILE_COMMENT =
  /^\s*(?:\/\/|#|--|<!--|\/\*|---)\s*((?:[\w@.~[\]()-]+\/)*[\w@.~[\]()-]*\.\w{1,10}|(?:[\w@.~[\]()-]+\/)+[\w@.~[\]()-]+)\s*(?:(?:-->|\*\/|---)\s*)?$/;
const FILE_COMMENT_WITHIN = 4;

function shownCode(info: string, written: readonly string[], indent: string): string[] {
  const [, word = "", rest = ""] = /^([\w+#.-]*)(.*)$/s.exec(info) ?? [];
  const own = attribute(rest, "title");
  const isTerminal = /^(?:ba|z)?sh$|^(?:shell|console|powershell|ps1?|bat|cmd|ansi|terminal)/.test(word);
  const named =
    own !== undefined || isTerminal || /frame=["']none/.test(rest)
      ? -1
      : written.slice(0, FILE_COMMENT_WITHIN).findIndex((line) => FILE_COMMENT.test(line));
  const title = own ?? FILE_COMMENT.exec(written[named] ?? "")?.[1];
  const lines = named < 0 ? written : withoutLine(written, named);
  const added = marked(rest, "ins");
  const removed = marked(rest, "del");
  const language = /^(?:ansi|txt|text|plaintext)$/.test(word) ? "" : word;
  const label = title === undefined || title === "" ? [] : ["", `${indent}**${title}**`, ""];
  if (word === "diff" || added.size + removed.size === 0)
    return [...label, ...writeCode(language, lines, indent)];
  return [...label, ...writeCode("diff", asDiff(lines, added, removed), indent)];
}

/** A line that names the file goes, and an empty one below it. */
function withoutLine(lines: readonly string[], at: number): string[] {
  const isSpaced = (lines[at + 1] ?? "x").trim() === "";
  return [...lines.slice(0, at), ...lines.slice(at + (isSpaced ? 2 : 1))];
}

const attribute = (rest: string, name: string) => {
  const match = new RegExp(`(?:^|\\s)${name}=(?:"([^"]*)"|'([^']*)')`).exec(rest);
  return match?.[1] ?? match?.[2];
};

const marked = (rest: string, name: string) =>
  linesIn(
    [...rest.matchAll(new RegExp(`\\b${name}=\\{([\\d,\\s-]*)\\}`, "g"))]
      .map(([, list = ""]) => list)
      .join(","),
  );
