import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { CheckedDocs, CheckedPage } from "./checked-docs.ts";
import type { Found } from "./finding.ts";

/** The pages that are called by their file's name alone. */
export async function findUntitled({ pages, folder }: CheckedDocs, signal: AbortSignal): Promise<Found[]> {
  const found: Found[] = [];
  for (const { file, title } of pages.filter(isCalledByItsName)) {
    signal.throwIfAborted();
    const text = await readFile(join(folder, file), "utf8").catch(() => "");
    // The name may be what its author chose as the title.
    if (GIVEN.test(text.slice(0, HEAD_CHARACTERS))) continue;
    found.push({
      rule: "missing-title",
      file,
      key: "",
      line: 1,
      message: `The page has no title: its file's name, "${title}", stands in for it. Begin it with a heading of the first level, or give it a title in its front matter.`,
    });
  }
  return found;
}

const GIVEN =
  /^\s{0,8}"?(?:title|sidebarTitle|sidebar_label|linkTitle|nav_title)"?\s*[:=]|<title|<h1|^:?=+ \S|^=head1 +name\b|^#\+title:/im;
const HEAD_CHARACTERS = 20_000;
/** A manual page is called by its name and section, and no title would be better. */
const MANUAL = /\.[1-9][a-z0-9+]{0,12}(?:\.gz)?$/i;
/** HTML without a heading is a part of other pages. */
const PART = /\.html?$/i;

function isCalledByItsName({ path, title, file, headings }: CheckedPage): boolean {
  if (headings.some(({ level, words }) => level === 1 && words !== "")) return false;
  if (MANUAL.test(file)) return false;
  if (PART.test(file) && headings.length === 0) return false;
  return (
    letters(title) ===
    letters(
      path
        .replace(/\.html$/, "")
        .split("/")
        .at(-1) || "Home",
    )
  );
}

const letters = (name: string) => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
