import { type CodeSpans, findCodeSpans } from "@docent/kernel/text/code-spans";
import { escapeDestination } from "@docent/kernel/text/write-markdown";
import { decodeDestination, htmlToText } from "@docent/reading/markdown/html-text";
import { collectDefinitions, scanBlocks } from "@docent/reading/markdown/md/md";

/** Where a link's target leads, or undefined where it leads nowhere: its words then stay without it. */
type RewriteTarget = (href: string) => string | undefined;

const LINK_CHARACTERS_MAX = 3000;
const FENCE = /^(?:[ \t>]|[-*+][ \t]|\d{1,9}[.)][ \t]){0,40}(`{3,}|~{3,})/;
const DESTINATION =
  /^\(\s{0,9}(?:<([^<>\n]*)>|((?:[^\s()\\]|\\.|\((?:[^\s()\\]|\\.)*\))*))(?:\s{1,9}(?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|\((?:[^()\\]|\\.)*\)))?\s{0,9}\)/;
const REFERENCE = /^\[([^[\]]{0,500})\]/;
const AUTOLINK = /^<((?:https?:\/\/|mailto:)[^\s<>]{1,2000})>/i;
const TAG = /^<[A-Za-z/!?][^<>]{0,2000}>/;
const COMMENT = /^<!--[\s\S]*?(?:-->|$)/;

/**
 * Markdown with other link targets. Images are left with their descriptions alone, and raw HTML with its words: what
 * is left leads nowhere that `target` has not named. Code stays as it is.
 */
export function rewriteLinks(markdown: string, target: RewriteTarget): string {
  const lines = markdown.split("\n");
  const blocks = scanBlocks(markdown);
  const definitions = targetsOf(collectDefinitions(blocks));
  const written: string[] = [];
  let prose: string[] = [];
  const flush = () => {
    if (prose.length > 0) written.push(rewriteProse(prose.join("\n"), definitions, target));
    prose = [];
  };
  let next = 0;
  for (const { kind, startLine, endLine } of blocks) {
    prose.push(...lines.slice(next, startLine - 1));
    const own = lines.slice(startLine - 1, endLine);
    next = endLine;
    if (kind === "code") {
      flush();
      written.push(own.join("\n"));
    } else if (kind === "html") prose.push(htmlToText(own.join("\n")));
    else if (kind !== "definition" && kind !== "comment") prose.push(...own);
  }
  prose.push(...lines.slice(next));
  flush();
  return written.join("\n").trim();
}

/** The targets of a text's links, as they are written. */
export function writtenLinks(markdown: string): string[] {
  const found = new Set<string>();
  rewriteLinks(markdown, (href) => {
    found.add(href);
    return href;
  });
  return [...found];
}

/** Targets of reference links, by what they are called. */
type Targets = ReadonlyMap<string, string>;

function targetsOf(definitions: ReadonlyMap<string, string>): Targets {
  return new Map(
    [...definitions].flatMap(([label, line]) => {
      const [, angled, plain] = /\]:\s*(?:<([^<>\n]*)>|(\S+))/.exec(line) ?? [];
      const written = angled ?? plain;
      return written === undefined ? [] : [[label, written] as const];
    }),
  );
}

function rewriteProse(text: string, definitions: Targets, target: RewriteTarget): string {
  const spans = findCodeSpans(text);
  let out = "";
  let at = 0;

  /** Passes a piece on as it is. */
  function keep(length: number): void {
    out += text.slice(at, at + length);
    at += length;
  }

  function tag(): void {
    const rest = text.slice(at, at + LINK_CHARACTERS_MAX);
    const auto = AUTOLINK.exec(rest);
    const found = auto ?? (rest.startsWith("<!--") ? COMMENT.exec(text.slice(at)) : null) ?? TAG.exec(rest);
    if (auto?.[1] !== undefined) out += link(auto[1], auto[1].replace(/^mailto:/i, ""));
    else if (found === null) out += /^<[A-Za-z/!?]/.test(rest) ? "\\<" : "<";
    at += found?.[0].length ?? 1;
  }

  function link(written: string, words: string): string {
    const leads = target(decodeDestination(written.trim()));
    return leads === undefined ? words : `[${words}](${escapeDestination(leads)})`;
  }

  function bracket(isImage: boolean): void {
    const open = at + (isImage ? 1 : 0);
    const found = linkAt(text, open, definitions, spans);
    if (found === undefined) {
      // Something that another parser might read as a link after all is none.
      out += isImage ? "!\\[" : "\\[";
      at = open + 1;
    } else if (found.href === undefined) keep(open + 1 - at);
    else {
      const inside = rewriteProse(found.words, definitions, target);
      out += isImage ? inside : link(found.href, inside);
      at = found.end;
    }
  }

  while (at < text.length) {
    const isLineStart = at === 0 || text[at - 1] === "\n";
    const fenceEnd = isLineStart ? endOfFence(text, at) : undefined;
    const plain = /[\\`<[!\n]/g;
    plain.lastIndex = at;
    const character = text[at];
    if (fenceEnd !== undefined) keep(fenceEnd - at);
    else if (character === "\\") keep(2);
    else if (character === "`") keep((spans.endOf(at) ?? at + backticks(text, at)) - at);
    else if (character === "<") tag();
    else if (character === "[") bracket(false);
    else if (character === "!" && text[at + 1] === "[") bracket(true);
    else if (character === "!" || character === "\n") keep(1);
    else keep((plain.exec(text)?.index ?? text.length) - at);
  }
  return out;
}

