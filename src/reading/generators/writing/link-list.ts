import { withoutComments } from "@docent/kernel/text/code-spans";
import { decodePercent } from "@docent/kernel/text/decode-percent";
import { indentOf } from "@docent/kernel/text/markdown-lines";
import { decodeDestination } from "../../markdown/html-text.ts";
import { plainInline } from "../../markdown/plain-text.ts";

/** An entry of a menu that is written as Markdown. */
export interface LinkListEntry {
  kind: "title" | "item" | "rule";
  label: string;
  /** Decoded; "" for a link that leads nowhere yet, undefined for words alone. */
  href: string | undefined;
  children: LinkListEntry[];
}

const ITEM = /^[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+(.*)$/;
const LINK =
  /^!?\[((?:[^[\]\\]|\\.|\[[^\]]*\]){0,500})\]\((?:<([^<>\n]{0,1000})>|([^\s()]{0,1000}(?:\([^\s()]*\)[^\s()]*)?))(?:[ \t]+"[^"]*")?[ \t]*\)/;
const TITLE = /^#{1,6}[ \t]+(.|.+?(?<![ \t#]))[ \t#]*$/;
const ENTRIES_MAX = 50_000;
const DEEP_MAX = 20;

const RULE = /^[ \t]*(?:[-*_][ \t]*){3,}$/;

/**
 * Reads a menu such as `SUMMARY.md`: titles, links, and lists of links in each other, in order; where they are
 * asked for, also rules between them, as which any other paragraph counts.
 */
export function readLinkList(markdown: string, { hasRules = false } = {}): LinkListEntry[] {
  const top: LinkListEntry[] = [];
  const open: { indent: number; entry: LinkListEntry }[] = [];
  const lines = withoutComments(markdown).split("\n");
  for (const [index, line] of lines.slice(0, ENTRIES_MAX).entries()) {
    const isRule = RULE.test(line);
    const item = isRule ? null : ITEM.exec(line);
    if (item !== null) {
      const indent = indentOf(line);
      while ((open.at(-1)?.indent ?? -1) >= indent) open.pop();
      const entry = entryOf(item[1] ?? "");
      const siblings = open.length > DEEP_MAX ? undefined : open.at(-1)?.entry.children;
      (siblings ?? top).push(entry);
      open.push({ indent, entry });
      continue;
    }
    if (line.trim() !== "" && indentOf(line) === 0) open.length = 0;
    const title = TITLE.exec(line)?.[1];
    const isParagraph = /^\S/.test(line) && title === undefined && (lines[index - 1] ?? "").trim() === "";
    if (hasRules && (isRule || isParagraph))
      top.push({ kind: "rule", label: "", href: undefined, children: [] });
    if (title !== undefined)
      top.push({ kind: "title", label: plainInline(title), href: undefined, children: [] });
    else if (LINK.test(line.trim())) top.push(entryOf(line.trim()));
  }
  return top;
}

function entryOf(text: string): LinkListEntry {
  const [whole, label = "", angled, bare] = LINK.exec(text) ?? [];
  if (whole === undefined) return { kind: "item", label: plainInline(text), href: undefined, children: [] };
  return {
    kind: "item",
    label: plainInline(label),
    href: decodePercent(decodeDestination(angled ?? bare ?? "")),
    children: [],
  };
}
