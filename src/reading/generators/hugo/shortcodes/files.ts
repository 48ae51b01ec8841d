import { fenceMarks } from "@docent/kernel/text/markdown-lines";
import { codeFence } from "@docent/kernel/text/write-markdown";
import { folderOf, joinLocation, nameOf, resolveLocation } from "../../docs-tree.ts";
import { readIncluded, writeHeadingIds } from "../../writing/writing.ts";
import { readSource } from "../front-matter.ts";
import { createHeadingNames } from "../heading-ids.ts";
import {
  argumentOf,
  labelled,
  NOTHING,
  type ShortcodeContext,
  type WriteShortcode,
  type Written,
  withoutOuterLines,
} from "./writing.ts";

/** A file that a shortcode names, by the places where sites and themes look for it. */
function findFile({ site, page, files }: ShortcodeContext, written: string): string | undefined {
  const { tree, settings } = site;
  const { root, mounts } = settings;
  const name = written.replace(/^\/+/, "");
  const own = mounts.find(({ source }) => page.location === source || page.location.startsWith(`${source}/`));
  const contents = [own, ...mounts.filter(({ language }) => language.isDefault)].flatMap(
    (mount) => mount?.source ?? [],
  );
  const folders = [
    ...(written.startsWith("/") ? [] : [folderOf(page.location), folderOf(files.at(-1) ?? "")]),
    ...(own === undefined ? [] : includesAbove(page.location, own.source)),
    ...contents,
    ...contents.flatMap((folder) => [joinLocation(folder, "examples"), joinLocation(folder, "includes")]),
    root,
    ...["static", "assets", "data", "snippets", "examples", "content"].map((folder) =>
      joinLocation(root, folder),
    ),
  ];
  const places = folders.flatMap((folder) => resolveLocation(folder, name) ?? []);
  const endings = ["", ".md", "/index.md", "/_index.md"];
  return places.flatMap((place) => endings.map((ending) => place + ending)).find((place) => tree.has(place));
}

/** The folders of parts beside a page and above it, the nearest first. */
function includesAbove(location: string, top: string): string[] {
  const found: string[] = [];
  for (let at = folderOf(location); at.startsWith(`${top}/`); at = folderOf(at))
    found.push(joinLocation(at, "_includes"));
  return [...found, joinLocation(top, "_includes")];
}

/** What a file holds; undefined, with a fault, where it cannot be had. */
async function readNamed(
  context: ShortcodeContext,
  shortcode: string,
  written: string,
): Promise<{ location: string; text: string } | undefined> {
  const location = findFile(context, written);
  const included = await readIncluded(context.inclusions, location, context.files);
  if (included.fault === undefined) return included;
  context.faults.add(
    `${written.slice(0, 200)}, which the shortcode "${shortcode}" includes, ${included.fault}`,
  );
  return undefined;
}

const LANGUAGES: Record<string, string> = {
  yml: "yaml",
  sh: "bash",
  py: "python",
  js: "javascript",
  ts: "typescript",
};

/** `code_sample`, `codenew`: a file as code. */
export const writeCodeFile: WriteShortcode = async (shortcode, context) => {
  const written = argumentOf(shortcode, ["file", "path", "src", "filename"], 0);
  if (written === undefined) return codeOf(shortcode, context);
  const read = await readNamed(context, shortcode.name, written);
  if (read === undefined) return NOTHING;
  const language = argumentOf(shortcode, ["language", "lang", "codelang"], 1) ?? languageOf(read.location);
  return { block: `**${nameOf(read.location)}**\n\n${codeFence(read.text.trimEnd(), language)}` };
};

/** The language of a file by its ending. */
export const languageOf = (location: string) => {
  const ending = location.slice(location.lastIndexOf(".") + 1).toLowerCase();
  return LANGUAGES[ending] ?? ending;
};

async function codeOf(...[shortcode, context]: Parameters<WriteShortcode>): Promise<Written> {
  const text = await context.code(shortcode);
  // A site's own shortcode of this name may put a title to code that has its fence.
  if (fenceMarks(text.trimStart()) !== "") {
    const title = argumentOf(shortcode, ["title", "caption", "file"]) ?? "";
    return { block: labelled(title, withoutOuterLines(await context.inner(shortcode))) };
  }
  const language = argumentOf(shortcode, ["language", "lang"], 0) ?? "";
  return text.trim() === "" ? NOTHING : { block: codeFence(text.replace(/^\n+/, "").trimEnd(), language) };
}

const MARKDOWN = /\.(?:md|markdown|html)$/i;

/** `include`, `readfile`: a file as a part of the page, or as code. */
export const writeInclude: WriteShortcode = async (shortcode, context) => {
  const written = argumentOf(shortcode, ["file", "path", "src", "page", "source"], 0);
  if (written === undefined) return NOTHING;
  const read = await readNamed(context, shortcode.name, written);
  if (read === undefined) return NOTHING;
  const language = argumentOf(shortcode, ["lang", "language"], 1);
  const isCode =
    argumentOf(shortcode, ["code"]) === "true" || language !== undefined || !MARKDOWN.test(read.location);
  if (isCode && !/\.txt$/.test(read.location))
    return { block: codeFence(read.text.trimEnd(), language ?? languageOf(read.location)) };
  const { body } = readSource(read.text);
  const expanded = await context.expand(body, { ...context, files: [...context.files, read.location] });
  // What is not a part of the page's own Markdown is turned into HTML by itself, with ids of its own.
  const text = shortcode.isMarkdown
    ? expanded
    : writeHeadingIds(expanded, createHeadingNames(context.site.settings));
  return text.trim().includes("\n") || /^\s*[#>|:-]/.test(text)
    ? { block: text.trim() }
    : { inline: text.trim() };
};