/** Words in brackets, and where they lead if they are a link's. */
interface Bracketed {
  words: string;
  href: string | undefined;
  end: number;
}

function linkAt(text: string, open: number, definitions: Targets, spans: CodeSpans): Bracketed | undefined {
  const close = closingBracket(text, open, spans);
  if (close === undefined) return undefined;
  const words = text.slice(open + 1, close);
  const rest = text.slice(close + 1, close + 1 + LINK_CHARACTERS_MAX);
  if (rest.startsWith("(")) {
    const inline = DESTINATION.exec(rest);
    const href = inline?.[1] ?? inline?.[2];
    return inline && href !== undefined ? { words, href, end: close + 1 + inline[0].length } : undefined;
  }
  const reference = REFERENCE.exec(rest);
  const label = reference?.[1]?.trim() ? reference[1] : words;
  const href = definitions.get(label.trim().replace(/\s+/g, " ").toLowerCase());
  return { words, href, end: close + 1 + (href === undefined ? 0 : (reference?.[0].length ?? 0)) };
}

function closingBracket(text: string, open: number, spans: CodeSpans): number | undefined {
  let depth = 0;
  const last = Math.min(text.length, open + LINK_CHARACTERS_MAX);
  for (let index = open; index < last; index++) {
    const character = text[index];
    if (character === "\\") index++;
    else if (character === "`") index = (spans.endOf(index) ?? index + backticks(text, index)) - 1;
    else if (character === "[") depth++;
    else if (character === "]" && --depth === 0) return index;
  }
  return undefined;
}

const backticks = (text: string, at: number) => /^`+/.exec(text.slice(at, at + 100))?.[0].length ?? 1;

/** Where the fenced code ends that begins on this line, as it may in a list or a quote. */
function endOfFence(text: string, lineStart: number): number | undefined {
  const mark = FENCE.exec(text.slice(lineStart, lineStart + 200))?.[1];
  if (mark === undefined) return undefined;
  const closing = new RegExp(`\\n[ \\t>]*${mark[0]}{${mark.length},}[ \\t]*(?=\\n|$)`, "g");
  closing.lastIndex = lineStart;
  const found = closing.exec(text);
  return found === null ? text.length : found.index + found[0].length;
}
