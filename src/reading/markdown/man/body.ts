import { codeFence, escapeLineStart } from "@docent/kernel/text/write-markdown";
import { placeMark } from "../anchors.ts";
import { joinDefinitions, writeDefinition, writeDefinitionList } from "../definition-list.ts";
import type { Run } from "./escapes.ts";
import { isSet, type PageLink, wordsOf, writeRuns } from "./inline.ts";

type Block =
  | { kind: "text"; markdown: string; isShort: boolean }
  | { kind: "code"; text: string }
  | { kind: "definition"; terms: string[]; blocks: string[] }
  | { kind: "item"; mark: string; blocks: string[] };

/** What text goes to: a section, what a term means, an item of a list, or what is only set in. */
interface Frame {
  kind: "section" | "definition" | "item" | "indent";
  blocks: Block[];
  terms: string[];
  mark: string;
}

/** The page that is being written. */
export interface Body {
  readonly out: string[];
  readonly frames: Frame[];
  /** Words that are not yet written, by lines. */
  words: Run[][];
  /** Lines that stay as they are, where there are such. */
  code: string[] | undefined;
  /** A section in which lines are what is typed. */
  isSynopsis: boolean;
  readonly link: PageLink | undefined;
  /** How often each anchor was wanted. */
  readonly ids: Map<string, number>;
  /** The words of the section of names. */
  readonly name: { isHere: boolean; text: string };
}

/** Nested deeper, nothing is set in. */
const DEEP_MAX = 10;
const LIST_CHARACTERS_MAX = 20_000;
const TERMS_MAX = 40;

const SYNOPSIS =
  /^(?:synopsis|syntax|usage|übersicht|sinopsis|synopse|sintassi|sintaxe|samenvatting|składnia|обзор|синтаксис|書式|概要|総覧|大纲|概述|总览|總覽|名前の書式|sinossi|rezumat|sammanfattning|огляд)$/i;
const NAME =
  /^(?:name|bezeichnung|nom|nombre|nome|naam|nazwa|имя|название|名前|名称|名字|이름|nume|namn|názov|jméno|назва|nazev|název|nimi|navn|név|ime|име|nama)$/i;

export const createBody = (link: PageLink | undefined): Body => ({
  out: [],
  frames: [newFrame("section")],
  words: [],
  code: undefined,
  isSynopsis: false,
  link,
  ids: new Map(),
  name: { isHere: false, text: "" },
});

const newFrame = (kind: Frame["kind"]): Frame => ({ kind, blocks: [], terms: [], mark: "" });

const topOf = ({ frames }: Body): Frame => {
  const top = frames.at(-1);
  if (top !== undefined) return top;
  const made = newFrame("section");
  frames.push(made);
  return made;
};

/** Adds words to the paragraph that is open. */
export function addWords(body: Body, runs: readonly Run[], { glued = false } = {}): void {
  if (runs.length === 0) return;
  if (body.code !== undefined) {
    if (glued && body.code.length > 0) body.code.push((body.code.pop() ?? "") + wordsOf(runs));
    else body.code.push(wordsOf(runs));
    return;
  }
  const line = body.words.at(-1);
  if (line === undefined) body.words.push([...runs]);
  else {
    if (!glued && line.length > 0) line.push({ text: " ", font: "R" });
    line.push(...runs);
  }
}

/** Begins a line of the open paragraph. */
export function breakLine(body: Body): void {
  if (body.code === undefined && (body.words.at(-1)?.length ?? 0) > 0) body.words.push([]);
}

/** Ends the paragraph that is open. */
export function endParagraph(body: Body): void {
  if (body.code !== undefined) {
    if (body.code.length > 0 && body.code.at(-1) !== "") body.code.push("");
    return;
  }
  const lines = body.words.filter((line) => line.some(({ text }) => text.trim() !== ""));
  body.words = [];
  if (lines.length === 0) return;
  if (body.name.isHere) body.name.text += ` ${lines.map(wordsOf).join(" ")}`;
  if (body.isSynopsis && lines.some((line) => isSet(line.find(({ text }) => text.trim() !== "")))) {
    addCode(body, lines.map((line) => wordsOf(line).replace(/\s+/g, " ").trim()).join("\n"));
    return;
  }
  const bullet = /^\s*[•·●○]\s*/.exec(wordsOf(lines[0] ?? []))?.[0];
  if (bullet !== undefined && body.frames.length < DEEP_MAX) {
    addBullet(body, lines, bullet.length);
    return;
  }
  addText(body, lines);
}

