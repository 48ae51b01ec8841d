import { placeMark } from "../../markdown/anchors.ts";
import { slugOf } from "./heading-ids.ts";

const TAG =
  /^([ \t]*)<(ParamField|ResponseField|Accordion|Tab|Step)\b((?:[^<>"'{]|"[^"]{0,1000}"|'[^']{0,1000}'|\{[^{}]{0,1000}\}){0,200})/;
const NAME = /\s(?:name|path|query|body|header|title)=(?:"([^"]*)"|'([^']*)')/;

/**
 * The line that marks what a tag at the beginning of a line has an id for: a parameter, or a part with a title. An id of
 * the tag's own is marked anyway.
 */
export function placeOfLine(line: string): string | undefined {
  const [, indent = "", tag = "", attributes = ""] = line.includes("<") ? (TAG.exec(line) ?? []) : [];
  const [, double, single] = NAME.exec(attributes) ?? [];
  const name = double ?? single ?? "";
  if (tag === "" || name === "" || /\sid=/.test(attributes)) return undefined;
  const marks = idsOf(tag, name).map(placeMark).join("");
  return marks === "" ? undefined : indent + marks;
}

/** Sites put what a field is before its id, in one way or another; components that are used alone have the bare one. */
function idsOf(tag: string, name: string): string[] {
  if (!tag.endsWith("Field")) return [slugOf(name)];
  const bare = parameterSlug(name);
  const prefixes = tag === "ParamField" ? ["param-", ""] : ["param-", "response-", ""];
  return bare === "" ? [] : prefixes.map((prefix) => prefix + bare);
}

/** `thumbnailsBackground`, `thumbnails.background` and `thumbnails_background` are all `thumbnails-background`. */
const parameterSlug = (name: string) =>
  name
    .normalize("NFKD")
    .replace(/([A-Z]{2,})(\d+)/g, "$1 $2")
    .replace(/([a-z\d]+)([A-Z]{2,})/g, "$1 $2")
    .replace(/([a-z\d])([A-Z])/g, "$1 $2")
    .replace(/([A-Z]+)([A-Z][a-rt-z\d]+)/g, "$1 $2")
    .toLowerCase()
    .replace(/[^a-z\d]+/g, "-")
    .replace(/^-|-$/g, "");
