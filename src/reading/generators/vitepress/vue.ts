import { outsideCode, replaceEnclosed } from "@docent/kernel/text/code-spans";
import { isComputed, type ReadScript } from "../config/config.ts";
import { codeAt } from "../writing/writing.ts";
import type { PagePlace } from "./includes.ts";

/** Braces in which nothing is computed, until the page is whole. */
const HIDDEN = "\uFDD3\uFDD3";

export const hideBraces = (text: string) => text.replaceAll("{{", HIDDEN);

/** A page without its scripts and styles, and its scripts. */
export function takeScripts(body: string): { template: string; script: string } {
  const scripts: string[] = [];
  const lines = body.split("\n");
  const kept: string[] = [];
  for (let at = 0; at < lines.length; at++) {
    const code = codeAt(lines, at);
    const kind = code === undefined ? /^<(script|style)\b/i.exec(lines[at] ?? "")?.[1] : undefined;
    if (code !== undefined) {
      kept.push(...lines.slice(at, at + code.length));
      at += code.length - 1;
    } else if (kind === undefined) kept.push(lines[at] ?? "");
    else {
      const end = endOfTag(lines, at, kind);
      const inside = lines.slice(at, end + 1).join("\n");
      if (kind.toLowerCase() === "script")
        scripts.push(inside.replace(/^<script\b[^>]*>|<\/script>[\s\S]*$/gi, ""));
      at = end;
    }
  }
  return { template: kept.join("\n"), script: scripts.join("\n") };
}

function endOfTag(lines: readonly string[], at: number, kind: string): number {
  const closing = `</${kind}>`;
  const end = lines.findIndex((line, index) => index >= at && line.includes(closing));
  return end < 0 ? lines.length - 1 : end;
}

/** What the words of a page are computed from. */
interface WordSource extends PagePlace {
  script: string;
  readScript: ReadScript;
  data: Readonly<Record<string, unknown>>;
  params: Readonly<Record<string, unknown>> | undefined;
}

const EXPRESSION = /\{\{([\s\S]{1,500}?)\}\}/g;
const EXPRESSIONS_MAX = 200;
const BADGE =
  /<(?:Badge|VPBadge)\b((?:\s+[\w:@-]+(?:\s*=\s*(?:"[^"]*"|'[^']*'))?)*)\s*(?:\/>|>([\s\S]{0,200}?)<\/(?:Badge|VPBadge)>)/g;
/** The tag of a component, which is not in the page: only what stands between two of them is. */
const COMPONENT =
  /<\/?(?:[A-Z][\w.]{0,60}|[a-z]{1,30}-[a-z\d-]{1,60})(?:\s{1,20}[^\s=<>"'/]{1,60}(?:\s{0,5}=\s{0,5}(?:"[^"]{0,2000}"|'[^']{0,2000}'|[^\s"'<>]{1,200}))?){0,30}\s{0,20}\/?>/g;
/** What follows a link, a picture or strong words to say how it is shown. */
const ATTRIBUTES =
  /(?<=[)*_\]])\{(?:\s{0,3}(?:[.#][\w-]{1,60}|[\w-]{1,60}=(?:"[^"{}]{0,200}"|[^\s"{}]{1,200}))){1,10}\s{0,3}\}/g;
/** The same at the end of a block, behind a space: of the whole of it. A heading keeps its id. */
const ATTRIBUTES_OF_BLOCK =
  /^(?! {0,3}#)([^\n]*?)[ \t]{1,10}\{(?:\s{0,3}(?:\.[\w-]{1,60}|[\w-]{1,60}=(?:"[^"{}]{0,200}"|[^\s"{}]{1,200}))){1,10}\s{0,3}\}[ \t]*$/gm;
const LITERAL = /<(\w+)\b[^<>]*\sv-pre\b[^<>]*>/;

/** Puts what `{{ … }}` says in its place where that can be known, and the words of badges. */
export async function evaluateWords(markdown: string, source: WordSource): Promise<string> {
  const lines = markdown.split("\n");
  const out: string[] = [];
  let prose: string[] = [];
  const values = new Map<string, string>();
  const flush = async () => {
    if (prose.length > 0) out.push(await wordsOf(prose.join("\n"), source, values));
    prose = [];
  };
  for (let at = 0; at < lines.length; at++) {
    const code = codeAt(lines, at);
    if (code === undefined) {
      prose.push(lines[at] ?? "");
      continue;
    }
    await flush();
    out.push(...lines.slice(at, at + code.length));
    at += code.length - 1;
  }
  await flush();
  const unknown = [...values].filter(([, value]) => value === "").map(([expression]) => expression);
  if (unknown.length > 0)
    source.faults.push(
      `what it computes is left out: ${unknown
        .slice(0, 5)
        .map((each) => `{{ ${each} }}`)
        .join(", ")}`,
    );
  return out.join("\n").replaceAll(HIDDEN, "{{");
}

async function wordsOf(text: string, source: WordSource, values: Map<string, string>): Promise<string> {
  const badged = withoutComponents(text);
  if (!badged.includes("{{")) return badged;
  const literal = ([, name = ""]: RegExpExecArray) => `</${name}>`;
  const safe = replaceEnclosed(badged, LITERAL, literal, ({ whole }) => hideBraces(whole)).replace(
    /`[^`\n]+`\{v-pre\}/g,
    (code) => hideBraces(code.replace(/\{v-pre\}$/, "")),
  );
  const pieces: string[] = [];
  let at = 0;
  for (const { 0: whole, 1: inside = "", index } of safe.matchAll(EXPRESSION)) {
    const expression = inside.trim();
    if (!values.has(expression) && values.size < EXPRESSIONS_MAX)
      values.set(expression, await computedText(expression, source));
    pieces.push(safe.slice(at, index), values.get(expression) ?? "");
    at = index + whole.length;
  }
  return pieces.join("") + safe.slice(at);
}

/** Its components as their words, and without the attributes that Markdown is given in braces. */
function withoutComponents(text: string): string {
  if (!/[<{]/.test(text)) return text;
  return outsideCode(text, (prose) =>
    prose
      .replace(BADGE, (_, attributes: string, inside: string | undefined) => badgeWords(attributes, inside))
      .replace(COMPONENT, "")
      .replace(ATTRIBUTES, "")
      .replace(ATTRIBUTES_OF_BLOCK, "$1"),
  );
}

function badgeWords(attributes: string, inside: string | undefined): string {
  const words = /\stext\s*=\s*(?:"([^"]*)"|'([^']*)')/.exec(attributes);
  const label = (words?.[1] ?? words?.[2] ?? inside ?? "").replace(/^['"]|['"]$/g, "").trim();
  return label === "" ? "" : `(${label})`;
}

/** The value of an expression as text; "" where only a run would tell. */
async function computedText(expression: string, source: WordSource): Promise<string> {
  const given = `const $frontmatter = ${JSON.stringify(source.data)};\nconst $params = ${JSON.stringify(source.params ?? {})};`;
  const { value } = await source.readScript(`${source.script}\n${given}\nexport default (${expression});`);
  if (isComputed(value) || (typeof value !== "string" && typeof value !== "number")) return "";
  return String(value).replaceAll("<", "&lt;");
}