function addText(body: Body, lines: readonly (readonly Run[])[]): void {
  const written = lines
    .map((line) => escapeLineStart(writeRuns(line, body.link)))
    .filter((line) => line !== "");
  if (written.length === 0) return;
  const isShort = lines.length < 4 && written.join("").length < 200 && !/[.:]$/.test(written.at(-1) ?? "");
  topOf(body).blocks.push({ kind: "text", markdown: written.join("\\\n"), isShort });
}

/** A bullet that is drawn before the words makes them an item of a list. */
function addBullet(body: Body, lines: readonly (readonly Run[])[], length: number): void {
  const [first = [], ...rest] = lines;
  let left = length;
  const cut = first.map((run) => {
    const text = run.text.slice(left);
    left = Math.max(0, left - run.text.length);
    return { ...run, text };
  });
  const item = newFrame("item");
  item.mark = "-";
  body.frames.push(item);
  addText(body, [cut, ...rest]);
  closeFrame(body);
}

/** Adds lines of code; what follows each other is one piece in a synopsis. */
export function addCode(body: Body, text: string): void {
  const trimmed = text.replace(/^(?:[ \t]*\n)+/, "").trimEnd();
  if (trimmed === "") return;
  const { blocks } = topOf(body);
  const last = blocks.at(-1);
  if (body.isSynopsis && last?.kind === "code") last.text += `\n${trimmed}`;
  else blocks.push({ kind: "code", text: trimmed });
}

/** Adds Markdown that is written already. */
export function addMarkdown(body: Body, markdown: string): void {
  endParagraph(body);
  if (markdown !== "") topOf(body).blocks.push({ kind: "text", markdown, isShort: false });
}

/** Goes over to lines that stay as they are, or back. */
export function setCode(body: Body, isCode: boolean): void {
  if (isCode === (body.code !== undefined)) return;
  endParagraph(body);
  const lines = body.code;
  body.code = isCode ? [] : undefined;
  if (lines === undefined) return;
  const text = dedented(lines.map((line) => line.replaceAll("\t", "        ").trimEnd()));
  if (body.name.isHere) body.name.text += ` ${text}`;
  addCode(body, text);
}

function dedented(lines: readonly string[]): string {
  const filled = lines.filter((line) => line.trim() !== "");
  const least = filled.reduce(
    (columns, line) => Math.min(columns, line.length - line.trimStart().length),
    1_000,
  );
  return lines.map((line) => line.slice(least)).join("\n");
}

/** Begins what a term means, an item, or what is set in. */
export function openFrame(body: Body, kind: Frame["kind"], { terms = [] as string[], mark = "" } = {}): void {
  endParagraph(body);
  if (body.frames.length > DEEP_MAX) {
    for (const term of terms) topOf(body).blocks.push({ kind: "text", markdown: term, isShort: true });
    body.frames.push({ ...newFrame("indent"), blocks: topOf(body).blocks });
    return;
  }
  body.frames.push({ ...newFrame(kind), terms, mark });
}

/** Ends the innermost frame; what is in it goes to the one around it. */
export function closeFrame(body: Body): void {
  endParagraph(body);
  if (body.frames.length <= 1) return;
  const frame = body.frames.pop();
  const { blocks } = topOf(body);
  if (frame === undefined || frame.blocks === blocks) return;
  if (frame.kind === "definition")
    blocks.push({ kind: "definition", terms: frame.terms, blocks: writeBlocks(frame.blocks) });
  else if (frame.kind === "item") {
    const inside = writeBlocks(frame.blocks);
    if (inside.length > 0) blocks.push({ kind: "item", mark: frame.mark, blocks: inside });
  } else addIndented(blocks, frame.blocks);
}

