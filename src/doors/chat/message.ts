import type { CitedSource } from "@docent/answering/answer/events";
import { type FenceOpening, fenceBehind } from "@docent/kernel/text/markdown-lines";
import { escapeInline } from "@docent/kernel/text/write-markdown";
import type { ChatDialect, Sight } from "./dialect.ts";

const SOURCES_MAX = 8;
const TITLE_CHARACTERS_MAX = 100;
const QUESTION_CHARACTERS_MAX = 300;

/** An answer that is whole. */
export interface WholeAnswer {
  /** Markdown. */
  text: string;
  sources: CitedSource[];
  /** It says what went wrong, and answers nothing. */
  isFailed: boolean;
}

interface Asked {
  question: string;
  sight: Sight;
  /** The site's words before its sources. */
  sourcesPhrase: string;
}

/** An answer as one message of a chat, with what it cites below it, no longer than the chat takes. */
export function messageOf(
  { toMarks, charactersMax, hidesQuestion }: ChatDialect,
  { text, sources }: WholeAnswer,
  { question, sight, sourcesPhrase }: Asked,
): string {
  const head = hidesQuestion && sight === "channel" ? toMarks(quoted(question)) : "";
  const isListed = text.includes(sourcesPhrase);
  const tail = isListed ? "" : tailOf(sources, sourcesPhrase, charactersMax / 2, toMarks);
  const left = charactersMax - head.length - tail.length - 4;
  return [head, fitted(text.trim(), left, toMarks), tail].filter((part) => part !== "").join("\n\n");
}

/** Everyone then knows what is answered. */
function quoted(question: string): string {
  const line = question.replace(/\s+/g, " ").trim();
  const short =
    line.length <= QUESTION_CHARACTERS_MAX ? line : `${line.slice(0, QUESTION_CHARACTERS_MAX - 1)}…`;
  return `> ${escapeInline(short.toWellFormed(), " ")}`;
}

/** The list of what is cited; fewer of them where all would take too much of the message. */
function tailOf(
  sources: readonly CitedSource[],
  phrase: string,
  charactersMax: number,
  toMarks: (markdown: string) => string,
): string {
  const cited = [...new Map(sources.map((source) => [source.url, source])).values()].slice(0, SOURCES_MAX);
  for (let count = cited.length; count > 0; count--) {
    const tail = toMarks([phrase, cited.slice(0, count).map(lineOf).join("\n")].join("\n\n"));
    if (tail.length <= charactersMax) return tail;
  }
  return "";
}

function lineOf({ title, url }: CitedSource): string {
  const line = title.replace(/\s+/g, " ").trim().slice(0, TITLE_CHARACTERS_MAX).toWellFormed();
  return `- [${escapeInline(line, "[").replace(/[[\]]/g, "\\$&")}](${url.replace(/[()\s]/g, encodeMark)})`;
}

const encodeMark = (mark: string) => `%${mark.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`;

const MORE = "…";

/** The marks of as much of a text as a message holds, whole blocks where that is possible. */
export function fitted(
  markdown: string,
  charactersMax: number,
  toMarks: (markdown: string) => string,
): string {
  const whole = toMarks(markdown);
  if (whole.length <= charactersMax) return whole;
  const blocks = blocksOf(markdown);
  const upTo = (count: number) => toMarks([...blocks.slice(0, count), MORE].join("\n\n"));
  let [fits, tooMany] = [0, blocks.length];
  while (tooMany - fits > 1) {
    const middle = (fits + tooMany) >> 1;
    if (upTo(middle).length <= charactersMax) fits = middle;
    else tooMany = middle;
  }
  if (fits > 0) return upTo(fits);
  const cut = whole.slice(0, Math.max(0, charactersMax - MORE.length - 1));
  return `${cut.slice(0, Math.max(cut.lastIndexOf("\n"), cut.lastIndexOf(" ")) || cut.length).toWellFormed()} ${MORE}`;
}

/** The blocks of a text, parted by empty lines. Fenced code is one block. */
function blocksOf(markdown: string): string[] {
  const blocks: string[][] = [[]];
  let fence: FenceOpening | undefined;
  for (const line of markdown.split("\n")) {
    if (fence === undefined && line.trim() === "") {
      blocks.push([]);
      continue;
    }
    fence = fenceBehind(line, fence);
    blocks.at(-1)?.push(line);
  }
  return blocks.map((lines) => lines.join("\n")).filter((block) => block !== "");
}
