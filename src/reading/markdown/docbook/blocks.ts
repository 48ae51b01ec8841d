import { codeFence } from "@docent/kernel/text/write-markdown";
import { placeMark } from "../anchors.ts";
import { writeCallout } from "../callouts.ts";
import {
  attributeOf,
  childNamed,
  childrenNamed,
  type DocbookElement,
  type DocbookNode,
  elementsOf,
  idOf,
  isElement,
  isInfo,
  lineOf,
  titleOf,
  UNKNOWN_ENTITY,
  UNSPOKEN,
} from "./element.ts";
import { placedAt, writeHeading } from "./headings.ts";
import { altOf, imageOf, nameOf, referenceOf, texOf, writeInline } from "./inline.ts";
import { calloutNumber, calloutsBelow } from "./labels.ts";
import {
  writeCalloutList,
  writeGlossaryEntries,
  writeGlossaryList,
  writeGlossarySee,
  writeItemizedList,
  writeOrderedList,
  writeProcedure,
  writeQuestions,
  writeSegmentedList,
  writeSimpleList,
  writeStep,
  writeStrongTitle,
  writeVariableList,
} from "./lists.ts";
import { isSynopsis, writeSynopsis } from "./synopsis.ts";
import { writeTable } from "./tables.ts";
import { type BlockPlace, type BlockWriter, type DocbookWriting, inside, NESTED_MAX } from "./writing.ts";

/** What is never shown, or only by a program that makes it. */
const SKIPPED = new Set("index setindex toc lot areaspec titleabbrev refmeta colspec".split(" "));

/** Writes nodes as blocks of Markdown: words between blocks are paragraphs. */
export function writeBlocks(
  nodes: readonly DocbookNode[],
  place: BlockPlace,
  out: string[],
  writing: DocbookWriting,
): void {
  let run: DocbookNode[] = [];
  const flush = () => {
    if (run.some(saysSomething)) {
      const words = writeInline(run, writing);
      if (words !== "") out.push(words);
    }
    run = [];
  };
  for (const node of nodes) {
    if (!isElement(node) || !isBlock(node)) {
      run.push(node);
      continue;
    }
    flush();
    writeBlock(node, place, out, writing);
  }
  flush();
}

/** An entity that nobody declares is words among others; alone it would be blocks, which nobody knows. */
const saysSomething = (node: DocbookNode) =>
  typeof node === "string"
    ? node.trim() !== ""
    : isElement(node) && !(UNSPOKEN.has(node.name) && node.name !== "footnote" && idOf(node) === undefined);

function isBlock(element: DocbookElement): boolean {
  const { name } = element;
  if (name === "synopsis") return true;
  if (name === "simplelist") return attributeOf(element, "type") !== "inline";
  return WRITERS.has(name) || SKIPPED.has(name) || isInfo(name) || isSynopsis(name);
}

function writeBlock(
  element: DocbookElement,
  place: BlockPlace,
  out: string[],
  writing: DocbookWriting,
): void {
  const { name } = element;
  const id = idOf(element);
  if (SKIPPED.has(name) || isInfo(name)) {
    if (id !== undefined && !isInfo(name)) out.push(placeMark(id));
    return;
  }
  const written: string[] = [];
  const write = WRITERS.get(name) ?? writeSynopsisBlock;
  write(element, place, written, writing);
  out.push(...(OWN_PLACES.has(name) ? written : placedAt(id, written)));
}

/** Elements that write their id themselves, with a heading. */
const OWN_PLACES = new Set(
  (
    "sect1 sect2 sect3 sect4 sect5 section simplesect refsect1 refsect2 refsect3 refsection refsynopsisdiv refentry glossdiv " +
    "bibliodiv qandadiv bridgehead dedication acknowledgements colophon glossary bibliography partintro topic chapter appendix preface article"
  ).split(" "),
);

