import { isCalloutName, tabOpening } from "../callouts.ts";
import { isForDarkPages, withWidth } from "../image-width.ts";
import { isImage } from "./images.ts";
import { isCode, isMachinery, isMissed, isProse } from "./properties.ts";
import { type JsxTag, stringLiteral } from "./tag.ts";

const TITLES = [
  "title",
  "label",
  "heading",
  "header",
  "summary",
  "caption",
  "question",
  "name",
  "alt",
  "text",
  "cta",
];
const DETAILS = ["description", "tags"];
const NAMES = ["name", "path", "query", "body", "header", "param", "prop"];
/** Components that document a parameter, with its name, type and default in attributes. */
const FIELD = /(?:Field|Param|Parameter|Prop|Property|Option|Argument|Header)$/;
const INLINE = new Set(
  "a abbr b bdi cite code del dfn em i ins kbd mark q s samp small span strong sub sup u var Tooltip".split(
    " ",
  ),
);

/** The words of a tag itself, as Markdown: its title, its description, or the parameter that it documents. */
export function tagWords(tag: JsxTag): string {
  if (tag.kind === "close") return "";
  const { attributes } = tag;
  if (isImage(tag)) return imageWords(tag);
  if (FIELD.test(tag.name)) return field(attributes);
  if (/^[a-z]/.test(tag.name) || isTooltip(tag)) return "";
  if (attributes.has("v") || isVersionNote(tag)) return versionNote(tag);
  const title = titleOf(tag);
  const href = clean(attributes.get("href") ?? "");
  // Mintlify lists these with the page's headings, and gives them anchors.
  if (tag.name === "Update" && title !== "")
    return [`# ${title}`, ...details(attributes, title)].join("\n\n");
  const linked = title !== "" && /^[^\s()<>]+$/.test(href) ? `[${title}](${href})` : title;
  return [linked && `**${linked}**`, ...details(attributes, title)]
    .filter((part) => part !== "")
    .join("\n\n");
}

const titleOf = ({ name, attributes }: JsxTag) =>
  first(attributes, [...TITLES, ...(/Tab/.test(name) ? ["value"] : [])]);

/** Code that a component has in an attribute. */
export interface PropertyCode {
  name: string;
  texts: readonly string[];
}

/** Whether its attributes are read one by one: those of a component that is not known to say anything else. */
const isComponent = (tag: JsxTag) =>
  tag.kind !== "close" &&
  /^[A-Z]/.test(tag.name) &&
  !(isImage(tag) || FIELD.test(tag.name) || isTooltip(tag) || tag.attributes.has("v") || isVersionNote(tag));

/** The code in the attributes of a component. */
export function codeOf(tag: JsxTag): PropertyCode[] {
  if (!isComponent(tag)) return [];
  const title = titleOf(tag);
  return [...tag.attributes]
    .filter(([name, value]) => isCodeOf(name, value) && clean(value) !== title)
    .map(([name, value]) => ({ name, texts: tag.lists.get(name) ?? [value] }));
}

const isCodeOf = (name: string, value: string) => !DETAILS.includes(name) && isCode(name, clean(value));

/**
 * The names of the attributes of a component that a reader may miss: those with what a run would tell, and of a component that
 * is not shown at all its single words, too.
 */
export function droppedOf(tag: JsxTag): string[] {
  if (!isComponent(tag)) return [];
  const isUnseen = tag.kind === "alone" && tagWords(tag) === "" && codeOf(tag).length === 0;
  const words = isUnseen ? [...tag.attributes].filter(([name, value]) => isMissed(name, clean(value))) : [];
  const unknown = [...tag.expressions].filter(([name]) => isMissed(name, undefined));
  return [...words, ...unknown].map(([name]) => name);
}

/** `<Warning>`, `<Aside type="tip">` or `<TabItem label="npm">` as the equivalent `:::` line; undefined for any other. */
export function containerOf(tag: JsxTag): string | undefined {
  const { kind, name, attributes } = tag;
  if (kind === "open" && TAB.test(name)) return titleIn(tag) === "" ? undefined : tabOpening(titleIn(tag));
  const isTyped = /^(?:Callout|Aside|Admonition|Alert)$/.test(name);
  const callout = isTyped ? (attributes.get("type") ?? "note") : name;
  if (kind !== "open" || /^[a-z]/.test(name) || !isCalloutName(callout)) return undefined;
  const title = titleIn(tag);
  if (title === "" && tagWords(tag) !== "") return undefined;
  return `:::${callout.toLowerCase()}${title === "" ? "" : `[${title}]`}`;
}

const TAB = /^(?:TabItem|Tab|Tabs\.Tab|TabPanel)$/;
const TITLE = /^\*\*([^[\]\n*]+)\*\*$/;

/** The title of a tag that has no other words; "" for any other. */
const titleIn = (tag: JsxTag) => TITLE.exec(tagWords(tag))?.[1] ?? "";

/** The words of a tooltip, which come after its content: readers see them when they point at it. */
export function tailWords(tag: JsxTag): string {
  if (!isTooltip(tag)) return "";
  const words = ["headline", "title", "tip", "content"].map((name) => clean(tag.attributes.get(name) ?? ""));
  const tail = words.filter((part) => part !== "").join(": ");
  return tail === "" ? "" : ` (${tail})`;
}

