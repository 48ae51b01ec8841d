import { asList, asText } from "@docent/kernel/text/json";
import { splitFrontMatter } from "../../../markdown/front-matter.ts";
import { unwrapMaths } from "../../../markdown/maths.ts";
import { unwrapDefinitionLists } from "../../../markdown/unwrap-definitions.ts";
import type { DocsTree } from "../../docs-tree.ts";
import { createInclusions, eachOutsideCode } from "../../writing/writing.ts";
import type { MkDocsSettings } from "../settings.ts";
import { unwrapBlocks } from "./blocks.ts";
import {
  appendedTo,
  expandIncludeMarkdown,
  expandIncludes,
  expandTemplates,
  type Reading,
} from "./includes.ts";
import { marksOf, readInline } from "./inline.ts";
import { expandMacros, extraValues, macroValues } from "./macros.ts";
import { describePrograms } from "./programs.ts";

export { marksOf, readInline } from "./inline.ts";

/** A page's source with what it takes in, before its own markup is read. */
interface SourcePage {
  data: Record<string, unknown>;
  body: string;
  /** The names of what programs say of themselves in it. */
  described: string[];
  /** The names under which objects are described, by the names under which modules define the same objects. */
  aliases: ReadonlyMap<string, string>;
  faults: Set<string>;
  reading: Reading;
}

export async function readSource(
  tree: DocsTree,
  settings: MkDocsSettings,
  location: string,
): Promise<SourcePage> {
  const { data, body, fault } = splitMeta((await tree.text(location)) ?? "", settings.isZensical);
  const faults = new Set(fault === undefined ? [] : [fault]);
  const reading: Reading = { inclusions: createInclusions(tree), settings, location, faults };
  const included = await expandIncludeMarkdown(body, reading, location, [location]);
  const macros = settings.plugins.get("macros") ?? settings.extensions.get("zensical.extensions.macros");
  const isFilled = macros !== undefined && (data["render_macros"] ?? macros["render_by_default"]) !== false;
  const filled = isFilled
    ? expandMacros(
        await expandTemplates(included, reading, macros, [location]),
        macroValues({ ...settings.config, extra: await extraValues(tree, settings, macros) }, data),
        faults,
        macros,
      )
    : included;
  const whole = await expandIncludes(
    asList(settings.config["hooks"]).length > 0 ? withoutFilled(filled, faults) : filled,
    reading,
  );
  const { markdown, names, aliases } = await describePrograms(whole, settings, {
    slugify: settings.slugify,
    faults,
  });
  return { data, body: markdown, described: names, aliases, faults, reading };
}

/** Leaves out lines that only a program of the repository's own fills: `{{ sponsors }}`. */
function withoutFilled(markdown: string, faults: Set<string>): string {
  return eachOutsideCode(markdown, (text) =>
    text.replace(/^[ \t]*\{\{[ \t]*([\w.]{1,100})[ \t]*\}\}[ \t]*$/gm, (_, name: string) => {
      faults.add(`{{ ${name} }} is filled by a program, which is not run`);
      return "";
    }),
  );
}

/** Lines `Name: value` at the beginning of a page are front matter too. */
function splitMeta(
  text: string,
  isZensical: boolean,
): { data: Record<string, unknown>; body: string; fault?: string } {
  const split = splitFrontMatter(text);
  if (isZensical || split.bodyLine > 1 || split.fault !== undefined) return split;
  const lines = split.body.split("\n");
  const data: Record<string, unknown> = Object.create(null);
  let name: string | undefined;
  let count = 0;
  for (const line of lines) {
    const [whole, key, value = ""] = /^([A-Za-z0-9_-]{1,100}):\s*(.*)$/.exec(line) ?? [];
    const isMore = name !== undefined && /^(?: {4,}|\t)\S/.test(line);
    if (whole === undefined && !isMore) break;
    count += 1;
    if (key !== undefined) name = key.toLowerCase();
    if (name !== undefined)
      data[name] = [asText(data[name]), key === undefined ? line.trim() : value.trim()]
        .filter((each) => each !== undefined)
        .join(" ");
  }
  return count === 0 ? split : { data, body: lines.slice(count).join("\n") };
}