/** A section on the page: its title is a heading. */
const writeSection: BlockWriter = (element, place, out, writing) => {
  const title = titleOf(element);
  const words =
    title === undefined
      ? (TITLES[element.name] ?? "")
      : writeInline(title.children, writing, { isTitle: true, midLine: true });
  const marks = title === undefined ? undefined : idOf(title);
  writeHeading(
    { words: (marks === undefined ? "" : placeMark(marks)) + words, id: idOf(element) },
    place,
    out,
  );
  writeSubtitle(element, out, writing);
  const below = words === "" ? place : { ...place, level: place.level + 1 };
  writing.blocks(bodyOf(element), below, out);
};

/** What stands above sections that have no title of their own. */
const TITLES: Readonly<Record<string, string>> = {
  refsynopsisdiv: "Synopsis",
  glossary: "Glossary",
  bibliography: "Bibliography",
  dedication: "Dedication",
  acknowledgements: "Acknowledgements",
  colophon: "Colophon",
};

export const bodyOf = (element: DocbookElement) =>
  element.children.filter((node) => !isElement(node) || !/^(?:title|subtitle|titleabbrev)$/.test(node.name));

function writeSubtitle(element: DocbookElement, out: string[], writing: DocbookWriting): void {
  const subtitle = childNamed(element, "subtitle");
  const words =
    subtitle === undefined ? "" : writeInline(subtitle.children, writing, { isTitle: true, midLine: true });
  if (words !== "") out.push(`**${words}**`);
}

const writePlain: BlockWriter = (element, place, out, writing) =>
  writing.blocks(element.children, place, out);

/** A frame with a title: an example, a figure, a side note. */
const writeTitled: BlockWriter = (element, place, out, writing) => {
  writeStrongTitle(element, out, writing);
  writing.blocks(bodyOf(element), place, out);
};

