import { placeMark } from "../anchors.ts";
import { writeDefinitions } from "../definition-list.ts";
import { prefixLines } from "../rst/rst.ts";
import {
  attributeOf,
  childNamed,
  childrenNamed,
  type DocbookElement,
  type DocbookNode,
  elementsOf,
  idOf,
  isElement,
  titleOf,
} from "./element.ts";
import { placedAt, writeHeading } from "./headings.ts";
import { writeInline } from "./inline.ts";
import { calloutNumber } from "./labels.ts";
import { type BlockPlace, type BlockWriter, type DocbookWriting, inside, NESTED_MAX } from "./writing.ts";

/** Writes a title as strong words. */
export function writeStrongTitle(element: DocbookElement, out: string[], writing: DocbookWriting): void {
  const title = titleOf(element);
  if (title === undefined) return;
  const words = writeInline(title.children, writing, { isTitle: true, midLine: true }).replace(
    /(?<!\s)\s*\\?\n\s*/g,
    " ",
  );
  if (words === "") return;
  const id = idOf(title);
  out.push(`${id === undefined ? "" : placeMark(id)}**${words.replaceAll("**", "")}**`);
}

/** An item with the mark in front of it, and what is in it below its words. */
export function itemOf(mark: string, blocks: readonly string[]): string {
  const [first = "", ...rest] = blocks;
  const text = rest.reduce((above, block) => {
    const isClose = /^(?:- |\d+\. )/.test(block) && !block.includes("\n\n") && !above.includes("\n\n");
    return above + (isClose ? "\n" : "\n\n") + block;
  }, first);
  return `${mark}${prefixLines(text, " ".repeat(mark.length)).trimStart()}`.trimEnd();
}

export const joined = (items: readonly string[]) =>
  items.join(items.some((item) => item.includes("\n\n")) ? "\n\n" : "\n");

/** The blocks of an element, with the place that it is. */
function blocksOf(
  element: DocbookElement,
  place: BlockPlace,
  writing: DocbookWriting,
  nodes: readonly DocbookNode[] = element.children,
): readonly string[] {
  const blocks: string[] = [];
  writing.blocks(nodes, place, blocks);
  const id = idOf(element);
  return placedAt(id, blocks);
}

/** What stands in a list before its items: a title, an introduction. */
function writeAbove(
  element: DocbookElement,
  items: ReadonlySet<DocbookElement>,
  place: BlockPlace,
  out: string[],
  writing: DocbookWriting,
): void {
  writeStrongTitle(element, out, writing);
  const above = element.children.filter(
    (node) => isElement(node) && !items.has(node) && node.name !== "title",
  );
  writing.blocks(above, place, out);
}

function writeItems(
  element: DocbookElement,
  items: readonly DocbookElement[],
  markOf: (item: DocbookElement, index: number) => string,
  place: BlockPlace,
  out: string[],
  writing: DocbookWriting,
): void {
  writeAbove(element, new Set(items), place, out, writing);
  if (place.nested >= NESTED_MAX) {
    for (const item of items) out.push(...blocksOf(item, place, writing));
    return;
  }
  const within = inside(place);
  const written = items.flatMap((item, index) => {
    const blocks = blocksOf(item, within, writing);
    return blocks.length === 0 ? [] : [itemOf(markOf(item, index), blocks)];
  });
  if (written.length > 0) out.push(joined(written));
}

export const writeItemizedList: BlockWriter = (element, place, out, writing) =>
  writeItems(element, childrenNamed(element, "listitem"), () => "- ", place, out, writing);

export const writeOrderedList: BlockWriter = (element, place, out, writing) => {
  const items = childrenNamed(element, "listitem");
  const start = startOf(element);
  let number = start - 1;
  writeItems(
    element,
    items,
    (item) => {
      number = Number(attributeOf(item, "override")) || number + 1;
      return `${number}. `;
    },
    place,
    out,
    writing,
  );
};

/** Lists that go on and on are counted so far. */
const LISTS_MAX = 200;

/** A list may go on where the one before it ended. */
function startOf(element: DocbookElement): number {
  const own = Number(attributeOf(element, "startingnumber"));
  if (Number.isInteger(own) && own > 0) return own;
  if (attributeOf(element, "continuation") !== "continues") return 1;
  let number = 1;
  const siblings =
    element.parent === undefined ? [] : childrenNamed(element.parent, "orderedlist").slice(0, LISTS_MAX);
  for (const list of siblings) {
    if (list === element) break;
    const count = childrenNamed(list, "listitem").length;
    number = attributeOf(list, "continuation") === "continues" ? number + count : count + 1;
  }
  return number;
}

