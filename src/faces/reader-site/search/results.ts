import { isRecord } from "@docent/kernel/text/json";
import { element } from "../../dom/element.ts";

/** A passage that was found. */
export interface Found {
  title: string;
  headings: string[];
  content: string;
  highlights: [number, number][];
  href: string;
}

/** A reply: what was found, and what was searched for where words of the query were misspelled. */
export interface FoundReply {
  found: Found[];
  corrected: string | undefined;
}

/** Reads a reply. What is not as it should be is left out. */
export function readFound(reply: unknown): FoundReply {
  const { results, corrected } = isRecord(reply) ? reply : {};
  return {
    found: Array.isArray(results) ? results.filter(isFound) : [],
    corrected: typeof corrected === "string" ? corrected : undefined,
  };
}

/** An entry of the list below the search box. */
export function foundOption(
  { title, headings, content, highlights, href }: Found,
  id: string,
): HTMLAnchorElement {
  const trail = headings.length > 0 && element("span", { class: "trail" }, headings.join(" › "));
  return element(
    "a",
    { id, href, role: "option", tabindex: -1, "aria-selected": "false", dir: "auto" },
    element("span", { class: "title" }, title, trail),
    element("span", { class: "content" }, ...marked(content, highlights)),
  );
}

function marked(text: string, ranges: [number, number][]): (Node | string)[] {
  let at = 0;
  const parts = ranges.flatMap(([start, end]) => {
    const part = [text.slice(at, start), element("mark", {}, text.slice(start, end))];
    at = end;
    return part;
  });
  return [...parts, text.slice(at)];
}

function isFound(value: unknown): value is Found {
  return (
    isRecord(value) &&
    typeof value["title"] === "string" &&
    typeof value["content"] === "string" &&
    // A path of this server, whatever else the reply may say.
    typeof value["href"] === "string" &&
    /^\/(?![/\\])/.test(value["href"]) &&
    isListOf(value["headings"], (each) => typeof each === "string") &&
    isListOf(value["highlights"], (each) => isListOf(each, (place) => typeof place === "number"))
  );
}

const isListOf = (value: unknown, isOne: (each: unknown) => boolean) =>
  Array.isArray(value) && value.every(isOne);
