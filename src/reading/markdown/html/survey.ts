import { type HtmlElement, idOf, parentOf, walkNodes } from "./dom.ts";
import { isHeading, isNoise } from "./noise.ts";
import type { Tabs } from "./tabs.ts";

const BLOCKS = new Set(
  (
    "address article aside blockquote body center dd details dialog dir div dl dt fieldset figcaption figure footer form " +
    "h1 h2 h3 h4 h5 h6 header hgroup hr html legend li main menu nav ol p pre search section summary table tbody td tfoot " +
    "th thead tr ul caption colgroup col"
  ).split(" "),
);

/** The characters of an element's words, and of those inside links. */
interface Weight {
  words: number;
  linked: number;
}

/** Facts about every element for later steps, gathered in one walk. */
export interface Survey {
  isNoise(element: HtmlElement): boolean;
  /** Whether an element is a block, by its name or because it contains one. */
  isBlock(element: HtmlElement): boolean;
  weightOf(element: HtmlElement): Weight;
  /** Whether images are written as such: their files can be had. */
  keepsImages: boolean;
  /** Whether places that links lead to, and that are no headings, are marked. */
  keepsPlaces: boolean;
  /** Whether it contains a heading with an anchor. */
  holdsHeading(element: HtmlElement): boolean;
  /** Whether it contains something that no cell of a Markdown table can hold. */
  holdsUntabular(element: HtmlElement): boolean;
  /** The id of an empty `<a>` or `<span>` right before a heading or term. */
  targetBefore(element: HtmlElement): string | undefined;
}

/** Examines every element of a page once. */
export function survey(
  root: HtmlElement,
  { labels }: Tabs,
  { keepsImages = false, keepsPlaces = false } = {},
): Survey {
  const noise = new Set<HtmlElement>();
  const holdsBlock = new Set<HtmlElement>();
  const holdsHeading = new Set<HtmlElement>();
  const holdsUntabular = new Set<HtmlElement>();
  const weights = new Map<HtmlElement, Weight>();
  const open: Weight[] = [{ words: 0, linked: 0 }];
  const targets = new Map<HtmlElement, string>();
  let target: string | undefined;
  let links = 0;
  let codes = 0;
  walkNodes([root], {
    text(value) {
      const weight = open.at(-1);
      if (weight === undefined) return;
      const characters = wordCharacters(value);
      weight.words += characters;
      if (characters > 0) target = undefined;
      if (links > 0) weight.linked += characters;
    },
    enter(element) {
      if (isNoise(element) || labels.has(element)) {
        noise.add(element);
        return false;
      }
      if (element.tagName === "a") links += 1;
      if (/^(?:a|span)$/.test(element.tagName)) target = idOf(element) ?? target;
      if (target !== undefined && /^(?:h[1-6]|dt)$/.test(element.tagName)) targets.set(element, target);
      if (BLOCKS.has(element.tagName)) markHolders(element, holdsBlock);
      if (opensSection(element)) markHolders(element, holdsHeading);
      // Nested code belongs to the outer block, which was examined already.
      if (codes === 0 && isUntabular(element)) markHolders(element, holdsUntabular);
      if (element.tagName === "pre") codes += 1;
      open.push({ words: 0, linked: 0 });
      return true;
    },
    leave(element) {
      if (element.tagName === "a") links -= 1;
      if (element.tagName === "pre") codes -= 1;
      const weight = open.pop() ?? { words: 0, linked: 0 };
      weights.set(element, weight);
      addWeight(open.at(-1), weight);
    },
  });
  return {
    keepsImages,
    keepsPlaces,
    isNoise: (element) => noise.has(element),
    isBlock: (element) => BLOCKS.has(element.tagName) || holdsBlock.has(element),
    weightOf: (element) => weights.get(element) ?? { words: 0, linked: 0 },
    holdsHeading: (element) => holdsHeading.has(element),
    holdsUntabular: (element) => holdsUntabular.has(element),
    targetBefore: (element) => targets.get(element),
  };
}

function addWeight(outer: Weight | undefined, { words, linked }: Weight): void {
  if (outer === undefined) return;
  outer.words += words;
  outer.linked += linked;
}

function markHolders(block: HtmlElement, holders: Set<HtmlElement>): void {
  for (let outer = parentOf(block); outer && !holders.has(outer); outer = parentOf(outer)) holders.add(outer);
}

function wordCharacters(text: string): number {
  let count = 0;
  for (let index = 0; index < text.length; index++) if (text.charCodeAt(index) > 0x20) count += 1;
  return count;
}

function opensSection(element: HtmlElement): boolean {
  if (!/^h[2-4]$/.test(element.tagName)) return false;
  const outer = parentOf(element);
  return idOf(element) !== undefined || (outer?.tagName === "section" && idOf(outer) !== undefined);
}

function isUntabular(element: HtmlElement): boolean {
  if (element.tagName !== "pre") return element.tagName === "table" || isHeading(element);
  const [first, ...others] = lines(element);
  return first !== undefined && others.length > 0;
}

/** The lines of code that contain words. */
function lines(pre: HtmlElement): string[] {
  const parts: string[] = [];
  walkNodes(pre.childNodes, {
    text: (value) => void parts.push(value),
    enter: (element) => element.tagName !== "br" || parts.push("\n") > 0,
  });
  return parts
    .join("")
    .split("\n")
    .filter((line) => line.trim() !== "");
}
