import { asList, asText } from "@docent/kernel/text/json";
import { splitFrontMatter } from "../../../markdown/front-matter.ts";
import { folderOf, joinLocation, resolveLocation } from "../../docs-tree.ts";
import { type Inclusions, readIncluded, rewriteLinks } from "../../writing/writing.ts";
import type { MkDocsSettings } from "../settings.ts";
import { linesOf, sectionOf, splitSpecifier, withoutSectionMarks } from "./snippet-parts.ts";

/** A page that is being read. */
export interface Reading {
  inclusions: Inclusions;
  settings: MkDocsSettings;
  /** The page's file. */
  location: string;
  /** What was wrong, for its author. */
  faults: Set<string>;
}

/** Puts the files that a page takes in by extensions of Markdown into their places, in code too. */
export async function expandIncludes(markdown: string, reading: Reading): Promise<string> {
  return expandLines(markdown, reading, [reading.location]);
}

const VARIANTS = /^[ \t]*\{\*[ \t]*(\S{1,500})[ \t]*(?![ \t])(|.{1,500}?(?<![ \t]))[ \t]*\*\}[ \t]*$/;
const SNIPPET = /^([ \t]*)(;*)-+8<-+[ \t]+(?:"([^"\n]{1,500})"|'([^'\n]{1,500})')$/;
const SNIPPET_BLOCK = /^([ \t]*)(;*)-+8<-+$/;
const MDX =
  /(\\?)\{!([+-]?)>?\s{0,20}([^\][|!]{1,500}?)(?:\s{0,20}\[ln:([\d.,-]{1,200})\])?\s{0,20}(?:\|[^!]{1,50})?!\}/g;

/** Extensions that read `{!file!}`. */
const MDX_NAMES = ["mdx_include", "markdown_include.include", "markdown_include"];

async function expandLines(markdown: string, reading: Reading, above: readonly string[]): Promise<string> {
  const { extensions, isZensical } = reading.settings;
  const isOn = {
    snippets: extensions.has("pymdownx.snippets"),
    mdx: MDX_NAMES.some((name) => extensions.has(name)),
    variants: extensions.has("markdown_include_variants"),
  };
  if (!isZensical && !isOn.snippets && !isOn.mdx && !isOn.variants) return markdown;
  const out: string[] = [];
  /** Inside of a block of names between two `--8<--`. */
  let block: string | undefined;
  for (const line of markdown.split("\n")) {
    const marked = isOn.snippets && line.includes("8<") ? line.trimEnd() : "";
    const [, indent = "", escaping = ""] = SNIPPET_BLOCK.exec(marked) ?? [];
    if (block !== undefined || (marked !== "" && escaping === "" && SNIPPET_BLOCK.test(marked))) {
      if (block === undefined) block = indent;
      else if (SNIPPET_BLOCK.test(marked)) block = undefined;
      else if (line.trim() !== "" && !line.trim().startsWith(";"))
        out.push(indented(await readSnippet(line.trim(), reading, above), block));
      continue;
    }
    const [whole, before = "", escaped = "", double, single] = SNIPPET.exec(marked) ?? [];
    const variants = isOn.variants && line.includes("{*") ? VARIANTS.exec(line) : null;
    if (whole !== undefined && escaped === "")
      out.push(indented(await readSnippet(double ?? single ?? "", reading, above), before));
    else if (marked.trimStart().startsWith(";")) out.push(line.replace(";", ""));
    else if (variants !== null) out.push(await readVariant(variants[1] ?? "", variants[2] ?? "", reading));
    else if (isOn.mdx && line.includes("{!")) out.push(await expandMdx(line, reading, above));
    else out.push(line);
  }
  return out.join("\n");
}

const indented = (text: string, indent: string) => (indent === "" ? text : text.replace(/^(?=.)/gm, indent));

/** `"file"`, `"file:2:5"` and `"file:section"`. */
async function readSnippet(written: string, reading: Reading, above: readonly string[]): Promise<string> {
  const { path, ranges, section } = splitSpecifier(written);
  if (path === "") return "";
  const found = await readFirst(path, snippetPlaces(path, reading.settings), reading, above);
  if (found === undefined) return "";
  const part = section === undefined ? linesOf(found.text, ranges) : sectionOf(found.text, section);
  if (part === undefined) {
    reading.faults.add(`${written}, which it includes, has no such section`);
    return "";
  }
  return expandLines(withoutSectionMarks(part), reading, [...above, found.location]);
}