/** Plain Markdown from a page's source, with the ids that its author gave to anything. */
export async function readMarkup({
  body,
  described,
  reading,
}: SourcePage): Promise<{ markdown: string; ids: string[] }> {
  const { settings } = reading;
  const types = settings.extensions.get("pymdownx.blocks.admonition")?.["types"];
  const names = asList(types).flatMap((each) => asText(each) ?? []);
  const hasBlocks = settings.isZensical || [...settings.extensions.keys()].some(isOfBlocks);
  // An extension of the repository's own may have blocks of its own.
  const takesAnyName = [...settings.extensions.keys()].some(
    (name) => name.includes(".") && !/^(?:pymdownx|markdown|material|zensical)\./.test(name),
  );
  const unwrapped = hasBlocks
    ? unwrapBlocks(body, { ownTypes: names, takesAnyName, marksTabs: settings.tabs !== undefined })
    : body;
  const appended = await appendedTo(reading);
  const whole = appended === "" ? unwrapped : `${unwrapped}\n\n${appended}`;
  const hasDefinitions = DEFINITION_LISTS.some((name) => settings.extensions.has(name));
  // A caret in a formula is none of `pymdownx.caret`.
  const formulas = unwrapMaths(whole);
  const written = hasDefinitions ? unwrapDefinitionLists(formulas, { afterHeadings: true }) : formulas;
  const read = readInline(written, marksOf(settings.extensions));
  return { markdown: read.markdown, ids: [...read.ids, ...described] };
}

const DEFINITION_LISTS = ["def_list", "extra", "pymdownx.extra"];

const isOfBlocks = (name: string) =>
  /^(?:admonition|pymdownx\.(?:details|tabbed|superfences|extra|blocks\..*)|fenced_code|extra|codehilite|tables|toc)$/.test(
    name,
  );

const CANDIDATE = /\[((?:[^[\]\n]|\[[^[\]\n]*\]){1,300})\]\[([^[\]\n]{0,300})\]/g;

/** Where an object of a program is described. */
export interface ObjectPlace {
  path: string;
  /** The name that is its id there. */
  id: string;
}

/** The places of objects by their names: those that pages ask for, and those by which their modules define them. */
export type ObjectPages = ReadonlyMap<string, ObjectPlace>;

export const hasReferences = (markdown: string) => /\]\[[^[\]\n]{0,300}\]/.test(markdown);

/** Links by an object's name: `[text][package.name]` and `[package.name][]`. */
export function linkReferences(
  markdown: string,
  objects: ObjectPages,
  { describesPrograms }: { describesPrograms: boolean },
): string {
  const defined = new Set(
    [...markdown.matchAll(/^ {0,3}\[([^\]\n]{1,300})\]:/gm)].map(([, label = ""]) => label.toLowerCase()),
  );
  return markdown.replace(CANDIDATE, (whole, text: string, written: string, at: number) => {
    const name = written === "" ? text.replace(/^`|`$/g, "") : written;
    if (defined.has((written === "" ? text : written).toLowerCase())) return whole;
    const place = placeOf(objects, name);
    if (place !== undefined) return `[${text}](/${place.path}#${place.id})`;
    // What is described on another site.
    const isName = /^[\w-]+(?:\.[\w-]+)+$/.test(name);
    const isLabel =
      describesPrograms && /^[\w-]{3,}$/.test(written) && !/[\w\]]/.test(markdown[at - 1] ?? "");
    return isName || isLabel ? text : whole;
  });
}

/** The place of an object; one that is not described is looked for on the page of what it is a part of. */
function placeOf(objects: ObjectPages, name: string): ObjectPlace | undefined {
  for (let part = name; part !== ""; part = part.slice(0, Math.max(0, part.lastIndexOf(".")))) {
    const place = objects.get(part);
    if (place !== undefined) return { path: place.path, id: place.id + name.slice(part.length) };
  }
  return undefined;
}
