import { safeLink } from "@docent/kernel/text/safe-url";
import { placeMark } from "../anchors.ts";
import { createLine, type LineOptions, openLink } from "../html/html.ts";
import {
  attributeOf,
  childNamed,
  childrenNamed,
  type DocbookElement,
  type DocbookNode,
  descendantNamed,
  elementsOf,
  idOf,
  isElement,
  lineOf,
  textOf,
  UNKNOWN_ENTITY,
} from "./element.ts";
import { calloutNumber, generatedWords } from "./labels.ts";
import { writeInlineSynopsis } from "./synopsis.ts";
import type { DocbookWriting } from "./writing.ts";

type Line = ReturnType<typeof createLine>;

interface InlineOptions extends LineOptions {
  /** Leaves out emphasis, for words that are strong already, and links. */
  isTitle?: boolean;
  /** Leaves out emphasis alone. */
  isTerm?: boolean;
}

interface Inline {
  line: Line;
  writing: DocbookWriting;
  isTitle: boolean;
  isLinked: boolean;
  isStrong: boolean;
  isEmphasis: boolean;
  quotes: number;
}

const CODE = new Set(
  (
    "function command code filename option literal varname constant computeroutput userinput prompt envar parameter type " +
    "structname structfield symbol classname methodname interfacename sgmltag tag token markup returnvalue errorcode " +
    "errorname exceptionname package property keycode keysym systemitem initializer modifier ooclass oointerface " +
    "ooexception enumvalue enumidentifier namespacename macroname templatename unionname typedefname synopsis"
  ).split(" "),
);
const EMPHASIS = new Set([
  "emphasis",
  "firstterm",
  "citetitle",
  "foreignphrase",
  "replaceable",
  "wordasword",
  "lineannotation",
]);
const STRONG = new Set([
  "guibutton",
  "guiicon",
  "guilabel",
  "guimenu",
  "guimenuitem",
  "guisubmenu",
  "interface",
]);
const MENU = new Set([
  "guimenu",
  "guisubmenu",
  "guimenuitem",
  "guibutton",
  "guilabel",
  "guiicon",
  "interface",
]);
const TRADEMARKS: Readonly<Record<string, string>> = {
  registered: "®",
  copyright: "©",
  service: "℠",
  trade: "™",
};
/** What is said about a link, and not to readers. */
const SKIPPED = new Set([
  "indexterm",
  "remark",
  "comment",
  "alt",
  "areaspec",
  "beginpage",
  "itermset",
  "info",
  "blockinfo",
]);

/** Writes nodes as one paragraph of Markdown; blocks among them are set apart by a space. */
export function writeInline(
  nodes: readonly DocbookNode[],
  writing: DocbookWriting,
  { isTitle = false, isTerm = false, ...options }: InlineOptions = {},
): string {
  const line = createLine(options);
  const isPlain = isTitle || isTerm;
  const inline = {
    line,
    writing,
    isTitle,
    isLinked: isTitle,
    isStrong: isPlain,
    isEmphasis: isPlain,
    quotes: 0,
  };
  for (const node of nodes) writeNode(node, inline);
  return line.finish();
}

function writeAll(element: DocbookElement, inline: Inline): void {
  for (const node of element.children) writeNode(node, inline);
}

function writeNode(node: DocbookNode, inline: Inline): void {
  const { line, writing } = inline;
  if (typeof node === "string") {
    line.words(node);
    return;
  }
  if (!isElement(node)) {
    if (node.instruction !== UNKNOWN_ENTITY) return;
    writing.missing.entities.add(node.words);
    line.words(node.words);
    return;
  }
  const id = idOf(node);
  if (id !== undefined) line.place(placeMark(id));
  if (SKIPPED.has(node.name)) return;
  const href = node.name === "xref" || node.name === "olink" ? undefined : hrefOf(node, writing);
  if (href === undefined || inline.isLinked) {
    writeElement(node, inline);
    return;
  }
  const close = openLink(line, href);
  writeElement(node, { ...inline, isLinked: true });
  if (textOf(node).trim() === "" && !descendantNamed(node, "imagedata", "graphic", "inlinegraphic", "xref"))
    line.words(emptyLinkWords(node, href, writing));
  close();
}

const emptyLinkWords = (element: DocbookElement, href: string, writing: DocbookWriting) => {
  const endterm = attributeOf(element, "endterm");
  const id = attributeOf(element, "linkend");
  if (endterm !== undefined) return wordsAt(endterm, writing);
  return id === undefined ? href : wordsOfId(id, writing);
};