const writeFormalParagraph: BlockWriter = (element, place, out, writing) => {
  const title = titleOf(element);
  const words =
    title === undefined ? "" : writeInline(title.children, writing, { isTitle: true, midLine: true });
  const blocks: string[] = [];
  writing.blocks(bodyOf(element), place, blocks);
  const [first = "", ...rest] = blocks;
  const strong = words === "" ? "" : `**${words}${/[.:?!]$/.test(words) ? "" : "."}**`;
  if (strong === "") out.push(...blocks);
  else if (/^[\p{L}\p{N}`*_[("“<]/u.test(first) && !first.startsWith("```"))
    out.push(`${strong} ${first}`, ...rest);
  else out.push(strong, ...blocks);
};

const writeNote: BlockWriter = (element, place, out, writing) => {
  const title = titleOf(element);
  const words =
    title === undefined ? "" : writeInline(title.children, writing, { isTitle: true, midLine: true });
  const blocks: string[] = [];
  writing.blocks(bodyOf(element), inside(place), blocks);
  if (blocks.length === 0) return;
  const kind = element.name === "danger" ? "caution" : element.name;
  const isSaid = words.toLowerCase() === kind;
  if (place.nested >= NESTED_MAX) out.push(...blocks);
  else
    out.push(
      writeCallout(
        { kind, title: isSaid ? "" : words, body: blocks.join("\n\n") },
        { isNested: place.nested > 0 },
      ),
    );
};

const writeQuote: BlockWriter = (element, place, out, writing) => {
  writeStrongTitle(element, out, writing);
  const blocks: string[] = [];
  const attribution = childNamed(element, "attribution");
  writing.blocks(
    bodyOf(element).filter((node) => node !== attribution),
    inside(place),
    blocks,
  );
  const from = attribution === undefined ? "" : writeInline(attribution.children, writing, { midLine: true });
  if (from !== "") blocks.push(`— ${from}`);
  if (blocks.length === 0) return;
  if (place.nested >= NESTED_MAX) out.push(...blocks);
  else
    out.push(
      blocks
        .join("\n\n")
        .split("\n")
        .map((line) => (line === "" ? ">" : `> ${line}`))
        .join("\n"),
    );
};

/** Code, with the numbers of its callouts. */
const writeListing: BlockWriter = (element, _, out, writing) => {
  const text = codeOf(element, writing);
  const code = text.replace(/^(?:[ \t]*\n)+/, "").trimEnd();
  const marks = idsBelow(element).map(placeMark).join("");
  if (marks !== "") out.push(marks);
  if (code !== "") out.push(codeFence(code, languageOfCode(element)));
  const notes = elementsOf(element).filter(({ name }) => name === "footnote");
  if (notes.length > 0) out.push(writeInline(notes, writing));
};

/** In code there are no places: those of its callouts stand above it. */
const idsBelow = (element: DocbookElement): string[] =>
  elementsOf(element).flatMap((child) => [
    ...(idOf(child) === undefined ? [] : [idOf(child) ?? ""]),
    ...idsBelow(child),
  ]);

function codeOf(element: DocbookElement, writing: DocbookWriting): string {
  const parts: string[] = [];
  const add = (node: DocbookNode) => {
    if (typeof node === "string") parts.push(node);
    else if (!isElement(node)) {
      if (node.instruction === UNKNOWN_ENTITY) {
        writing.missing.entities.add(node.words);
        parts.push(node.words);
      }
    } else if (node.name === "co") parts.push(`(${calloutNumber(node)})`);
    else if (node.name === "xref") parts.push(writeInline([node], writing, { isTitle: true, midLine: true }));
    else if (node.name === "coref") parts.push(writeInline([node], writing, { midLine: true }));
    else if (node.name === "inlinemediaobject") parts.push(altOf(node));
    else if (isSynopsis(node.name)) parts.push(writeSynopsis(node));
    else if (!UNSPOKEN.has(node.name)) for (const child of node.children) add(child);
  };
  for (const node of element.children) add(node);
  return withAreas(element, parts.join("").replaceAll("\r\n", "\n"));
}

/** Numbers of callouts that are said by lines, beside the listing. */
function withAreas(element: DocbookElement, text: string): string {
  const areas = element.parent === undefined ? undefined : childNamed(element.parent, "areaspec");
  if (areas === undefined) return text;
  const lines = text.split("\n");
  for (const callout of calloutsBelow(areas))
    for (const area of callout.name === "areaset" ? childrenNamed(callout, "area") : [callout]) {
      const line = Number.parseInt(attributeOf(area, "coords") ?? "", 10) - 1;
      if (lines[line] !== undefined) lines[line] += ` (${calloutNumber(callout)})`;
    }
  return lines.join("\n");
}

const LANGUAGE = /^[a-z][\w+#.-]{0,39}$/i;
const LANGUAGES: Readonly<Record<string, string>> = { "c++": "cpp", shell: "sh", bourne: "sh" };

function languageOfCode(element: DocbookElement): string {
  const written = attributeOf(element, "language") ?? roleOf(element);
  const language = written?.toLowerCase() ?? "";
  if (!LANGUAGE.test(language)) return "";
  return LANGUAGES[language] ?? language;
}

/** What the role of a listing says in many manuals; other roles say how it looks. */
const ROLES =
  /^(?:php|sql|c|cpp|c\+\+|java|javascript|js|python|perl|ruby|shell|sh|bash|xml|html|css|json|yaml|ini|apache(?:-conf)?|diff|go|rust|nginx-conf|lua|make(?:file)?)$/i;
const roleOf = (element: DocbookElement) => {
  const role = attributeOf(element, "role");
  return role !== undefined && ROLES.test(role) ? role : undefined;
};

const writeSynopsisBlock: BlockWriter = (element, _, out, writing) => {
  const text = isSynopsis(element.name) ? writeSynopsis(element) : codeOf(element, writing);
  const code = text.replace(/^(?:[ \t]*\n)+/, "").trimEnd();
  const commands = element.name === "cmdsynopsis" ? "" : languageOfCode(element);
  if (code !== "") out.push(codeFence(code, commands));
};

/** Lines stay lines: an address, a poem. Of a class for code they are such. */
const writeLines: BlockWriter = (element, place, out, writing) => {
  if (attributeOf(element, "class") === "monospaced") return writeListing(element, place, out, writing);
  const lines: DocbookNode[][] = [[]];
  const add = (node: DocbookNode) => {
    if (typeof node !== "string") {
      lines.at(-1)?.push(node);
      return;
    }
    for (const [index, piece] of node.split("\n").entries()) {
      if (index > 0) lines.push([]);
      if (piece !== "") lines.at(-1)?.push(piece);
    }
  };
  for (const node of element.children) add(node);
  const written = lines.map((line) => writeInline(line, writing));
  const text = written.join("\n").trim();
  if (text === "") return;
  out.push(...text.split(/\n{2,}/).map((part) => part.split("\n").join("\\\n")));
};

const writeMedia: BlockWriter = (element, place, out, writing) => {
  const image = writeInline([element], writing);
  const data = imageOf(element);
  if (image !== "" && data !== undefined) out.push(image.replace(/^(?:<a id="[^"]*"><\/a>)+/, ""));
  else {
    // What has no image is words, or a table.
    const text = childrenNamed(element, "textobject").find(
      (each) => childNamed(each, "phrase") === undefined,
    );
    if (text !== undefined) writing.blocks(text.children, place, out);
    else if (altOf(element) !== "") out.push(writeInline([altOf(element)], writing));
  }
  const object = childrenNamed(element, "imageobjectco")[0];
  if (object !== undefined) writing.blocks(childrenNamed(object, "calloutlist"), place, out);
  const caption = childNamed(element, "caption");
  if (caption !== undefined) writing.blocks(caption.children, place, out);
};

const writeGraphic: BlockWriter = (element, _, out, writing) => {
  if (referenceOf(element) !== undefined) out.push(writeInline([element], writing));
};

const writeEquation: BlockWriter = (element, place, out, writing) => {
  writeStrongTitle(element, out, writing);
  const tex = texOf(element);
  const phrase = childNamed(element, "mathphrase");
  if (tex !== undefined) out.push(codeFence(tex, "math"));
  else if (phrase !== undefined) writing.blocks(phrase.children, place, out);
  else writing.blocks(bodyOf(element), place, out);
};

const writeTableBlock: BlockWriter = (element, place, out, writing) => {
  const caption = childNamed(element, "caption");
  if (caption === undefined) writeStrongTitle(element, out, writing);
  else {
    const words = writeInline(caption.children, writing, { isTitle: true, midLine: true });
    if (words !== "") out.push(`**${words}**`);
  }
  writeTable(element, place, out, writing);
  const media = childrenNamed(element, "mediaobject", "graphic");
  writing.blocks(media, place, out);
};

/** The names of a manual page, and what it is for. */
const writeNames: BlockWriter = (element, place, out, writing) => {
  const names = childrenNamed(element, "refname").map((name) =>
    writeInline(name.children, writing, { midLine: true }),
  );
  const purpose = childNamed(element, "refpurpose");
  const words = purpose === undefined ? "" : writeInline(purpose.children, writing, { midLine: true });
  writeHeading({ words: "Name", id: undefined }, place, out);
  out.push([names.join(", "), words].filter((each) => each !== "").join(" — "));
};

/** An entry of a list of books: its parts behind each other, where it does not say itself how it looks. */
const writeBook: BlockWriter = (element, _, out, writing) => {
  const parts = elementsOf(element).filter(({ name }) => name !== "abbrev" && name !== "indexterm");
  const label = childNamed(element, "abbrev");
  const id = attributeOf(element, "xreflabel") ?? (label === undefined ? undefined : lineOf(label));
  const words =
    element.name === "bibliomixed"
      ? writeInline(
          element.children.filter((node) => node !== label),
          writing,
          { midLine: true },
        )
      : parts
          .map((part) => partOfBook(part, writing))
          .filter((each) => each !== "")
          .join(". ");
  if (words !== "") out.push(id === undefined ? words : `\\[${id}] ${words}`);
};

function partOfBook(part: DocbookElement, writing: DocbookWriting): string {
  const { name } = part;
  if (/^(?:author|editor|othercredit|personname)$/.test(name)) return nameOf(part);
  if (name === "authorgroup" || name === "biblioset" || name === "publisher" || name === "copyright")
    return elementsOf(part)
      .map((each) => partOfBook(each, writing))
      .filter((each) => each !== "")
      .join(name === "copyright" ? " " : ", ");
  const words = writeInline(part.children, writing, { midLine: true });
  return (name === "title" || name === "citetitle") && words !== "" && !/[*_[]/.test(words)
    ? `*${words}*`
    : words;
}

const writeGlossary: BlockWriter = (element, place, out, writing) => {
  const entries = childrenNamed(element, "glossentry");
  const others = new Set<DocbookNode>(entries);
  const title = titleOf(element);
  const words =
    title === undefined
      ? (TITLES[element.name] ?? "")
      : writeInline(title.children, writing, { isTitle: true, midLine: true });
  writeHeading({ words, id: idOf(element) }, place, out);
  const below = { ...place, level: place.level + 1 };
  writing.blocks(
    bodyOf(element).filter((node) => !others.has(node)),
    below,
    out,
  );
  writeGlossaryEntries(entries, below, out, writing);
};

const writeRevisions: BlockWriter = (element, _, out, writing) => {
  writeStrongTitle(element, out, writing);
  const rows = childrenNamed(element, "revision").map((revision) => {
    const parts = elementsOf(revision).map((part) =>
      part.name === "author" ? nameOf(part) : writeInline([part], writing, { midLine: true }),
    );
    return `- ${parts.filter((each) => each !== "").join(" – ")}`;
  });
  if (rows.length > 0) out.push(rows.join("\n"));
};

const each = (names: string, write: BlockWriter) =>
  names.split(" ").map((name): [string, BlockWriter] => [name, write]);

const WRITERS = new Map<string, BlockWriter>([
  ...each(
    "para simpara abstract legalnotice partintro listitem step-content answer question glossdef epigraph-content " +
      "textobject caption callout member term blockinfo-none msgset msgentry msg msgmain msgtext msgexplan highlights " +
      "printhistory refentry-none personblurb authorblurb programlistingco screenco result stepresult annotation div",
    writePlain,
  ),
  ...each(
    "sect1 sect2 sect3 sect4 sect5 section simplesect refsect1 refsect2 refsect3 refsection refsynopsisdiv dedication " +
      "acknowledgements colophon bibliography bibliodiv refentry topic chapter appendix preface article part reference",
    writeSection,
  ),
  ...each(
    "example figure sidebar informalexample informalfigure screenshot task tasksummary taskprerequisites taskrelated bibliolist",
    writeTitled,
  ),
  ["formalpara", writeFormalParagraph],
  ...each("note tip warning caution important danger", writeNote),
  ...each("blockquote epigraph", writeQuote),
  ...each("programlisting screen", writeListing),
  ...each("literallayout address", writeLines),
  ...each("mediaobject mediaobjectco", writeMedia),
  ["graphic", writeGraphic],
  ...each("equation informalequation", writeEquation),
  ...each("table informaltable", writeTableBlock),
  ["itemizedlist", writeItemizedList],
  ["orderedlist", writeOrderedList],
  ["variablelist", writeVariableList],
  ["simplelist", writeSimpleList],
  ["segmentedlist", writeSegmentedList],
  ["calloutlist", writeCalloutList],
  ["glosslist", writeGlossaryList],
  ...each("procedure substeps stepalternatives", writeProcedure),
  ["step", writeStep],
  ...each("qandaset qandadiv", writeQuestions),
  ...each("glossary glossdiv", writeGlossary),
  ["glossentry", (element, place, out, writing) => writeGlossaryEntries([element], place, out, writing)],
  ...each("glosssee glossseealso", writeGlossarySee),
  ...each("biblioentry bibliomixed bibliomset", writeBook),
  ["refnamediv", writeNames],
  ["refclass", writePlain],
  ["revhistory", writeRevisions],
  ["synopsis", writeSynopsisBlock],
  [
    "bridgehead",
    (element, place, out, writing) =>
      writeHeading(
        {
          words: writeInline(element.children, writing, { isTitle: true, midLine: true }),
          id: idOf(element),
        },
        place,
        out,
      ),
  ],
  [
    "title",
    (element, _, out, writing) =>
      void out.push(`**${writeInline(element.children, writing, { isTitle: true, midLine: true })}**`),
  ],
]);
