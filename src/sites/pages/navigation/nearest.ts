import type { NavigationNode } from "./node.ts";

const NEAREST_MAX = 5;
/** Comparing letters takes time: of more pages, only those that have the beginning of a word in common are compared. */
const COMPARED_MAX = 2000;
const BEGINNING_CHARACTERS = 4;
const PATH_CHARACTERS_MAX = 200;
/** From 0 to 1: below it, paths have only their language in common. */
const LIKENESS_MIN = 0.45;
const NAME_WEIGHT = 0.7;

/**
 * The pages that somebody may have meant who asked for a path at which there is none: first those of the same name in
 * other folders, as pages are moved, then those whose name or title is written alike.
 */
export function nearestPages(pages: readonly NavigationNode[], path: string): NavigationNode[] {
  const asked = wordsOf(path.slice(-PATH_CHARACTERS_MAX));
  const name = lastOf(asked);
  if (name === "") return [];
  const namesakes = pages.filter((page) => lastOf(wordsOf(page.path)) === name).slice(0, NEAREST_MAX);
  if (namesakes.length === NEAREST_MAX) return namesakes;
  const letters = { name: pairsOf(name), path: pairsOf(asked) };
  const alike = candidatesFor(pages, name)
    .filter((page) => !namesakes.includes(page))
    .map((page) => ({ page, likeness: likenessOf(page, letters) }))
    .filter(({ likeness }) => likeness >= LIKENESS_MIN)
    .toSorted((a, b) => b.likeness - a.likeness);
  return [...namesakes, ...alike.map(({ page }) => page)].slice(0, NEAREST_MAX);
}

function candidatesFor(pages: readonly NavigationNode[], name: string): readonly NavigationNode[] {
  if (pages.length <= COMPARED_MAX) return pages;
  const beginnings = name.split(" ").map((word) => word.slice(0, BEGINNING_CHARACTERS));
  const sharing = pages.filter(({ path }) => beginnings.some((part) => path.toLowerCase().includes(part)));
  return sharing.slice(0, COMPARED_MAX);
}

interface Letters {
  name: ReadonlySet<string>;
  path: ReadonlySet<string>;
}

function likenessOf({ path, title }: NavigationNode, asked: Letters): number {
  const words = wordsOf(path.slice(-PATH_CHARACTERS_MAX));
  const byName = shareOf(pairsOf(lastOf(words)), asked.name);
  const byTitle = shareOf(pairsOf(title.slice(0, PATH_CHARACTERS_MAX).toLowerCase()), asked.name);
  return NAME_WEIGHT * Math.max(byName, byTitle) + (1 - NAME_WEIGHT) * shareOf(pairsOf(words), asked.path);
}

/** A path in small letters, its words apart; what names a file of the page's folder is left out. */
const wordsOf = (path: string) =>
  path
    .toLowerCase()
    .replace(/\.(?:html?|mdx?|rst|adoc)$/, "")
    .replace(/\/(?:index|readme)$/, "")
    .replace(/[-_.\s]+/g, " ");

const lastOf = (words: string) => words.slice(words.lastIndexOf("/") + 1).trim();

/** The neighbouring letters of a text, by which texts that are written alike are told from others. */
function pairsOf(text: string): ReadonlySet<string> {
  const pairs = new Set<string>();
  const whole = ` ${text} `;
  for (let at = 0; at < whole.length - 1; at++) pairs.add(whole.slice(at, at + 2));
  return pairs;
}

/** How much of two sets is in both, from 0 to 1. */
function shareOf(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  let both = 0;
  for (const pair of one) if (other.has(pair)) both++;
  return (2 * both) / (one.size + other.size);
}
