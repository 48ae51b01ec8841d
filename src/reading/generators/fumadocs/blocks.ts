import type { Slugger } from "../../markdown/anchors.ts";
import { inlineText } from "../../markdown/plain-text.ts";
import {
  calloutKind,
  codeAt,
  eachOutsideCode,
  shownCode,
  type WrittenCode,
  writeCode,
} from "../writing/writing.ts";

const HEADING = /^([ \t]*)(#{1,6})[ \t]+(\S.*?)(?<![ \t])[ \t]*$/;
const GIVEN = /^(|.+?(?<!\s))\s*\[#([^\]]{1,300})\]$/;
/** What a heading says of itself for the list of headings. */
const FLAGS = /(?<!\s)\s*\[!?toc\]\s*/gi;

/** Code with its language alone, and headings with their ids: GitHub's, which those of an author do not use up. */
export function readBlocks(markdown: string, slugger: Slugger): string {
  const lines = markdown.split("\n");
  const written: string[] = [];
  for (let at = 0; at < lines.length; ) {
    const code = codeAt(lines, at);
    if (code === undefined) written.push(withId(lines[at] ?? "", slugger));
    else written.push(...codeOf(code));
    at += code?.length ?? 1;
  }
  return written.join("\n");
}

/** A longer line is no heading that anybody wrote. */
const HEADING_CHARACTERS_MAX = 2_000;

function withId(line: string, slugger: Slugger): string {
  if (line.length > HEADING_CHARACTERS_MAX) return line;
  const [whole, indent = "", marks = "", source = ""] = HEADING.exec(line) ?? [];
  if (whole === undefined) return line;
  const [, words = source, given] = GIVEN.exec(source) ?? [];
  const id = given ?? slugger.unique(inlineText(words).trim());
  return `${indent}${marks} ${words.replace(FLAGS, " ").trim()} {#${id}}`;
}

/** The program that installs packages, whose commands Fumadocs writes for others, too. */
const INSTALLS = /^(?:npm|package-install)$/;

function codeOf({ indent, info, lines }: WrittenCode): string[] {
  const word = /^[\w+#.-]+/.exec(info)?.[0] ?? "";
  const names = ["tab", "title"].flatMap((name) => {
    const match = new RegExp(`\\b${name}=(?:"([^"]*)"|'([^']*)')`).exec(info);
    return match?.[1] ?? match?.[2] ?? [];
  });
  const label = [...new Set(names)].filter((name) => name !== "").join(": ");
  const language = INSTALLS.test(word) ? "bash" : word === "files" ? "" : word;
  const commands =
    word === "package-install"
      ? lines.map((line) => (/^(?:npm|npx)\b|^$/.test(line) ? line : `npm i ${line}`))
      : lines;
  const shown = shownCode(language, commands);
  const code = writeCode(shown.language, shown.lines, indent);
  return label === "" ? code : ["", `${indent}**${label.replaceAll("*", "\\*")}**`, "", ...code];
}

const TABS = /(<Tabs\b[^>]{0,1000}?)\sitems=\{\[([^\]]*)\]\}/;
const TAB = /<Tab\b(?![^>]{0,1000}\s(?:value|title)=)/g;
const CALLOUT = /(<Callout\b[^>]{0,1000}?\stype=)(?:"(\w+)"|'(\w+)'|\{["'](\w+)["']\})/g;
const FILES = /^([ \t]*)<Files\b[^>\n]{0,1000}>/gm;
const FILES_END = "</Files>";
const FILE_TAG = /<(\/?)(Folder|File)\b([^>]{0,1000}?)(\/?)>/g;

/** Components whose names or numbers say what they are, as those that are known everywhere. */
export const plainComponents = (mdx: string): string =>
  eachOutsideCode(mdx, (part) =>
    writtenTrees(labelledTabs(part)).replace(
      CALLOUT,
      (_, before: string, ...names: (string | undefined)[]) => {
        const name = names.slice(0, 3).find((each) => each !== undefined) ?? "";
        return `${before}"${KINDS[name] ?? calloutKind(name) ?? "note"}"`;
      },
    ),
  );

const KINDS: Record<string, string> = {
  error: "danger",
  warn: "warning",
  success: "tip",
  idea: "tip",
  info: "note",
};

/** Tabs that are named by their order alone get the names that are listed for them. */
function labelledTabs(part: string): string {
  if (!part.includes("<Tab")) return part;
  let labels: string[] = [];
  return part
    .split("\n")
    .map((line) => {
      const items = TABS.exec(line)?.[2];
      if (items !== undefined)
        labels = [...items.matchAll(/"([^"]*)"|'([^']*)'/g)].map(([, a, b]) => a ?? b ?? "");
      return line.replace(TABS, "$1").replace(TAB, (tag) => {
        const label = labels.shift();
        return label === undefined ? tag : `${tag} title="${label.replaceAll('"', "'")}"`;
      });
    })
    .join("\n");
}

/** Trees of files as code. */
function writtenTrees(part: string): string {
  const parts: string[] = [];
  let from = 0;
  for (const { 0: opening, 1: indent = "", index } of part.matchAll(FILES)) {
    if (index < from) continue;
    const end = part.indexOf(FILES_END, index);
    if (end < 0) break;
    const lines = filesIn(part.slice(index + opening.length, end));
    parts.push(part.slice(from, index), writeCode("", lines, indent).join("\n"));
    from = end + FILES_END.length;
  }
  return [...parts, part.slice(from)].join("");
}

function filesIn(inside: string): string[] {
  const lines: string[] = [];
  let depth = 0;
  for (const [, closing, kind, attributes = "", alone] of inside.matchAll(FILE_TAG)) {
    if (closing === "/") {
      if (kind === "Folder") depth = Math.max(0, depth - 1);
      continue;
    }
    const name = /\bname=(?:"([^"]*)"|'([^']*)')/.exec(attributes);
    lines.push(`${"  ".repeat(depth)}${name?.[1] ?? name?.[2] ?? ""}${kind === "Folder" ? "/" : ""}`);
    if (kind === "Folder" && alone !== "/") depth += 1;
  }
  return lines;
}
