import type { JsxTag } from "./mdx-tag.ts";

const TITLES = ["title", "label", "heading", "header", "summary", "caption", "question", "name", "alt"];
const NAMES = ["name", "path", "query", "body", "header", "param", "prop"];
/** Components that document a parameter say its name, type and default in attributes alone. */
const FIELD = /(?:Field|Param|Parameter|Prop|Property|Option|Argument|Header)$/;
const INLINE = new Set(
  "a abbr b bdi cite code del dfn em i ins kbd mark q s samp small span strong sub sup u var".split(" "),
);

/** What a tag says by itself, as Markdown: its title, its description, or the parameter that it documents. */
export function tagWords(tag: JsxTag): string {
  if (tag.kind === "close") return "";
  const { attributes } = tag;
  if (tag.name === "img" || tag.name === "Image") return image(attributes);
  if (FIELD.test(tag.name)) return field(attributes);
  if (/^[a-z]/.test(tag.name)) return "";
  const title = first(attributes, TITLES);
  const description = clean(attributes.get("description") ?? "");
  const href = clean(attributes.get("href") ?? "");
  const linked = title !== "" && /^[^\s()<>]+$/.test(href) ? `[${title}](${href})` : title;
  return [linked && `**${linked}**`, description].filter((part) => part !== "").join("\n\n");
}

/** What a tag leaves between the words around it. */
export function tagGap(tag: JsxTag): string {
  return tag.name === "" || INLINE.has(tag.name) ? "" : " ";
}

function field(attributes: Map<string, string>): string {
  const name = first(attributes, NAMES);
  if (name === "") return "";
  const type = code(attributes.get("type") ?? "");
  const initial = code(attributes.get("default") ?? attributes.get("initial") ?? "");
  const details = [
    type,
    attributes.has("required") ? "required" : "",
    attributes.has("deprecated") ? "deprecated" : "",
    initial && `default: ${initial}`,
  ].filter((part) => part !== "");
  return [`**${code(name)}**`, ...details].join(", ");
}

function image(attributes: Map<string, string>): string {
  const alt = clean(attributes.get("alt") ?? "").replace(/[[\]]/g, "");
  const source = clean(attributes.get("src") ?? "");
  return /^[^\s()<>]+$/.test(source) ? `![${alt}](${source})` : alt;
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
