import { escapeDestination, escapeLabel } from "@docent/kernel/text/write-markdown";
import { placeMark } from "../anchors.ts";
import { bodyOf, writeBlocks } from "./blocks.ts";
import {
  childNamed,
  childrenNamed,
  type DocbookElement,
  descendantNamed,
  elementsOf,
  idOf,
  infoOf,
  lineOf,
  titleOf,
} from "./element.ts";
import { nameOf, writeInline } from "./inline.ts";
import { type DocbookPage, ownContent } from "./pages.ts";
import type { DocbookLinks, DocbookWriting } from "./writing.ts";

export {
  type DocbookElement,
  type DocbookNode,
  elementsOf,
  idOf,
  isElement,
  languageOf,
  UNKNOWN_ENTITY,
} from "./element.ts";
export { generatedWords } from "./labels.ts";
export { type CutDocument, cutDocument, type DocbookPage, PAGE_ROOTS, textOfPage } from "./pages.ts";
export type { DocbookTarget } from "./writing.ts";

/** A page of DocBook as Markdown. */
interface WrittenDocbook {
  /** As Markdown. */
  title: string;
  description: string | undefined;
  markdown: string;
  faults: string[];
}

/** What `hrefOf` says of a page below this one, for the list of them. */
export interface DocbookPageLinks extends DocbookLinks {
  hrefOf(page: DocbookPage): string;
}

const NOTES_MAX = 5_000;
const FAULTS_NAMED = 10;

/** Writes one of the pages that a document is cut into. */
export function writeDocbookPage(page: DocbookPage, links: DocbookPageLinks): WrittenDocbook {
  const writing: DocbookWriting = {
    links,
    notes: new Map(),
    missing: { ids: new Set(), entities: new Set() },
    blocks: (nodes, place, out) => writeBlocks(nodes, place, out, writing),
  };
  const { element } = page;
  const out: string[] = [];
  const title = titleOf(element);
  const marks = [idOf(element), title === undefined ? undefined : idOf(title)].flatMap((id) =>
    id === undefined ? [] : [placeMark(id)],
  );
  const subtitle = childNamed(element, "subtitle") ?? childNamed(infoOf(element) ?? element, "subtitle");
  if (subtitle !== undefined)
    out.push(`**${writeInline(subtitle.children, writing, { isTitle: true, midLine: true })}**`);
  writeInfo(element, out, writing);
  const own = new Set(ownContent(page));
  const body = bodyOf(element).filter((node) => own.has(node));
  writing.blocks(body, { level: 2, nested: 0 }, out);
  writeChildren(page, links, out);
  writeNotes(writing, out);
  const mark = marks.join("");
  const markdown = [...(mark === "" ? [] : [mark]), ...out].join("\n\n");
  return {
    title:
      title === undefined
        ? page.title
        : writeInline(title.children, writing, { isTitle: true, midLine: true }),
    description: descriptionOf(element),
    markdown,
    faults: faultsOf(writing),
  };
}

/** What a book says of itself: who wrote it, when, and what it is about. */
function writeInfo(element: DocbookElement, out: string[], writing: DocbookWriting): void {
  const info = infoOf(element);
  // Of a manual page, the stylesheets show none of it.
  if (info === undefined || element.name === "refentry") return;
  const people = elementsOf(info).flatMap((part) =>
    part.name === "authorgroup"
      ? elementsOf(part)
      : /^(?:author|editor|othercredit|corpauthor)$/.test(part.name)
        ? [part]
        : [],
  );
  const names = people
    .filter(({ name }) => /^(?:author|editor|othercredit|corpauthor)$/.test(name))
    .map(nameOf)
    .filter((name) => name !== "");
  if (names.length > 0) out.push(writeInline([names.join(", ")], writing));
  const facts = childrenNamed(info, "edition", "releaseinfo", "pubdate", "date").map((part) =>
    writeInline(part.children, writing),
  );
  const said = facts.filter((fact) => fact !== "");
  if (said.length > 0) out.push(said.join("\\\n"));
  for (const copyright of childrenNamed(info, "copyright")) {
    const years = childrenNamed(copyright, "year").map(lineOf).join(", ");
    const holders = childrenNamed(copyright, "holder").map(lineOf).join(", ");
    out.push(writeInline([`Copyright © ${years} ${holders}`], writing));
  }
  const place = { level: 2, nested: 0 };
  writing.blocks(childrenNamed(info, "abstract", "legalnotice", "revhistory", "mediaobject"), place, out);
}

/** The pages below one, as the stylesheets list them. */
function writeChildren(page: DocbookPage, links: DocbookPageLinks, out: string[]): void {
  const items = page.children.flatMap((child) =>
    child.title === "" ? [] : [`- [${escapeLabel(child.title)}](${escapeDestination(links.hrefOf(child))})`],
  );
  if (items.length > 0) out.push(items.join("\n"));
}

/** Footnotes: one may name the next. */
function writeNotes(writing: DocbookWriting, out: string[]): void {
  // What is added while they are written is written as well.
  for (const [note, number] of writing.notes) {
    if (number > NOTES_MAX) break;
    const words = writeInline(note.children, writing, { midLine: true }).replace(/(?<!\s)\s*\\?\n\s*/g, " ");
    out.push(`[^${number}]: ${words === "" ? "–" : words}`);
  }
}

const DESCRIPTION_MAX = 300;

/** The purpose of a manual page, or the abstract of a document. */
function descriptionOf(element: DocbookElement): string | undefined {
  const names = childNamed(element, "refnamediv");
  const info = infoOf(element);
  const found = (names && childNamed(names, "refpurpose")) ?? (info && descendantNamed(info, "abstract"));
  const words = found === undefined ? "" : lineOf(found);
  return words === "" || words.length > DESCRIPTION_MAX ? undefined : words;
}

function faultsOf({ missing }: DocbookWriting): string[] {
  const named = (names: ReadonlySet<string>) => {
    const some = [...names].slice(0, FAULTS_NAMED).join(", ");
    return names.size > FAULTS_NAMED ? `${some} and ${names.size - FAULTS_NAMED} more` : some;
  };
  return [
    ...(missing.ids.size > 0 ? [`links to ids that nothing in the source has: ${named(missing.ids)}`] : []),
    ...(missing.entities.size > 0
      ? [`names entities that nothing in the source declares: ${named(missing.entities)}`]
      : []),
  ];
}
