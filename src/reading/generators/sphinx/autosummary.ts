import { type DocsTree, folderOf, joinLocation, resolveLocation } from "../docs-tree.ts";
import type { PythonObject, PythonSources } from "../python-api/python-api.ts";
import { directiveOf } from "./autodoc.ts";
import { endOfBlock, indented, OPTION } from "./directive-lines.ts";
import { addressOf, type SphinxPage } from "./pages.ts";
import type { SphinxSettings } from "./settings.ts";

const DIRECTIVE = /^([ \t]*)\.\. autosummary::[ \t]*$/;
const MODULE = /^[ \t]*\.\. (?:(?:py:)?(?:currentmodule|module)|automodule)::[ \t]*(\S+)/;
const PAGES_MAX = 20_000;

/** A list of programs' parts on a page, each of which may have a page of its own. */
interface Summary {
  /** Where the list ends. */
  end: number;
  indent: string;
  /** The folder of the pages, as it is written; undefined where they have none. */
  folder: string | undefined;
  /** As they are written, and with the module that they are meant from. */
  items: { shown: string; name: string }[];
}

/** The list that begins at a line; undefined where none does. */
function summaryAt(lines: readonly string[], at: number, module: string): Summary | undefined {
  const [, indent] = DIRECTIVE.exec(lines[at] ?? "") ?? [];
  if (indent === undefined) return undefined;
  const end = endOfBlock(lines, at + 1, indent.length);
  const inside = lines.slice(at + 1, end);
  const options = new Map(
    inside.flatMap((line) => {
      const [, name, value = ""] = OPTION.exec(line) ?? [];
      return name === undefined ? [] : [[name, value] as const];
    }),
  );
  const items = inside.flatMap((line) => {
    const [, tilde, written] = /^[ \t]+(~?)([A-Za-z_][\w.]*)[ \t]*(?:\(.*)?$/.exec(line) ?? [];
    if (written === undefined) return [];
    const isWhole = module === "" || written === module || written.startsWith(`${module}.`);
    const name = isWhole ? written : `${module}.${written}`;
    return [{ shown: tilde ? (written.split(".").at(-1) ?? written) : written, name }];
  });
  return { end, indent, folder: options.get("toctree"), items };
}

/** Each line, or the list that stands there. */
function* partsOf(lines: readonly string[]): Generator<{ line: string } | { summary: Summary }> {
  let module = "";
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? "";
    module = MODULE.exec(line)?.[1] ?? module;
    const summary = summaryAt(lines, at, module);
    if (summary === undefined) yield { line };
    else {
      yield { summary };
      at = summary.end - 1;
    }
  }
}

/** Puts a list of links, with what each leads to in a sentence, into the place of `autosummary`. */
export async function expandSummaries(text: string, { autodoc }: SphinxSettings): Promise<string> {
  if (!text.includes(".. autosummary::")) return text;
  const out: string[] = [];
  for (const part of partsOf(text.split("\n"))) {
    if ("line" in part) {
      out.push(part.line);
      continue;
    }
    const { indent, folder, items } = part.summary;
    const written: string[] = [];
    if (folder !== undefined)
      written.push(
        ".. toctree::",
        "   :hidden:",
        "",
        ...items.map(({ name }) => `   ${joinLocation(folder.replace(/\/$/, ""), name)}`),
        "",
      );
    for (const { shown, name } of items) {
      const sentence = firstSentence((await docOf(autodoc.sources, name)) ?? "");
      written.push(`- :py:obj:\`${shown} <${name}>\`${sentence === "" ? "" : ` – ${sentence}`}`);
    }
    out.push(...indented(["", ...written, ""], indent));
  }
  return out.join("\n");
}

async function docOf(sources: PythonSources, name: string): Promise<string | undefined> {
  return (await sources.module(name))?.doc ?? (await sources.find(name))?.object.doc;
}

const firstSentence = (doc: string) =>
  (doc.split(/\n\s*\n/, 1)[0] ?? "")
    .replace(/\s+/g, " ")
    .replace(/^(.{0,300}?[.!?])(?: .*|)$/, "$1")
    .trim();