/** Steps of a procedure; one step alone has no number. */
export const writeProcedure: BlockWriter = (element, place, out, writing) => {
  const steps = childrenNamed(element, "step");
  const mark = (_: DocbookElement, index: number) =>
    steps.length === 1 || element.name === "stepalternatives" ? "- " : `${index + 1}. `;
  writeItems(element, steps, mark, place, out, writing);
};

export const writeStep: BlockWriter = (element, place, out, writing) => {
  writeStrongTitle(element, out, writing);
  writing.blocks(
    element.children.filter((node) => !isElement(node) || node.name !== "title"),
    place,
    out,
  );
};

export const writeCalloutList: BlockWriter = (element, place, out, writing) =>
  writeItems(element, childrenNamed(element, "callout"), numberOfCallout(writing), place, out, writing);

const numberOfCallout = (writing: DocbookWriting) => (item: DocbookElement, index: number) => {
  const [first] = (attributeOf(item, "arearefs") ?? "").split(/\s+/);
  const area = first === undefined || first === "" ? undefined : writing.links.find(first)?.element;
  return `${area === undefined ? index + 1 : calloutNumber(area)}. `;
};

export const writeSimpleList: BlockWriter = (element, place, out, writing) => {
  const members = childrenNamed(element, "member");
  if (attributeOf(element, "type") === "inline") {
    const words = members.map((member) => writeInline(member.children, writing, { midLine: true }));
    out.push(words.filter((each) => each !== "").join(", "));
  } else writeItems(element, members, () => "- ", place, out, writing);
};

export const writeSegmentedList: BlockWriter = (element, _, out, writing) => {
  writeStrongTitle(element, out, writing);
  const titles = childrenNamed(element, "segtitle").map((title) =>
    writeInline(title.children, writing, { isTitle: true, midLine: true }),
  );
  const items = childrenNamed(element, "seglistitem").map((item) =>
    childrenNamed(item, "seg")
      .map((seg, index) => {
        const title = titles[index] ?? "";
        const words = writeInline(seg.children, writing, { midLine: true });
        return title === "" ? words : `**${title}**: ${words}`;
      })
      .join("\\\n"),
  );
  if (items.length > 0) out.push(joined(items.map((item) => itemOf("- ", [item]))));
};

const TERM_CHARACTERS_MAX = 300;

/**
 * Terms with what they mean. One that links lead to becomes a heading, where headings may stand: people search for it. The
 * others stay a list.
 */
function writeTerms(
  entries: readonly {
    element: DocbookElement;
    terms: readonly DocbookElement[];
    nodes: readonly DocbookNode[];
  }[],
  place: BlockPlace,
  out: string[],
  writing: DocbookWriting,
): void {
  let waiting: { terms: string[]; blocks: readonly string[] }[] = [];
  const flush = () => {
    if (waiting.length > 0) out.push(...writeDefinitions(waiting));
    waiting = [];
  };
  for (const { element, terms, nodes } of entries) {
    const ids = [element, ...terms].flatMap((each) => idOf(each) ?? []);
    const [id, ...others] = ids;
    const wordsAs = (options: { isTitle: boolean }) =>
      terms.map((term) => writeInline(term.children, writing, { ...options, isTerm: true, midLine: true }));
    const title = wordsAs({ isTitle: true })
      .filter((each) => each !== "")
      .join(", ")
      .replace(/(?<!\s)\s*\\?\n\s*/g, " ");
    if (place.nested === 0 && id !== undefined && title !== "" && title.length <= TERM_CHARACTERS_MAX) {
      flush();
      writeHeading({ words: others.map(placeMark).join("") + title, id }, place, out);
      writing.blocks(nodes, { ...place, level: place.level + 1 }, out);
      continue;
    }
    const titles = wordsAs({ isTitle: false });
    const blocks: string[] = [];
    writing.blocks(nodes, place.nested >= NESTED_MAX ? place : inside(place), blocks);
    const marks = ids.map(placeMark).join("");
    waiting.push({ terms: titles.map((words, index) => (index === 0 ? marks + words : words)), blocks });
  }
  flush();
}