/** The words of the element that a link borrows them from. */
const wordsAt = (id: string, { links }: DocbookWriting): string => {
  const target = links.find(id);
  return target?.element === undefined ? (target?.words ?? "") : lineOf(target.element);
};

const wordsOfId = (id: string, { links }: DocbookWriting): string => {
  const target = links.find(id);
  if (target === undefined) return "";
  return (target.element && generatedWords(target.element)) ?? target.words;
};

/** Where an element leads: any may, in DocBook 5. */
function hrefOf(element: DocbookElement, writing: DocbookWriting): string | undefined {
  const { name } = element;
  const address = name === "ulink" ? attributeOf(element, "url") : attributeOf(element, "href");
  if (address !== undefined && name !== "include") return hrefOfAddress(address, writing);
  const id = name === "footnoteref" ? undefined : attributeOf(element, "linkend");
  if (id !== undefined) return hrefOfId(id, writing);
  return name === "function" || name === "methodname" || name === "classname"
    ? hrefOfName(element, writing)
    : undefined;
}

function hrefOfAddress(address: string, writing: DocbookWriting): string | undefined {
  if (/^#[^\s#]+$/.test(address)) return hrefOfId(address.slice(1), writing);
  return safeLink(address);
}

function hrefOfId(id: string, { links, missing }: DocbookWriting): string | undefined {
  const target = links.find(id);
  if (target === undefined) missing.ids.add(id);
  return target?.href;
}

/** The PHP manual gives functions and classes ids by their names, and leads from each name to them. */
function hrefOfName(element: DocbookElement, { links }: DocbookWriting): string | undefined {
  const name = lineOf(element).toLowerCase().replaceAll("_", "-").replace(/\(\)$/, "");
  if (!/^[a-z\\][\w.:\\-]{0,120}$/.test(name)) return undefined;
  const id = name.includes("::")
    ? name.replace("::", ".")
    : `${element.name === "classname" ? "class" : "function"}.${name}`;
  const target = links.find(id.replaceAll("\\", "-"));
  return target?.href;
}

function writeElement(element: DocbookElement, inline: Inline): void {
  const { line } = inline;
  const { name } = element;
  const write = WRITERS.get(name);
  if (write !== undefined) write(element, inline);
  else if (CODE.has(name)) writeCode(element, inline);
  else if (EMPHASIS.has(name)) writeEmphasis(element, inline);
  else if (STRONG.has(name)) marked(element, inline, "isStrong", "**");
  else if (isBlockElement(name)) {
    line.space();
    writeAll(element, inline);
    line.space();
  } else writeAll(element, inline);
}

/** Blocks that may stand where there are only words: in a cell, in a title. */
const BLOCKS = new Set(
  (
    "para simpara formalpara title itemizedlist orderedlist variablelist simplelist varlistentry term note tip warning caution " +
    "important programlisting screen literallayout blockquote example informalexample figure informalfigure procedure step " +
    "table informaltable entry row mediaobject screenshot synopsis cmdsynopsis funcsynopsis attribution caption " +
    "legalnotice abstract author editor othercredit copyright revision question answer affiliation address orgname " +
    "personname firstname surname honorific lineage date pubdate edition publisher publishername year holder corpauthor " +
    "personblurb revnumber authorinitials revremark"
  ).split(" "),
);
const isBlockElement = (name: string) => BLOCKS.has(name);

function marked(element: DocbookElement, inline: Inline, key: "isStrong" | "isEmphasis", mark: string): void {
  if (inline[key]) {
    writeAll(element, inline);
    return;
  }
  const close = inline.line.open(mark);
  writeAll(element, { ...inline, [key]: true });
  close(mark);
}

function writeEmphasis(element: DocbookElement, inline: Inline): void {
  const role = attributeOf(element, "role") ?? "";
  if (/^(?:bold|strong)$/i.test(role)) marked(element, inline, "isStrong", "**");
  else marked(element, inline, "isEmphasis", "*");
}

/** Code is code to its end: what is replaceable in it, too. */
function writeCode(element: DocbookElement, inline: Inline): void {
  const { line, writing } = inline;
  const only = elementsOf(element).find(({ name }) => name === "link" || name === "ulink" || name === "xref");
  if (only !== undefined && !inline.isLinked && lineOf(element) === lineOf(only)) {
    writeAll(element, inline);
    return;
  }
  const notes = elementsOf(element).filter(({ name }) => name === "footnote" || name === "indexterm");
  if (element.name === "systemitem" && /^https?:\/\//.test(lineOf(element))) line.words(lineOf(element));
  else if (element.name === "sgmltag" || element.name === "tag") line.code(tagOf(element));
  else line.code(textOf(element));
  for (const each of elementsOf(element)) placesBelow(each, line);
  for (const note of notes) if (note.name === "footnote") line.note(noteLabel(note, writing));
}

function placesBelow(element: DocbookElement, line: Line): void {
  const id = idOf(element);
  if (id !== undefined) line.place(placeMark(id));
  for (const child of elementsOf(element)) placesBelow(child, line);
}

function tagOf(element: DocbookElement): string {
  const words = lineOf(element);
  const kinds: Readonly<Record<string, string>> = {
    starttag: `<${words}>`,
    endtag: `</${words}>`,
    emptytag: `<${words}/>`,
    genentity: `&${words};`,
    sgmlcomment: `<!--${words}-->`,
    comment: `<!--${words}-->`,
    pi: `<?${words}>`,
    xmlpi: `<?${words}?>`,
  };
  return kinds[(attributeOf(element, "class") ?? "").toLowerCase()] ?? words;
}

/** The label of a footnote on the page, in the order of the marks. */
function noteLabel(note: DocbookElement, { notes }: DocbookWriting): string {
  const known = notes.get(note) ?? notes.size + 1;
  notes.set(note, known);
  return String(known);
}

type InlineWriter = (element: DocbookElement, inline: Inline) => void;

const WRITERS = new Map<string, InlineWriter>([
  ["xref", writeXref],
  ["olink", writeOlink],
  [
    "footnote",
    (element, { line, writing, isTitle }) => void (isTitle || line.note(noteLabel(element, writing))),
  ],
  ["footnoteref", writeNoteMark],
  ["quote", writeQuote],
  ["trademark", writeTrademark],
  ["productname", writeTrademark],
  ["email", writeEmail],
  ["keycap", (element, { line }) => line.code(textOf(element).trim() || keyOf(element))],
  ["keycombo", writeKeys],
  ["menuchoice", writeMenu],
  ["citerefentry", writePageName],
  ["manvolnum", (element, inline) => between("(", element, ")", inline)],
  ["citation", (element, inline) => between("[", element, "]", inline)],
  ["optional", (element, inline) => between("[", element, "]", inline)],
  ["superscript", writeRaised],
  ["anchor", () => undefined],
  ["sbr", (_, { line }) => line.lineBreak()],
  ["co", writeCallout],
  ["coref", writeCalloutMark],
  ["inlinemediaobject", writeMedia],
  ["mediaobject", writeMedia],
  ["inlinegraphic", writeGraphic],
  ["graphic", writeGraphic],
  ["inlineequation", writeEquation],
  ["simplelist", writeSimpleList],
  ["listitem", writeItem],
  ["member", writeItem],
  ["step", writeItem],
  ["cmdsynopsis", (element, { line }) => line.code(writeInlineSynopsis(element))],
  ["funcsynopsis", (element, { line }) => line.code(writeInlineSynopsis(element))],
  ["methodsynopsis", (element, { line }) => line.code(writeInlineSynopsis(element))],
  ["programlisting", writeListing],
  ["screen", writeListing],
  ["personname", writeName],
  ["author", writeName],
  ["editor", writeName],
  ["othercredit", writeName],
]);

function between(open: string, element: DocbookElement, close: string, inline: Inline): void {
  inline.line.words(open);
  writeAll(element, inline);
  inline.line.words(close);
}

/** A link that says what it leads to. */
function writeXref(element: DocbookElement, inline: Inline): void {
  const { line, writing, isLinked } = inline;
  const written = attributeOf(element, "linkend") ?? attributeOf(element, "href")?.replace(/^#/, "");
  if (written === undefined) return;
  const target = writing.links.find(written);
  if (target === undefined) {
    writing.missing.ids.add(written);
    line.words(written);
    return;
  }
  const close = isLinked ? undefined : openLink(line, target.href);
  const endterm = attributeOf(element, "endterm");
  const words =
    (endterm === undefined ? "" : wordsAt(endterm, writing)) || wordsOfId(written, writing) || written;
  if (target.element !== undefined && isCodeName(target.element)) line.code(words);
  else line.words(words);
  close?.();
}

const isCodeName = ({ name }: DocbookElement) =>
  name === "function" || name === "command" || name === "option";

function writeOlink(element: DocbookElement, inline: Inline): void {
  const { line, writing } = inline;
  const document = attributeOf(element, "targetdoc");
  const id = attributeOf(element, "targetptr");
  const target = writing.links.findIn(document, id ?? "");
  const close = target === undefined || inline.isLinked ? undefined : openLink(line, target.href);
  if (textOf(element).trim() !== "")
    writeAll(element, { ...inline, isLinked: inline.isLinked || target !== undefined });
  else line.words(target?.words || [document, id].filter((each) => each !== undefined).join(": "));
  close?.();
}

function writeNoteMark(element: DocbookElement, { line, writing, isTitle }: Inline): void {
  const target = writing.links.find(attributeOf(element, "linkend") ?? "")?.element;
  if (target?.name === "footnote" && !isTitle) line.note(noteLabel(target, writing));
}

function writeQuote(element: DocbookElement, inline: Inline): void {
  const isInner = inline.quotes % 2 === 1;
  inline.line.words(isInner ? "‘" : "“");
  writeAll(element, { ...inline, quotes: inline.quotes + 1 });
  inline.line.words(isInner ? "’" : "”");
}

function writeTrademark(element: DocbookElement, inline: Inline): void {
  writeAll(element, inline);
  const kind = attributeOf(element, "class") ?? (element.name === "trademark" ? "trade" : "");
  const sign = TRADEMARKS[kind];
  if (sign !== undefined) inline.line.words(sign);
}

function writeEmail(element: DocbookElement, { line, isLinked }: Inline): void {
  const address = lineOf(element);
  if (isLinked || !/^[^\s@<>()]+@[^\s@<>()]+$/.test(address)) {
    line.words(address);
    return;
  }
  const close = openLink(line, `mailto:${address}`);
  line.words(address);
  close();
}

const keyOf = (element: DocbookElement) => attributeOf(element, "function") ?? "";

function writeKeys(element: DocbookElement, inline: Inline): void {
  const keys = elementsOf(element).filter(({ name }) => name !== "indexterm");
  const sign = attributeOf(element, "action") === "seq" ? " " : "+";
  const words = keys.map((key) => lineOf(key) || keyOf(key));
  if (keys.every(({ name }) => name === "keycap" || name === "keysym" || name === "keycode")) {
    inline.line.code(words.join(sign));
    return;
  }
  for (const [index, key] of keys.entries()) {
    if (index > 0) inline.line.words(sign);
    writeNode(key, inline);
  }
}

function writeMenu(element: DocbookElement, inline: Inline): void {
  const { line } = inline;
  const steps = elementsOf(element).filter(({ name }) => name !== "shortcut" && name !== "indexterm");
  if (steps.every(({ name }) => MENU.has(name)) && !inline.isStrong) {
    const close = line.open("**");
    line.words(steps.map(lineOf).join(" → "));
    close("**");
    for (const step of steps) placesBelow(step, line);
  } else
    for (const [index, step] of steps.entries()) {
      if (index > 0) line.words(" → ");
      writeNode(step, inline);
    }
  const shortcut = childNamed(element, "shortcut");
  if (shortcut === undefined) return;
  line.words(" (");
  writeAll(shortcut, inline);
  line.words(")");
}

function writePageName(element: DocbookElement, inline: Inline): void {
  const title = childNamed(element, "refentrytitle");
  const volume = childNamed(element, "manvolnum");
  const name = title === undefined ? "" : lineOf(title);
  const words = volume === undefined ? name : `${name}(${lineOf(volume)})`;
  const target = inline.isLinked ? undefined : inline.writing.links.findIn(name, "");
  const close = target === undefined ? undefined : openLink(inline.line, target.href);
  inline.line.words(words);
  close?.();
}

function writeRaised(element: DocbookElement, inline: Inline): void {
  // A power must not join its base.
  if (/\d$/.test(inline.line.last())) inline.line.words("^");
  writeAll(element, inline);
}

function writeCallout(element: DocbookElement, { line }: Inline): void {
  line.words(`(${calloutNumber(element)})`);
}

function writeCalloutMark(element: DocbookElement, { line, writing }: Inline): void {
  const target = writing.links.find(attributeOf(element, "linkend") ?? "")?.element;
  if (target !== undefined) line.words(`(${calloutNumber(target)})`);
}

/** What an image shows, in words. */
export function altOf(media: DocbookElement): string {
  const alt = childNamed(media, "alt");
  if (alt !== undefined) return lineOf(alt);
  const texts = childrenNamed(media, "textobject");
  const phrase = texts.flatMap((each) => childrenNamed(each, "phrase"))[0];
  if (phrase !== undefined) return lineOf(phrase);
  const words = texts.map(lineOf).find((each) => each !== "") ?? "";
  return words.length <= 500 ? words : "";
}

/** The image of a media object that browsers can show: the first of those for HTML, or else the first. */
export function imageOf(media: DocbookElement): DocbookElement | undefined {
  const images = childrenNamed(media, "imageobject", "imageobjectco", "videoobject", "audioobject").flatMap(
    (object) => {
      const data = descendantNamed(object, "imagedata", "videodata", "audiodata");
      return data === undefined || referenceOf(data) === undefined ? [] : [{ object, data }];
    },
  );
  const forHtml = images.find(({ object }) => /^x?html/i.test(attributeOf(object, "role") ?? ""));
  const shown = images.find(({ data }) =>
    /\.(?:png|jpe?g|gif|svg|webp|avif)$/i.test(referenceOf(data) ?? ""),
  );
  return (forHtml ?? shown ?? images[0])?.data;
}

export function referenceOf(data: DocbookElement): string | undefined {
  return attributeOf(data, "fileref") ?? attributeOf(data, "entityref");
}

function writeMedia(element: DocbookElement, inline: Inline): void {
  const { line, writing, isTitle } = inline;
  const data = imageOf(element);
  const alt = altOf(element);
  const reference = data === undefined ? undefined : referenceOf(data);
  if (data === undefined || reference === undefined || isTitle) line.words(alt);
  else if (data.name === "imagedata") line.image(alt, writing.links.image(reference, data));
  else {
    const close = inline.isLinked ? undefined : openLink(line, writing.links.image(reference, data));
    line.words(alt || reference);
    close?.();
  }
}

function writeGraphic(element: DocbookElement, { line, writing, isTitle }: Inline): void {
  const reference = referenceOf(element);
  const alt = childNamed(element, "alt");
  const words = alt === undefined ? "" : lineOf(alt);
  if (reference === undefined || isTitle) line.words(words);
  else line.image(words, writing.links.image(reference, element));
}

/** A formula in TeX, as words, or as an image. */
function writeEquation(element: DocbookElement, inline: Inline): void {
  const tex = texOf(element);
  const phrase = childNamed(element, "mathphrase");
  if (tex !== undefined) inline.line.maths(tex);
  else if (phrase !== undefined) writeAll(phrase, inline);
  else writeAll(element, inline);
}

/** TeX stands beside what is shown, in `alt` or an annotation. */
export function texOf(element: DocbookElement): string | undefined {
  const alt = childNamed(element, "alt");
  const role = alt === undefined ? "" : (attributeOf(alt, "role") ?? "");
  if (alt !== undefined && (/tex/i.test(role) || childNamed(element, "math") !== undefined))
    return lineOf(alt);
  const annotation = descendantNamed(element, "annotation");
  return annotation !== undefined && attributeOf(annotation, "encoding") === "application/x-tex"
    ? lineOf(annotation)
    : undefined;
}

function writeSimpleList(element: DocbookElement, inline: Inline): void {
  const members = childrenNamed(element, "member");
  for (const [index, member] of members.entries()) {
    if (index > 0) inline.line.words(", ");
    writeAll(member, inline);
  }
}

/** In a cell, items stand on one line. */
function writeItem(element: DocbookElement, inline: Inline): void {
  if (element.parent === undefined || childNamed(element.parent, element.name) === element)
    inline.line.space();
  else inline.line.nextItem();
  writeAll(element, inline);
}

function writeListing(element: DocbookElement, { line }: Inline): void {
  line.space();
  for (const [index, code] of textOf(element).trim().split("\n").entries()) {
    if (index > 0) line.lineBreak();
    line.code(code.trimEnd());
    line.space();
  }
}

const NAME_PARTS = ["honorific", "firstname", "givenname", "othername", "surname", "lineage"];

function writeName(element: DocbookElement, { line }: Inline): void {
  line.space();
  line.words(nameOf(element));
  line.space();
}

/** A person's name, of its parts where it has such. */
export function nameOf(element: DocbookElement): string {
  const whole = childNamed(element, "personname") ?? element;
  const parts = elementsOf(whole).filter(({ name }) => NAME_PARTS.includes(name));
  if (parts.length > 0) return parts.map(lineOf).join(" ");
  const organization = childNamed(element, "orgname", "corpauthor");
  return organization === undefined ? lineOf(whole) : lineOf(organization);
}