/** A short line above what is set in is what that explains. */
function addIndented(blocks: Block[], inside: Block[]): void {
  const term = blocks.at(-1);
  const isTerm = term?.kind === "text" && term.isShort && inside[0]?.kind === "text";
  if (!isTerm) {
    for (const block of inside) blocks.push(block);
    return;
  }
  blocks.pop();
  blocks.push({ kind: "definition", terms: term.markdown.split("\\\n"), blocks: writeBlocks(inside) });
}

/** Ends all frames. */
export function closeAll(body: Body): void {
  setCode(body, false);
  while (body.frames.length > 1) closeFrame(body);
  endParagraph(body);
  const section = body.frames.pop();
  body.frames.push(newFrame("section"));
  if (section !== undefined) body.out.push(...writeBlocks(section.blocks, body.ids));
}

/** Begins a section. Its anchor is the one that mandoc gives to it. */
export function addHeading(body: Body, level: number, runs: readonly Run[]): void {
  closeAll(body);
  const words = wordsOf(runs).replace(/\s+/g, " ").trim();
  if (words === "") return;
  body.isSynopsis = level === 2 ? SYNOPSIS.test(words) : body.isSynopsis;
  body.name.isHere = level === 2 && NAME.test(words);
  const id = claimId(body.ids, words.replaceAll(" ", "_"));
  const written = writeRuns([{ text: words, font: "R" }], undefined).replace(
    /(?<!#)#+$/,
    (marks) => `\\${marks}`,
  );
  body.out.push(`${"#".repeat(level)} ${written}${/[{}<>"`|\\]/.test(id) ? "" : ` {#${id}}`}`);
}

function claimId(ids: Map<string, number>, wanted: string): string {
  const before = ids.get(wanted) ?? 0;
  ids.set(wanted, before + 1);
  return before === 0 ? wanted : `${wanted}~${before + 1}`;
}

/** Writes blocks as Markdown. Terms that name an option get the place that mandoc gives to it. */
function writeBlocks(blocks: readonly Block[], ids?: Map<string, number>): string[] {
  const written: string[] = [];
  let list: { kind: Block["kind"]; items: string[]; length: number } | undefined;
  const end = () => {
    if (list !== undefined && list.items.length > 0) written.push(joinDefinitions(list.items));
    list = undefined;
  };
  const add = (kind: Block["kind"], item: string) => {
    if (list?.kind !== kind || list.length > LIST_CHARACTERS_MAX) {
      end();
      list = { kind, items: [], length: 0 };
    }
    list.items.push(item);
    list.length += item.length;
  };
  for (const block of blocks) {
    if (block.kind === "item") add("item", itemOf(block.mark, block.blocks));
    else if (block.kind === "definition") {
      const definition = {
        terms: block.terms.slice(0, TERMS_MAX).map((term) => withId(term, ids)),
        blocks: block.blocks,
      };
      const item = writeDefinitionList([definition]);
      if (item !== undefined) add("definition", item);
      else {
        end();
        written.push(...writeDefinition(definition));
      }
    } else {
      end();
      written.push(block.kind === "text" ? block.markdown : codeFence(block.text, languageOf(block.text)));
    }
  }
  end();
  return written;
}

const languageOf = (code: string) => (/^\s*#include\s*[<"]/m.test(code) ? "c" : "");

function itemOf(mark: string, blocks: readonly string[]): string {
  const head = `${mark} `;
  return head + blocks.join("\n\n").replace(/\n(?=[^\n])/g, `\n${" ".repeat(head.length)}`);
}

/** mandoc names a term by its first word, without the dashes of an option. */
function withId(term: string, ids: Map<string, number> | undefined): string {
  const name = /^`-{1,2}([\w-]{1,60})/.exec(term)?.[1];
  if (ids === undefined || name === undefined || ids.has(name)) return term;
  ids.set(name, 1);
  return placeMark(name) + term;
}