/** The pages that Sphinx writes for the parts of programs that are listed, over the files that there are. */
export async function withSummaryPages(
  tree: DocsTree,
  settings: SphinxSettings,
  pages: readonly SphinxPage[],
): Promise<{ tree: DocsTree; pages: SphinxPage[] }> {
  if (!settings.extensions.has("sphinx.ext.autosummary") || !settings.generatesSummaries)
    return { tree, pages: [...pages] };
  const texts = new Map<string, string>();
  const made = new Map<string, SphinxPage>();
  const known = new Set(pages.map(({ name }) => name));
  for (const page of pages.filter(({ format }) => format === "rst")) {
    const text = (await tree.text(page.location)) ?? "";
    if (!text.includes(".. autosummary::")) continue;
    for (const part of partsOf(text.replace(/\r\n?/g, "\n").split("\n"))) {
      if ("line" in part || part.summary.folder === undefined) continue;
      const folder = resolveLocation(folderOf(page.name), part.summary.folder);
      for (const { name } of folder === undefined ? [] : part.summary.items) {
        const place = joinLocation(folder ?? "", name);
        const written =
          known.has(place) || made.size >= PAGES_MAX ? undefined : await textFor(tree, name, settings);
        if (written === undefined) continue;
        const location = joinLocation(settings.root, `${place}.rst`);
        texts.set(location, written);
        made.set(place, { location, path: addressOf(place, settings), name: place, format: "rst" });
      }
    }
  }
  // Of two descriptions of the same, the later page's counts.
  const all = [...pages, ...made.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  return { tree: over(tree, texts), pages: made.size === 0 ? [...pages] : all };
}

/** A page as Sphinx's own template for it is, with the title of the site's. */
async function textFor(tree: DocsTree, name: string, settings: SphinxSettings): Promise<string | undefined> {
  const { sources } = settings.autodoc;
  const found = await sources.find(name);
  if (found === undefined)
    return (await sources.module(name)) === undefined
      ? undefined
      : `${name}\n${"=".repeat(name.length)}\n\n.. automodule:: ${name}\n`;
  const owner = name.split(".").slice(0, -1).join(".");
  const isOfClass = (await sources.find(owner))?.object.kind === "class";
  const kind = directiveOf(found.object, isOfClass);
  const template = await templateOf(tree, kind, settings);
  const title = titleBy(template, name, isOfClass);
  const inside = template === "" && kind === "class" ? classLines(name, await sources.membersOf(found)) : [];
  return [title, "=".repeat(title.length), "", `.. auto${kind}:: ${name}`, "", ...inside, ""].join("\n");
}

/** What Sphinx's own template shows of a class: how it is made, and its methods and attributes as lists. */
function classLines(name: string, members: readonly PythonObject[]): string[] {
  const shown = members.filter((member) => member.name === "__init__" || !member.name.startsWith("_"));
  const listed = (title: string, kinds: readonly string[]) => {
    const names = shown
      .filter(({ kind }) => kinds.includes(kind))
      .map((member) => `      ~${name}.${member.name}`);
    return names.length === 0
      ? []
      : [`   .. rubric:: ${title}`, "", "   .. autosummary::", "", ...names.sort(), ""];
  };
  return [
    `   .. automethod:: ${name}.__init__`,
    "",
    ...listed("Methods", ["function"]),
    ...listed("Attributes", ["property", "data"]),
  ];
}

async function templateOf(
  tree: DocsTree,
  kind: string,
  { root, templateFolders }: SphinxSettings,
): Promise<string> {
  for (const folder of templateFolders)
    for (const name of [kind, "base"]) {
      const text = await tree.text(joinLocation(root, `${folder}/autosummary/${name}.rst`));
      if (text !== undefined) return text;
    }
  return "";
}

/** Templates underline one of a thing's names. */
function titleBy(template: string, name: string, isOfClass: boolean): string {
  const said = /\{\{-?\s*(fullname|objname|name)\b[^}\n]{0,100}underline/.exec(template)?.[1];
  const parts = name.split(".");
  if (said === "name") return parts.at(-1) ?? name;
  return said === "objname" ? parts.slice(isOfClass ? -2 : -1).join(".") : name;
}

/** Files as they are, and those that were made. */
function over(tree: DocsTree, made: ReadonlyMap<string, string>): DocsTree {
  if (made.size === 0) return tree;
  return {
    ...tree,
    has: (location) => made.has(location) || tree.has(location),
    text: async (location) => made.get(location) ?? tree.text(location),
  };
}
