import type { Slugger } from "../../markdown/anchors.ts";
import { inlineText } from "../../markdown/plain-text.ts";
import { codeAt, shownCode, type WrittenCode, writeCode } from "../writing/writing.ts";

const TABS = /<Tabs\s+items=\{\[([^\]]*)\]\}/;
const TAB = /<Tabs\.Tab\b/g;
const GIVEN = /^(|.+?(?<![ \t]))[ \t]*\[#([^\]]{1,300})\]$/;
const HEADING = /^([ \t>]*)(#{2,6})[ \t]+(\S.*?)(?<![ \t])[ \t]*$/;

/** A page with its tabs and its code as other pages have them. The labels of tabs use up ids of headings. */
export function readBlocks(markdown: string, slugger: Slugger): string {
  const lines = markdown.split("\n");
  const written: string[] = [];
  let labels: string[] = [];
  for (let at = 0; at < lines.length; ) {
    const code = codeAt(lines, at);
    if (code !== undefined) {
      written.push(...codeOf(code));
      at += code.length;
      continue;
    }
    const line = lines[at] ?? "";
    const items = TABS.exec(line)?.[1];
    if (items !== undefined)
      labels = [...items.matchAll(/"([^"]*)"|'([^']*)'/g)].map(([, a, b]) => a ?? b ?? "");
    written.push(
      withId(line, slugger)
        .replace(TABS, "<Tabs")
        .replace(TAB, (tag) => {
          const label = labels.shift();
          if (label === undefined) return tag;
          slugger.unique(label);
          return `${tag} title="${label.replaceAll('"', "'")}"`;
        }),
    );
    at += 1;
  }
  return written.join("\n");
}

/** A heading with its id: one that its author chose is made into one as all others are. */
function withId(line: string, slugger: Slugger): string {
  const [whole, indent = "", marks = "", source = ""] = HEADING.exec(line) ?? [];
  if (whole === undefined) return line;
  const [, words = source, given] = GIVEN.exec(source) ?? [];
  return `${indent}${marks} ${words} {#${slugger.unique(given ?? inlineText(words).trim())}}`;
}

/** Code with its language alone; the name of its file is written above it. */
function codeOf({ indent, info, lines }: WrittenCode): string[] {
  const language = /^[\w+#.-]+/.exec(info)?.[0] ?? "";
  const name = /\bfilename=(?:"([^"]*)"|'([^']*)')/.exec(info);
  const title = name?.[1] ?? name?.[2] ?? "";
  const shown = shownCode(language, lines);
  const code = writeCode(shown.language, shown.lines, indent);
  return title === "" ? code : [`${indent}**${title.replaceAll("*", "\\*")}**`, "", ...code];
}
