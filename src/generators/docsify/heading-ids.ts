import type { NameHeading, WrittenHeading } from "../writing/writing.ts";
import { readOptions } from "./options.ts";

const DROPPED = /[\u2000-\u206F\u2E00-\u2E7F\\'!"#$%&()*+,./:;<=>?@[\]^`{|}~]/g;
const EMOJI = /[\p{Emoji_Presentation}\p{Extended_Pictographic}]/gu;

/** What marks a heading that is in no list of headings. */
const IGNORED = /<!-- \{docsify-ignore(?:-all)?\} -->|\{docsify-ignore(?:-all)?\}/g;

/** Gives the headings of one page their ids, in order. Version 4 makes them of what is shown, 5 of what is written. */
export function createHeadingNames({ isOld }: { isOld: boolean }): NameHeading {
  const counts = new Map<string, number>();
  return (heading) => {
    const { options } = readOptions(heading.source);
    const id = options.get("id");
    const slug = isOld ? oldSlug(heading, id) : newSlug(heading, id);
    const count = counts.get(slug);
    counts.set(slug, count === undefined ? 0 : count + 1);
    return count === undefined ? slug : `${slug}-${count + 1}`;
  };
}

function newSlug({ source, given, isInTag }: WrittenHeading, id: string | true | undefined): string {
  if (id === true) return "";
  // Braces are no ids for Docsify.
  const written = id ?? (given === undefined || isInTag ? source : `${source} {#${given}}`);
  const linkless = written
    .trim()
    .normalize("NFC")
    .replace(/\[([^\]]+)\]\([^)]+\)/g, "$1");
  const plain = linkless.replaceAll("\uFE0F", "").replace(EMOJI, "");
  return withoutMarks(plain).replace(/^(\d)/, "_$1");
}

function oldSlug({ words }: WrittenHeading, id: string | true | undefined): string {
  if (id === true) return "";
  const written = id ?? escaped(readOptions(words).words.replace(IGNORED, ""));
  return withoutMarks(written.trim()).replace(/-+/g, "-").replace(/^(\d)/, "_$1");
}

const withoutMarks = (text: string) =>
  text
    .replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
    .replace(/<[^>]+>/g, "")
    .replace(DROPPED, "")
    .replace(/\s/g, "-");

const escaped = (words: string) =>
  words
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;");

/** A heading with its id, without what only says how it is listed. */
export function showHeading(line: string): string {
  const [, marks, source, id] = /^(#{1,6}) (.*) (\{#[^{}\s]*\})$/.exec(line) ?? [];
  if (marks === undefined || source === undefined) return line;
  return `${marks} ${readOptions(source).words.replace(IGNORED, "").trim()} ${id}`;
}
