/*
 * Markdown has no definition lists that all programs know. They are written as lists whose items begin with a strong term
 * and a line break: a term keeps its definition wherever the page is cut, and both can be read everywhere.
 */
import { type MarkdownElement, toElement } from "./tree.ts";

/** Terms, and the blocks that say what they mean. */
export interface Definition {
  /** As Markdown, without marks for strong words. */
  terms: readonly string[];
  blocks: readonly string[];
}

/** What is longer is text below a title. */
const CHARACTERS_MAX = 3_000;
const BLOCK_START = /^(?:[-*+>#|:]|\d{1,9}[.)]\s|```|~~~|<| {4}|\t)/;

/** A list of definitions as one block; undefined where they are too long for it, or not words. */
export function writeDefinitionList(definitions: readonly Definition[]): string | undefined {
  const items: string[] = [];
  let isList = false;
  for (const { terms, blocks } of definitions) {
    const [first = "", ...rest] = blocks.filter((block) => block !== "");
    const strong = terms.map((term) =>
      term
        .replaceAll("**", "")
        .replace(/(?<!\s)\s*\n\s*/g, " ")
        .trim(),
    );
    const names = strong.filter((term) => term !== "").map((term) => `**${term}**`);
    if (names.length === 0 || first.length + rest.join("").length > CHARACTERS_MAX) return undefined;
    const isWords = first !== "" && !BLOCK_START.test(first);
    isList ||= isWords;
    const head = isWords ? [...names, first].join("\\\n") : names.join("\\\n");
    items.push(indented([head, ...(isWords || first === "" ? rest : [first, ...rest])].join("\n\n")));
  }
  return isList ? joinDefinitions(items) : undefined;
}

/** A list of definitions as blocks: each term above what it means, where they cannot be one. */
export function writeDefinitions(definitions: readonly Definition[]): string[] {
  const list = writeDefinitionList(definitions);
  if (list !== undefined) return [list];
  return definitions.flatMap(writeDefinition);
}

/** Terms above what they mean. */
export const writeDefinition = ({ terms, blocks }: Definition) => [...terms.map(strong), ...blocks];

/** Terms may have lines of their own. */
const strong = (term: string) =>
  term
    .split("\\\n")
    .map((line) => (line === "" || line.includes("**") ? line : `**${line}**`))
    .join("\\\n");

/** Joins lists of definitions into one. */
export const joinDefinitions = (lists: readonly string[]) =>
  lists.join(lists.some((list) => list.includes("\n\n")) ? "\n\n" : "\n");

const indented = (item: string) => `- ${item.replace(/\n(?=[^\n])/g, "\n  ")}`;

/** Makes a list of definitions of a list that is written as one; returns any other element unchanged. */
export function asDefinitions(list: MarkdownElement): MarkdownElement {
  if (list.type !== "ul") return list;
  const items = list.children.map(readItem);
  const found = items.filter((item) => item !== undefined);
  if (found.length < items.length || !found.some(({ isDefined }) => isDefined)) return list;
  return { type: "dl", props: {}, children: found.flatMap(({ elements }) => elements) };
}

interface ReadItem {
  elements: unknown[];
  /** A line break follows the term: a list of strong words is none of definitions. */
  isDefined: boolean;
}

function readItem(child: unknown): ReadItem | undefined {
  const item = toElement(child);
  if (item?.type !== "li" || "checked" in item.props) return undefined;
  const first = toElement(item.children[0]);
  const line = first?.type === "p" ? first.children : item.children;
  const terms: unknown[] = [];
  let at = 0;
  while (toElement(line[at])?.type === "strong" && endsTerm(line[at + 1])) {
    terms.push({ type: "dt", props: { children: toElement(line[at])?.children ?? [] } });
    at += toElement(line[at + 1])?.type === "br" ? 2 : 1;
  }
  if (terms.length === 0) return undefined;
  const isDefined = at < line.length && toElement(line[at - 1])?.type === "br";
  // What a loose item says is a paragraph, and the words of a close one are not.
  const words = line.slice(at);
  const own = first?.type === "p" && isDefined ? [{ type: "p", props: { children: words } }] : words;
  const below = first?.type === "p" ? item.children.slice(1) : [];
  const children = [...own, ...below];
  const definition = children.length === 0 ? [] : [{ type: "dd", props: { children } }];
  return { elements: [...terms, ...definition], isDefined };
}

const endsTerm = (next: unknown) =>
  next === undefined || /^(?:br|ul|ol|pre|blockquote|table|p)$/.test(toElement(next)?.type ?? "");
