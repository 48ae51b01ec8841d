import { asNumber, asRecord } from "../../../text/json.ts";
import type { MkDocsSettings } from "../settings.ts";

/** A heading may be written before it. */
const DIRECTIVE = /^([ \t]*)(#{1,6} +)?::: +([\w.:-]{1,300})[ \t]*$/;
const CANDIDATE = /\[((?:[^[\]\n]|\[[^[\]\n]*\]){1,300})\]\[([^[\]\n]{0,300})\]/g;

/** The pages that describe an object of a program, by its name. */
export type ObjectPages = ReadonlyMap<string, string>;

/**
 * What `::: package.name` stands for is made from a program: its heading is all that is known. What is indented below
 * are options.
 */
export function readObjects(markdown: string, { plugins, extensions }: MkDocsSettings): string {
  const isOn = plugins.has("mkdocstrings") || extensions.has("mkautodoc");
  if (!isOn || !markdown.includes(":::")) return markdown;
  const usual = optionsOf(plugins.get("mkdocstrings"));
  const lines = markdown.split("\n");
  const out: string[] = [];
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? "";
    const [whole, indent = "", marks, name = ""] = DIRECTIVE.exec(line) ?? [];
    if (whole === undefined) {
      out.push(line);
      continue;
    }
    const own: string[] = [];
    for (const inside = new RegExp(`^${indent}[ \\t]{2,}\\S`); inside.test(lines[at + 1] ?? ""); at++)
      own.push(lines[at + 1] ?? "");
    const isRoot = own.find((each) => /^\s*show_root_heading:/.test(each));
    const isShown =
      marks !== undefined || (isRoot === undefined ? usual.showsRoot : /:\s*true/i.test(isRoot));
    const level =
      marks?.trim().length ?? Number(/heading_level: *([1-6])/.exec(own.join("\n"))?.[1] ?? usual.level);
    out.push("", isShown ? `${"#".repeat(level)} \`${name}\` {#${name}}` : `${indent}\`${name}\``, "");
  }
  return out.join("\n");
}

function optionsOf(plugin: Readonly<Record<string, unknown>> | undefined): {
  showsRoot: boolean;
  level: number;
} {
  const python = asRecord(asRecord(plugin?.["handlers"])["python"]);
  const options = asRecord(python["options"]);
  return { showsRoot: options["show_root_heading"] === true, level: asNumber(options["heading_level"]) ?? 2 };
}

/** The objects that a page describes. */
export const objectsOf = (markdown: string): string[] =>
  markdown.split("\n").flatMap((line) => DIRECTIVE.exec(line)?.[3] ?? []);

export const hasReferences = (markdown: string) => /\]\[[^[\]\n]{0,300}\]/.test(markdown);

/** Links by an object's name: `[text][package.name]` and `[package.name][]`. */
export function linkReferences(markdown: string, objects: ObjectPages): string {
  const defined = new Set(
    [...markdown.matchAll(/^ {0,3}\[([^\]\n]{1,300})\]:/gm)].map(([, label = ""]) => label.toLowerCase()),
  );
  return markdown.replace(CANDIDATE, (whole, text: string, written: string) => {
    const name = written === "" ? text.replace(/^`|`$/g, "") : written;
    if (defined.has((written === "" ? text : written).toLowerCase())) return whole;
    const path = pageOf(objects, name);
    if (path !== undefined) return `[${text}](/${path}#${name})`;
    // What is described on another site.
    return /^[\w-]+(?:\.[\w-]+)+$/.test(name) ? text : whole;
  });
}

/** The page of an object, or of the one that it is a part of. */
function pageOf(objects: ObjectPages, name: string): string | undefined {
  for (let part = name; part !== ""; part = part.slice(0, Math.max(0, part.lastIndexOf(".")))) {
    const path = objects.get(part);
    if (path !== undefined) return path;
  }
  return undefined;
}