export const writeVariableList: BlockWriter = (element, place, out, writing) => {
  const entries = childrenNamed(element, "varlistentry");
  writeAbove(element, new Set(entries), place, out, writing);
  const read = entries.map((entry) => ({
    element: entry,
    terms: childrenNamed(entry, "term"),
    nodes: childrenNamed(entry, "listitem"),
  }));
  writeTerms(read, place, out, writing);
};

/** `glosslist`, and the entries of a glossary. */
export const writeGlossaryList: BlockWriter = (element, place, out, writing) => {
  const entries = childrenNamed(element, "glossentry");
  writeAbove(element, new Set(entries), place, out, writing);
  writeGlossaryEntries(entries, place, out, writing);
};

export function writeGlossaryEntries(
  entries: readonly DocbookElement[],
  place: BlockPlace,
  out: string[],
  writing: DocbookWriting,
): void {
  const read = entries.map((entry) => ({
    element: entry,
    terms: childrenNamed(entry, "glossterm", "acronym", "abbrev"),
    nodes: childrenNamed(entry, "glossdef", "glosssee"),
  }));
  writeTerms(read, place, out, writing);
}

/** `See`, `See also`: what a glossary says of another term. */
export const writeGlossarySee: BlockWriter = (element, _place, out, writing) => {
  const id = attributeOf(element, "otherterm");
  const target = id === undefined ? undefined : writing.links.find(id);
  const own = writeInline(element.children, writing, { midLine: true });
  const words =
    own ||
    (target?.element
      ? writeInline(childNamed(target.element, "glossterm")?.children ?? [], writing, { midLine: true })
      : "");
  if (words === "") return;
  const linked = target === undefined || words.includes("](") ? words : `[${words}](${target.href})`;
  out.push(`${element.name === "glosssee" ? "See" : "See also"} ${linked}.`);
};

/** A question is a heading, where headings may stand: it is what people ask. */
export const writeQuestions: BlockWriter = (element, place, out, writing) => {
  if (element.name === "qandaset") writeStrongTitle(element, out, writing);
  else {
    const title = titleOf(element);
    const words =
      title === undefined ? "" : writeInline(title.children, writing, { isTitle: true, midLine: true });
    writeHeading({ words, id: idOf(element) }, place, out);
  }
  const below = element.name === "qandadiv" ? { ...place, level: place.level + 1 } : place;
  for (const part of elementsOf(element)) {
    if (part.name === "qandadiv") writeQuestions(part, below, out, writing);
    else if (part.name === "qandaentry") writeQuestion(part, below, out, writing);
    else if (part.name !== "title" && !/info$/.test(part.name)) writing.blocks([part], below, out);
  }
};

function writeQuestion(
  entry: DocbookElement,
  place: BlockPlace,
  out: string[],
  writing: DocbookWriting,
): void {
  const question = childNamed(entry, "question");
  const ids = [entry, ...(question === undefined ? [] : [question])].flatMap((each) => idOf(each) ?? []);
  const nodes = (question?.children ?? []).filter((node) => !isElement(node) || node.name !== "label");
  const blocks: string[] = [];
  writing.blocks(nodes, place, blocks);
  const [first = "", ...rest] = blocks;
  const single = nodes.filter(isElement)[0];
  const title =
    single === undefined
      ? ""
      : writeInline(single.children, writing, { isTitle: true, midLine: true }).replace(
          /(?<!\s)\s*\\?\n\s*/g,
          " ",
        );
  const isHeading =
    place.nested === 0 &&
    title !== "" &&
    title.length <= TERM_CHARACTERS_MAX &&
    /^(?:sim)?para$|^simpara$|^title$/.test(single?.name ?? "");
  if (isHeading) {
    writeHeading({ words: ids.slice(1).map(placeMark).join("") + title, id: ids[0] }, place, out);
    out.push(...rest);
  } else {
    const strong =
      first === "" ? [] : [/^[\p{L}\p{N}]/u.test(first) ? `**${first.replaceAll("**", "")}**` : first];
    out.push(...withMarks([...strong, ...rest], ids));
  }
  const below = { ...place, level: place.level + (isHeading ? 1 : 0) };
  for (const answer of childrenNamed(entry, "answer")) {
    const said = childrenNamed(answer, "label");
    out.push(
      ...blocksOf(
        answer,
        below,
        writing,
        answer.children.filter((node) => !isElement(node) || !said.includes(node)),
      ),
    );
  }
}

const withMarks = (blocks: readonly string[], ids: readonly string[]) =>
  ids.reduceRight<readonly string[]>((all, id) => placedAt(id, all), blocks);
