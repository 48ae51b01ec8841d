import { codeSpan } from "@docent/kernel/text/write-markdown";
import { type Definition, writeDefinitions } from "../definition-list.ts";
import { classesOf, type HtmlElement, isElement, textOf, walkNodes } from "./dom.ts";
import { headingAnchor, withAnchor } from "./heading-anchor.ts";
import { placeOf, writeInline } from "./inline.ts";
import { type BlockPlace, type HtmlWriting, MAX_CONTAINERS } from "./writing.ts";

const MAX_HEADING_CHARACTERS = 300;

/**
 * Writes a definition list. A term with an anchor, such as a function, an option or a setting, becomes a
 * heading, because people search for it and want to be sent there. Others stay a list.
 */
export function writeDefinitionBlock(
  list: HtmlElement,
  place: BlockPlace,
  out: string[],
  writing: HtmlWriting,
): void {
  if (isList(list, place, writing)) {
    out.push(...writeDefinitions(readDefinitions(list, place, writing)));
    return;
  }
  const outerLevel = writing.headingLevel;
  const level = Math.min(6, outerLevel + 1);
  const signatures = isSignatureList(list);
  let afterTerm = false;
  for (const item of itemsOf(list)) {
    if (writing.survey.isNoise(item)) continue;
    if (item.tagName !== "dt") {
      writing.blocks(item.tagName === "dd" ? item.childNodes : [item], place, out);
      afterTerm = false;
      continue;
    }
    writing.headingLevel = outerLevel;
    const anchor = place.opensSections && !afterTerm ? headingAnchor(item, list, writing.survey) : undefined;
    const term = signatures
      ? signature(item, writing)
      : writeInline(item.childNodes, writing.survey, { plain: true, midLine: true });
    if (term === "") continue;
    if (anchor !== undefined && term.length <= MAX_HEADING_CHARACTERS && !term.includes("\n")) {
      const words = signatures
        ? term
        : writeInline(item.childNodes, writing.survey, { plain: true, unlinked: true, midLine: true });
      out.push(`${"#".repeat(level)} ${withAnchor(words, anchor)}`);
      writing.headingLevel = level;
    } else {
      // Of several terms with one description, the first is the heading; the others keep their places.
      out.push(placeOf(item, writing.survey) + (signatures ? term : strongLines(term)));
      if (afterTerm) writing.headingLevel = level;
    }
    afterTerm = true;
  }
  writing.headingLevel = outerLevel;
}

/** Whether nothing in a list is a section of the page, or code. */
function isList(list: HtmlElement, place: BlockPlace, { survey }: HtmlWriting): boolean {
  if (place.containers >= MAX_CONTAINERS || isSignatureList(list)) return false;
  if (!place.opensSections) return true;
  const isTarget = (item: HtmlElement) =>
    item.tagName === "dt" && headingAnchor(item, list, survey) !== undefined;
  return !survey.holdsHeading(list) && !itemsOf(list).some(isTarget);
}

function readDefinitions(list: HtmlElement, place: BlockPlace, writing: HtmlWriting): Definition[] {
  const { survey } = writing;
  const inside = { ...place, containers: place.containers + 1, opensSections: false };
  const definitions: { terms: string[]; blocks: string[] }[] = [];
  for (const item of itemsOf(list)) {
    if (survey.isNoise(item)) continue;
    const last = definitions.at(-1);
    if (item.tagName !== "dt") {
      const blocks = last?.blocks ?? [];
      writing.blocks(item.tagName === "dd" ? item.childNodes : [item], inside, blocks);
      if (last === undefined && blocks.length > 0) definitions.push({ terms: [], blocks });
      continue;
    }
    const words = writeInline(item.childNodes, survey, { plain: true, midLine: true });
    if (words === "") continue;
    const term = placeOf(item, survey) + words;
    if (last !== undefined && last.blocks.length === 0) last.terms.push(term);
    else definitions.push({ terms: [term], blocks: [] });
  }
  return definitions;
}

/** The terms and descriptions, including those in a `<div>` around each pair. */
function itemsOf(list: HtmlElement): HtmlElement[] {
  return list.childNodes
    .filter(isElement)
    .flatMap((child) => (child.tagName === "div" ? child.childNodes.filter(isElement) : [child]));
}

/** Whether Sphinx marks the list as a function's signature, which is code even where it does not look so. */
function isSignatureList(list: HtmlElement): boolean {
  return list.childNodes.some((child) => isElement(child) && child.tagName === "dt" && isSignature(child));
}

function isSignature(term: HtmlElement): boolean {
  if (classesOf(term).includes("sig")) return true;
  let found = false;
  walkNodes(term.childNodes, {
    enter(element) {
      found ||= classesOf(element).some((name) => name === "descname" || name === "sig-name");
      return !found;
    },
  });
  return found;
}

function signature(term: HtmlElement, { survey }: HtmlWriting): string {
  const text = textOf(term, survey.isNoise);
  return text === "" ? "" : codeSpan(text);
}

function strongLines(term: string): string {
  return term
    .split("\\\n")
    .map((line) => (attributeFree(line) ? `**${line}**` : line))
    .join("\\\n");
}

function attributeFree(line: string): boolean {
  return line !== "" && !line.includes("**");
}
