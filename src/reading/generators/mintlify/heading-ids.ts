import { placeMark, slug } from "../../markdown/anchors.ts";
import { inlineText } from "../../markdown/plain-text.ts";
import { withoutFilled } from "./filled-words.ts";

/** Gives the headings of one page their ids, in order. */
export interface HeadingIds {
  /** The id of a heading that is written as Markdown. In folded parts numbers are counted apart. */
  ofHeading(source: string, isFolded: boolean): string;
  /** The id of anything else that has a title, or of a heading whose author chose an id. */
  ofTitle(source: string, given?: string): string;
}

export function createHeadingIds(): HeadingIds {
  const countHeading = createCounter();
  const seen = new Map<string, number>();

  function claim(id: string): string {
    const count = seen.get(id) ?? 0;
    seen.set(id, count + 1);
    if (count === 0) return id;
    let number = count + 1;
    while (seen.has(`${id}-${number}`)) number += 1;
    seen.set(`${id}-${number}`, 1);
    return `${id}-${number}`;
  }

  return {
    ofHeading(source, isFolded) {
      const id = countHeading(slugOf(source));
      return isFolded ? id : claim(id);
    },
    ofTitle(source, given) {
      const chosen = given === undefined ? "" : cleanId(given);
      return claim(chosen === "" ? slugOf(source) : chosen);
    },
  };
}

/** Counts as `slugifyWithCounter` of @sindresorhus/slugify does, numbers at the end of words being its own. */
function createCounter(): (slug: string) => string {
  const counts = new Map<string, number>();
  return (written) => {
    if (written === "") return "";
    const key = written.toLowerCase();
    const numberless = counts.get(key.replace(/(?:-\d+)+$/, "")) ?? 0;
    const known = counts.get(key);
    const count = known === undefined ? 1 : known + 1;
    counts.set(key, count);
    return count >= 2 || numberless > 2 ? `${written}-${count}` : written;
  };
}

/** Marks that an id loses, whoever made it. */
const DROPPED = /[<>"&?,;:!'()[\]{}]/g;
const EMOJI =
  /\p{Emoji_Modifier}|\p{Emoji_Modifier_Base}|\p{Emoji_Presentation}|\p{Extended_Pictographic}|[\u200D\uFE0E\uFE0F]/gu;

const cleanId = (id: string) => id.trim().replace(DROPPED, "").replace(EMOJI, "").replace(/\s+/g, "-");

/** The id that words make: their dashes, dots and quotes are typographic before that, but not in code. */
function slugOf(source: string): string {
  const plain = withoutFilled(source)
    .replace(/<\/?[A-Za-z][^<>]*>/g, "")
    .replace(/(`+)[^`]*\1|\{[^{}]*\}|-{2,}|\.{3}/g, (found) => {
      // Code keeps its own marks, and "don't" in it only loses one.
      if (found.startsWith("`")) return found.replace(/'(?=[ts]\b)/g, "");
      if (found.startsWith("{")) return "";
      if (found.startsWith(".")) return "…";
      return found.length === 2 ? "—" : found;
    });
  return slug(inlineText(plain).trim(), "mintlify");
}

const TAG =
  /^([ \t]*)<(ParamField|ResponseField|Accordion|Tab|Step)\b((?:[^<>"'{]|"[^"]{0,1000}"|'[^']{0,1000}'|\{[^{}]{0,1000}\}){0,200})/;
const NAME = /\s(?:name|path|query|body|header|title)=(?:"([^"]*)"|'([^']*)')/;

/**
 * The line that marks what a tag at the beginning of a line has an id for: a parameter, or a part with a title. An id of
 * the tag's own is marked anyway.
 */
export function placeOfLine(line: string): string | undefined {
  const [, indent = "", tag = "", attributes = ""] = line.includes("<") ? (TAG.exec(line) ?? []) : [];
  const [, double, single] = NAME.exec(attributes) ?? [];
  const name = double ?? single ?? "";
  if (tag === "" || name === "" || /\sid=/.test(attributes)) return undefined;
  const marks = idsOf(tag, name).map(placeMark).join("");
  return marks === "" ? undefined : indent + marks;
}

/** Sites put what a field is before its id, in one way or another; components that are used alone have the bare one. */
function idsOf(tag: string, name: string): string[] {
  if (!tag.endsWith("Field")) return [slugOf(name)];
  const bare = parameterSlug(name);
  const prefixes = tag === "ParamField" ? ["param-", ""] : ["param-", "response-", ""];
  return bare === "" ? [] : prefixes.map((prefix) => prefix + bare);
}

/** `thumbnailsBackground`, `thumbnails.background` and `thumbnails_background` are all `thumbnails-background`. */
const parameterSlug = (name: string) =>
  name
    .normalize("NFKD")
    .replace(/([A-Z]{2,})(\d+)/g, "$1 $2")
    .replace(/([a-z\d]+)([A-Z]{2,})/g, "$1 $2")
    .replace(/([a-z\d])([A-Z])/g, "$1 $2")
    .replace(/([A-Z]+)([A-Z][a-rt-z\d]+)/g, "$1 $2")
    .toLowerCase()
    .replace(/[^a-z\d]+/g, "-")
    .replace(/^-|-$/g, "");
