import { isRecord, jsonIn } from "@docent/kernel/text/json";
import { splitFrontMatter } from "../../markdown/front-matter.ts";
import { withLowerKeys } from "./lower-keys.ts";

/** A page's own metadata, with its names in lower case, and its body. */
interface HugoSource {
  data: Record<string, unknown>;
  body: string;
  fault?: string;
}

/** Reads front matter in YAML, TOML, or JSON. */
export function readSource(text: string): HugoSource {
  // White space may stand before it, and it may stand in a comment, which GitHub does not show.
  const start = text.trimStart();
  const opened = start.replace(/^<!--[^\n]*\n\s*(?=---|\+\+\+|\{)/, "");
  const json = opened.startsWith("{") ? splitJson(opened) : undefined;
  const split = json ?? splitFrontMatter(/^(?:---|\+\+\+)/.test(opened) ? opened : text);
  const { data, fault } = split;
  const body = opened === start ? split.body : split.body.replace(/^\s*-->/, "");
  const lower = withLowerKeys(data);
  const own = isRecord(lower) ? lower : Object.create(null);
  return { data: withParams(own), body, ...(fault === undefined ? {} : { fault }) };
}

/** Parameters may stand below `params`. */
function withParams(data: Record<string, unknown>): Record<string, unknown> {
  const { params } = data;
  return isRecord(params) ? Object.assign(Object.create(null), params, data) : data;
}

function splitJson(
  source: string,
): { data: Record<string, unknown>; body: string; fault?: string } | undefined {
  const end = /^\}[ \t]*$/m.exec(source);
  const ends = [source.indexOf("}\n"), end === null ? -1 : end.index].filter((at) => at >= 0);
  for (const at of ends) {
    const value = jsonIn(source.slice(0, at + 1));
    if (isRecord(value)) return { data: value, body: source.slice(at + 1) };
  }
  return undefined;
}