/** Where the file of a snippet can be: MkDocs is run beside its configuration, or at the top of the repository. */
function snippetPlaces(path: string, { root, docsFolder, extensions }: MkDocsSettings): string[] {
  const said = extensions.get("pymdownx.snippets")?.["base_path"];
  const bases = (Array.isArray(said) ? asList(said) : [said]).flatMap((each) => asText(each) ?? []);
  return placesBelow(
    (bases.length === 0 ? ["."] : bases).map((base) =>
      base
        .replace(/^(?:!relative )?\$docs_dir/, `/${docsFolder}`)
        .replace(/^(?:!relative )?\$config_dir/, `/${root}`),
    ),
    path,
    root,
  );
}

function placesBelow(bases: readonly string[], path: string, root: string): string[] {
  const folders = bases.flatMap((base) =>
    base.startsWith("/")
      ? [resolveLocation("", base)]
      : [resolveLocation(root, base), resolveLocation("", base)],
  );
  return folders.flatMap((folder) =>
    folder === undefined ? [] : (resolveLocation(folder, `./${path}`) ?? []),
  );
}

/** `{!file!}` and `{!file[ln:1-3]!}`, anywhere in a line. */
async function expandMdx(line: string, reading: Reading, above: readonly string[]): Promise<string> {
  const pieces: string[] = [];
  let at = 0;
  for (const match of line.matchAll(MDX)) {
    const [whole, escaped, , path = "", slices] = match;
    pieces.push(line.slice(at, match.index));
    at = match.index + whole.length;
    if (escaped !== "") pieces.push(whole.slice(1));
    else {
      const found = await readFirst(path, mdxPlaces(path, reading.settings), reading, above);
      if (found === undefined) continue;
      const text = slices === undefined ? found.text : linesOf(found.text, slices.replaceAll(/[-.]+/g, ":"));
      pieces.push(await expandLines(text.replace(/\n$/, ""), reading, [...above, found.location]));
    }
  }
  return [...pieces, line.slice(at)].join("");
}

function mdxPlaces(path: string, { root, extensions }: MkDocsSettings): string[] {
  return placesBelow(
    [asText(MDX_NAMES.map((name) => extensions.get(name)?.["base_path"]).find(Boolean)) ?? "."],
    path,
    root,
  );
}

/** `{* file ln[1:3] hl[2] title["Name"] *}`: a part of a program, or all of it. */
async function readVariant(path: string, options: string, reading: Reading): Promise<string> {
  const found = await readFirst(path, placesBelow(["."], path, reading.settings.root), reading, [
    reading.location,
  ]);
  if (found === undefined) return "";
  const slices = [...options.matchAll(/\bln\[([\d:, ]{1,200})\]/g)].map(([, each = ""]) =>
    each.replaceAll(" ", ""),
  );
  const title = /\btitle\["([^"\]]{1,200})"\]/.exec(options)?.[1];
  const isWhole = slices.length === 0 || slices.join() === "0";
  const code = isWhole ? found.text.replace(/\n$/, "") : linesOf(found.text, slices.join(","), "\n\n");
  return [`\`\`\`python${title === undefined ? "" : ` title="${title}"`}`, code, "```"].join("\n");
}

const INCLUDE_MARKDOWN =
  /^([ \t]*)(.*?)\{%[ \t\n]{0,20}include(-markdown)?\s{1,20}(?:"([^"\n]{1,500})"|'([^'\n]{1,500})')([^%]{0,2000}?)%\}/gm;