/** The level and anchor of a heading tag. */
export function headingOf(tag: JsxTag): { level: number; id: string | undefined } | undefined {
  const level =
    /^h([1-6])$/.exec(tag.name)?.[1] ?? (tag.name === "Heading" ? tag.attributes.get("level") : undefined);
  if (tag.kind !== "open" || level === undefined || !/^[1-6]$/.test(level)) return undefined;
  return { level: Number(level), id: /^[^\s{}]+$/.exec(tag.attributes.get("id") ?? "")?.[0] };
}

/** The gap that a tag leaves between the words around it. */
export function tagGap(tag: JsxTag): string {
  return tag.name === "" || INLINE.has(tag.name) ? "" : " ";
}

function isTooltip({ name, attributes }: JsxTag): boolean {
  return name === "Tooltip" || attributes.has("tip");
}

/** Whether the name is a word of the page, as in `<Since v="5.0" />`. */
function isVersionNote({ name, kind, attributes }: JsxTag): boolean {
  return kind === "alone" && attributes.has("version") && /^(?:Since|Added|Deprecated|Removed)/.test(name);
}

function versionNote({ name, attributes }: JsxTag): string {
  const version = clean(attributes.get("v") ?? attributes.get("version") ?? "");
  return version === "" ? "" : `${name} ${version}`;
}

/** The words below the title: descriptions, and every attribute that contains several words in a row. */
function details(attributes: Map<string, string>, title: string): string[] {
  const found: string[] = [];
  for (const [name, value] of attributes) {
    const text = clean(value);
    if (text === "" || text === title || isMachinery(name) || isCodeOf(name, value)) continue;
    if (DETAILS.includes(name) || isProse(text)) found.push(text);
  }
  return found;
}

function field(attributes: Map<string, string>): string {
  const name = first(attributes, NAMES);
  if (name === "") return "";
  const type = code(attributes.get("type") ?? "");
  const initial = code(attributes.get("default") ?? attributes.get("initial") ?? "");
  const facts = [
    type,
    attributes.has("required") ? "required" : "",
    attributes.has("deprecated") ? "deprecated" : "",
    initial && `default: ${initial}`,
  ].filter((part) => part !== "");
  const description = clean(attributes.get("description") ?? "");
  return [[`**${code(name)}**`, ...facts].join(", "), description].filter(Boolean).join("\n\n");
}

/** An image, with the title that a component gives it. */
function imageWords({ name, attributes }: JsxTag): string {
  if (isForDarkPages(attributes.get("className") ?? attributes.get("class") ?? "")) return "";
  const title =
    /^[A-Z]/.test(name) && name !== "Image" ? first(attributes, ["title", "caption", "label"]) : "";
  return [image(attributes), title && `**${title}**`].filter((part) => part !== "").join("\n\n");
}

function image(attributes: Map<string, string>): string {
  const alt = clean(attributes.get("alt") ?? "").replace(/[[\]]/g, "");
  const source = clean(attributes.get("src") ?? "");
  return /^[^\s()<>]+$/.test(source) ? `![${alt}](${withWidth(source, attributes.get("width"))})` : alt;
}

function first(attributes: Map<string, string>, names: string[]): string {
  for (const name of names) {
    const value = clean(attributes.get(name) ?? "");
    if (value !== "") return value;
  }
  return "";
}

function code(value: string): string {
  const text = clean(value).replaceAll("`", "");
  return text === "" ? "" : `\`${text}\``;
}

function clean(value: string): string {
  return value.replace(/\s+/g, " ").trim();
}

/**
 * The words of a `{…}`, as far as they can be told without running it. `unwrapJsx` reads JSX in it, unless it
 * is nested too deep.
 */
export function expressionWords(
  raw: string,
  frontMatter: Record<string, unknown>,
  unwrapJsx: (jsx: string) => string | undefined,
): string {
  const inside = raw.slice(1, -1).trim();
  const name = /^front[mM]atter\.([\w$]{1,60})$/.exec(inside)?.[1];
  const value = name !== undefined && Object.hasOwn(frontMatter, name) ? frontMatter[name] : undefined;
  if (typeof value === "string" || typeof value === "number") return String(value).replaceAll("<", "&lt;");
  if (inside.startsWith("/*") && inside.endsWith("*/")) {
    const id = /^\/\*\s*#([^\s{}#]{1,200})\s*\*\/$/.exec(inside)?.[1];
    return id === undefined ? "" : `{#${id}}`;
  }
  const text = stringLiteral(inside);
  if (text !== undefined) return text.replaceAll("<", "&lt;");
  // A name, a short condition, or another Markdown dialect's anchor: the words are kept with their braces.
  if (!raw.includes("\n")) return raw;
  const first = inside.indexOf("<");
  const last = inside.lastIndexOf(">");
  const words = first < 0 || last < first ? undefined : unwrapJsx(inside.slice(first, last + 1));
  return words ?? sentences(inside);
}

/** The strings in a piece of code that look like prose. */
function sentences(code: string): string {
  const strings = [...code.matchAll(/"([^"\n]{1,500})"|'([^'\n]{1,500})'|`([^`]{1,2000})`/g)];
  return strings
    .map((match) => (match[1] ?? match[2] ?? match[3] ?? "").trim())
    .filter((text) => /\s/.test(text))
    .join("\n");
}
