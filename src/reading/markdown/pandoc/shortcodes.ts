import { isRecord } from "@docent/kernel/text/json";
import type { PandocProject } from "./references.ts";

/** Quarto's shortcodes, and those of Hugo in R Markdown for it. Three braces show one. */
export const SHORTCODE =
  /\{\{[<%](?!\})[ \t]*(\/?[\w-]{1,60})((?:[^{}\n]|\{(?!\{)|\}(?!\})){0,1000}?)[ \t]*[>%]\}\}/;
const SHOWN = /\{\{\{([<%][^\n]{0,1000}?[>%])\}\}\}/g;
const ARGUMENT = /([\w-]{1,60})=(?:"([^"]*)"|'([^']*)'|(\S+))|"([^"]*)"|'([^']*)'|(\S+)/g;

interface Arguments {
  plain: string[];
  named: ReadonlyMap<string, string>;
}

function readArguments(written: string): Arguments {
  const plain: string[] = [];
  const named = new Map<string, string>();
  for (const [, name, a, b, c, d, e, f] of written.matchAll(ARGUMENT)) {
    if (name === undefined) plain.push(d ?? e ?? f ?? "");
    else named.set(name, a ?? b ?? c ?? "");
  }
  return { plain, named };
}

/** The Markdown of a shortcode. Of most nothing can be had: they are icons, breaks, and what is shown from elsewhere. */
export function writeShortcode(
  name: string,
  written: string,
  { variables, metadata }: Pick<PandocProject, "variables" | "metadata">,
): string {
  const { plain, named } = readArguments(written);
  const [first = "", second = ""] = plain;
  switch (name) {
    case "var":
      return wordsAt(variables, first);
    case "meta":
      return wordsAt(metadata, first);
    case "env":
      return second;
    case "kbd":
      return `<kbd>${(first || ([...named.values()][0] ?? "")).replace(/[<&]/g, "")}</kbd>`;
    case "video":
      return /^[^\s()<>]+$/.test(first)
        ? `[${(named.get("title") ?? first).replace(/[[\]]/g, "")}](${first})`
        : "";
    default:
      return "";
  }
}

/** The value at a path such as `version.major`. */
function wordsAt(data: unknown, path: string): string {
  let value = data;
  for (const name of path.split(/\.|(?<!\\)\[|\]/).filter((each) => each !== ""))
    value = isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined;
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean"
    ? String(value)
    : "";
}

const EVERYWHERE = new RegExp(SHORTCODE, "g");

/** Code with the values that it takes in, and the shortcodes that it shows. */
export function codeWithValues(code: string, project: PandocProject): string {
  if (!code.includes("{{")) return code;
  return code
    .replace(/(?<!\{)\{\{<[^\n]{1,1000}?>\}\}(?!\})/g, (whole) =>
      whole.replace(EVERYWHERE, (same, name: string, written: string) =>
        /^(?:var|meta)$/.test(name) ? writeShortcode(name, written, project) || same : same,
      ),
    )
    .replace(SHOWN, "{{$1}}");
}
