import { letOthersRun } from "@docent/kernel/lib/event-loop";
import { UNKNOWN_ENTITY } from "../../../markdown/docbook/docbook.ts";
import type { Entity } from "./dtd.ts";
import { readProlog, withoutXmlDeclaration } from "./dtd.ts";

/** Stands around what another file holds: its name, or nothing where it ends. */
export const FILE_MARK = "docent-file";

/** What entities are expanded with. */
export interface EntityLookup {
  /** What an entity stands for; undefined where nobody declares it. */
  find(name: string): Promise<Entity | { kind: "characters"; text: string } | undefined>;
  /** A file that an entity names. */
  read(target: string, from: string): Promise<{ location: string; text: string } | undefined>;
}

/** How much entities may come to. */
interface ExpandBounds {
  charactersMax: number;
  expansionsMax: number;
}

/** A document whose entities come to more is an attack, or a mistake. */
export class TooMuchExpanded extends Error {}

const DEPTH_MAX = 32;
const PREDEFINED = new Set(["amp", "lt", "gt", "quot", "apos"]);
const REFERENCE = /&([\p{L}_:][\p{L}\p{N}_:.-]{0,300});/uy;
const NUMBER = /&#(?:\d{1,7}|[xX][\da-fA-F]{1,6});/y;

interface Expansion {
  lookup: EntityLookup;
  bounds: ExpandBounds;
  parts: string[];
  characters: number;
  expansions: number;
  /** The entities that are being expanded. */
  open: string[];
}

/** The text of a document with all that its entities stand for in it. */
export async function expandEntities(
  text: string,
  lookup: EntityLookup,
  bounds: ExpandBounds,
): Promise<string> {
  const expansion: Expansion = { lookup, bounds, parts: [], characters: 0, expansions: 0, open: [] };
  await expandContent(text, expansion);
  return expansion.parts.join("");
}

function put(expansion: Expansion, text: string): void {
  expansion.characters += text.length;
  if (expansion.characters > expansion.bounds.charactersMax)
    throw new TooMuchExpanded(
      `comes to more than ${expansion.bounds.charactersMax} characters with its entities`,
    );
  expansion.parts.push(text);
}

/** Where a tag ends, past `>` in its attributes. */
function endOfTag(text: string, from: number): number {
  for (let at = from; at < text.length; at++) {
    const character = text.charAt(at);
    if (character === ">") return at + 1;
    if (character === '"' || character === "'") {
      const end = text.indexOf(character, at + 1);
      if (end < 0) return text.length;
      at = end;
    }
  }
  return text.length;
}

const closed = (text: string, close: string, at: number) => {
  const end = text.indexOf(close, at);
  return end < 0 ? text.length : end + close.length;
};

async function expandContent(text: string, expansion: Expansion): Promise<void> {
  if (!text.includes("&")) return put(expansion, text);
  let start = 0;
  let at = 0;
  while (at < text.length) {
    const next = nextOf(text, at);
    if (next === text.length) break;
    at = next;
    if (text.charAt(at) === "<") {
      if (text.startsWith("<!--", at)) at = closed(text, "-->", at + 4);
      else if (text.startsWith("<![CDATA[", at)) at = closed(text, "]]>", at);
      else if (text.startsWith("<?", at)) at = closed(text, "?>", at);
      else {
        const end = endOfTag(text, at + 1);
        const tag = text.slice(at, end);
        if (tag.includes("&")) {
          put(expansion, text.slice(start, at));
          put(expansion, await expandTag(tag, expansion));
          start = end;
        }
        at = end;
      }
      continue;
    }
    const name = referenceAt(text, at);
    if (name === undefined || PREDEFINED.has(name)) {
      // A sign that begins no reference is a sign.
      NUMBER.lastIndex = at;
      if (name === undefined && !NUMBER.test(text)) {
        put(expansion, `${text.slice(start, at)}&amp;`);
        start = at + 1;
      }
      at += 1;
      continue;
    }
    put(expansion, text.slice(start, at));
    await expandReference(name, expansion);
    at += name.length + 2;
    start = at;
  }
  put(expansion, text.slice(start));
}

/** The next sign that may begin something. */
function nextOf(text: string, at: number): number {
  for (let here = at; here < text.length; here++) {
    const code = text.charCodeAt(here);
    if (code === 38 || code === 60) return here;
  }
  return text.length;
}

function referenceAt(text: string, at: number): string | undefined {
  REFERENCE.lastIndex = at;
  return REFERENCE.exec(text)?.[1];
}

const LET_RUN_AFTER = 2_000;

async function count(expansion: Expansion): Promise<void> {
  expansion.expansions += 1;
  if (expansion.expansions > expansion.bounds.expansionsMax)
    throw new TooMuchExpanded(`names entities more than ${expansion.bounds.expansionsMax} times`);
  if (expansion.expansions % LET_RUN_AFTER === 0) await letOthersRun();
}

async function expandReference(name: string, expansion: Expansion): Promise<void> {
  const { lookup, open } = expansion;
  await count(expansion);
  const entity = await lookup.find(name);
  if (entity?.kind === "characters") return put(expansion, escaped(entity.text));
  if (entity === undefined || open.includes(name) || open.length >= DEPTH_MAX) {
    put(expansion, `<?${UNKNOWN_ENTITY} ${name}?>`);
    return;
  }
  open.push(name);
  if (entity.kind === "text") await expandContent(entity.text, expansion);
  else {
    const file = await lookup.read(entity.target, entity.from);
    if (file === undefined) put(expansion, `<?${UNKNOWN_ENTITY} ${name}?>`);
    else {
      const text = withoutXmlDeclaration(file.text);
      put(expansion, `<?${FILE_MARK} ${file.location.replaceAll("?>", "")}?>`);
      await expandContent(text.slice(readProlog(text).end), expansion);
      put(expansion, `<?${FILE_MARK}?>`);
    }
  }
  open.pop();
}

const escaped = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

/** In attributes, entities are words. */
async function expandTag(tag: string, expansion: Expansion, depth = 0): Promise<string> {
  const parts: string[] = [];
  let start = 0;
  for (let at = tag.indexOf("&"); at >= 0; at = tag.indexOf("&", at + 1)) {
    const name = referenceAt(tag, at);
    if (name === undefined) {
      NUMBER.lastIndex = at;
      // `?a=1&b=2` is written so by many.
      if (!NUMBER.test(tag)) {
        parts.push(`${tag.slice(start, at)}&amp;`);
        start = at + 1;
      }
      continue;
    }
    if (PREDEFINED.has(name)) continue;
    parts.push(tag.slice(start, at), await wordsOf(name, expansion, depth));
    start = at + name.length + 2;
  }
  parts.push(tag.slice(start));
  return parts.join("");
}

async function wordsOf(name: string, expansion: Expansion, depth: number): Promise<string> {
  await count(expansion);
  const entity = await expansion.lookup.find(name);
  if (entity === undefined || entity.kind === "file" || depth > DEPTH_MAX) return name;
  if (entity.kind === "characters")
    return escaped(entity.text).replaceAll('"', "&quot;").replaceAll("'", "&apos;");
  const text = entity.text.replaceAll("<", "&lt;").replaceAll('"', "&quot;").replaceAll("'", "&apos;");
  const words = await expandTag(text, expansion, depth + 1);
  if (words.length > expansion.bounds.charactersMax)
    throw new TooMuchExpanded(
      `comes to more than ${expansion.bounds.charactersMax} characters with its entities`,
    );
  return words;
}