/** `{% include-markdown "file" %}` of the plugin of that name. */
export async function expandIncludeMarkdown(
  markdown: string,
  reading: Reading,
  location: string,
  above: readonly string[],
): Promise<string> {
  const { plugins, docsFolder } = reading.settings;
  if (!plugins.has("include-markdown") || !markdown.includes("{%")) return markdown;
  const pieces: string[] = [];
  let at = 0;
  for (const match of markdown.matchAll(INCLUDE_MARKDOWN)) {
    const [whole, indent = "", before = "", isMarkdown, double, single, options = ""] = match;
    const path = double ?? single ?? "";
    pieces.push(markdown.slice(at, match.index), indent, before);
    at = match.index + whole.length;
    const place = resolveLocation(/^\.\.?\//.test(path) ? folderOf(location) : docsFolder, `./${path}`);
    const found = await readFirst(path, place === undefined ? [] : [place], reading, above);
    if (found === undefined) continue;
    const chosen = between(found.text, options);
    const text =
      isMarkdown === undefined
        ? chosen
        : await expandIncludeMarkdown(
            moved(chosen, found.location, location, options),
            reading,
            found.location,
            [...above, found.location],
          );
    pieces.push(text.replaceAll("\n", `\n${indent}`));
  }
  return [...pieces, markdown.slice(at)].join("");
}

const TEMPLATE = /\{%[-+]?\s{0,20}include\s{1,20}(?:"([^"\n]{1,500})"|'([^'\n]{1,500})')[^%]{0,200}%\}/g;

/** `{% include "file" %}` of Jinja, from the folder of templates. */
export async function expandTemplates(
  markdown: string,
  reading: Reading,
  options: Readonly<Record<string, unknown>>,
  above: readonly string[],
): Promise<string> {
  if (!markdown.includes("{%")) return markdown;
  const folder = asText(options["include_dir"]) ?? "";
  const pieces: string[] = [];
  let at = 0;
  for (const match of markdown.matchAll(TEMPLATE)) {
    const path = match[1] ?? match[2] ?? "";
    pieces.push(markdown.slice(at, match.index));
    at = match.index + match[0].length;
    const found = await readFirst(path, placesBelow([folder], path, reading.settings.root), reading, above);
    if (found === undefined) continue;
    pieces.push(await expandTemplates(found.text, reading, options, [...above, found.location]));
  }
  return [...pieces, markdown.slice(at)].join("");
}

/** What stands between the texts that `start` and `end` name. */
function between(text: string, options: string): string {
  const said = (name: string) =>
    new RegExp(`\\b${name}=(?:"([^"]{1,300})"|'([^']{1,300})')`)
      .exec(options)
      ?.slice(1)
      .find((each) => each !== undefined)
      ?.replaceAll("\\n", "\n");
  const [start, end] = [said("start"), said("end")];
  const from = start === undefined ? 0 : text.indexOf(start);
  if (from < 0) return "";
  const rest = text.slice(from + (start?.length ?? 0));
  const to = end === undefined ? -1 : rest.indexOf(end);
  return to < 0 ? rest : rest.slice(0, to);
}

/** Links of a file, as they are written on a page that is elsewhere, and headings deeper by `heading-offset`. */
function moved(text: string, from: string, to: string, options: string): string {
  const body = splitFrontMatter(text).body;
  const offset = Math.min(5, Math.max(0, Number(/\bheading-offset=(\d)/.exec(options)?.[1] ?? 0)));
  const deeper = offset === 0 ? body : body.replace(/^(?=#{1,6}\s)/gm, "#".repeat(offset));
  if (/rewrite-relative-urls=false/.test(options)) return deeper;
  return rewriteLinks(deeper, (href) => {
    if (href.startsWith("/") || href.startsWith("#")) return undefined;
    const place = resolveLocation(folderOf(from), href);
    return place === undefined ? undefined : relativeTo(folderOf(to), place);
  });
}

function relativeTo(folder: string, location: string): string {
  const names = folder.split("/").filter((name) => name !== "");
  const target = location.split("/");
  let shared = 0;
  while (shared < names.length && names[shared] === target[shared]) shared++;
  return [...names.slice(shared).map(() => ".."), ...target.slice(shared)].join("/");
}

/** The first of several places that is there. Says what is wrong otherwise. */
async function readFirst(
  written: string,
  places: readonly string[],
  { inclusions, faults }: Reading,
  above: readonly string[],
): Promise<{ location: string; text: string } | undefined> {
  const location = places.find((place) => inclusions.tree.has(place));
  const included = /^https?:/.test(written)
    ? { fault: "is on the web, and is not fetched" }
    : await readIncluded(inclusions, location, above);
  if (included.fault === undefined) return included;
  faults.add(`${written}, which it includes, ${included.fault}`);
  return undefined;
}

/** What is put below every page: definitions of links and abbreviations. */
export async function appendedTo(reading: Reading): Promise<string> {
  const { extensions, root } = reading.settings;
  const said = asList(extensions.get("pymdownx.snippets")?.["auto_append"]).flatMap(
    (each) => asText(each) ?? [],
  );
  const texts: string[] = [];
  for (const path of said) {
    const places = [joinLocation(root, path), ...snippetPlaces(path, reading.settings)];
    texts.push((await readFirst(path, places, reading, [reading.location]))?.text ?? "");
  }
  return texts.filter((text) => text !== "").join("\n\n");
}
