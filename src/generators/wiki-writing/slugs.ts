import { createFreeNames } from "../../text/words-of-name.ts";

const PART_CHARACTERS_MAX = 100;

/** A title as a part of an address: letters of all scripts, digits, and dashes for all else. "" where it has none of them. */
export const slugOf = (title: string): string =>
  title
    .normalize("NFC")
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, "-")
    .replace(/^-/, "")
    .slice(0, PART_CHARACTERS_MAX)
    .toWellFormed()
    .replace(/[-\uFFFD]$/, "");

/** Gives pages their paths, one after the other: `id` tells apart those that would have the same. */
export type NamePath = (titles: readonly string[], id: string) => string;

export function createPaths(): NamePath {
  const taken = new Set<string>([""]);
  const free = createFreeNames(taken);
  return (titles, id) => {
    const path = titles.map((title) => slugOf(title) || slugOf(id) || "page").join("/");
    // A page called so would be taken for that of its folder.
    const isFree = !taken.has(path) && !/(?:^|\/)index$/.test(path);
    const stem = isFree ? path : `${path}-${slugOf(id) || "page"}`;
    return free(stem);
  };
}
