import { asText } from "@docent/kernel/text/json";
import { createSlugger } from "../../markdown/anchors.ts";
import { isCalloutName, readDirective } from "../../markdown/callouts.ts";
import { splitFrontMatter } from "../../markdown/front-matter.ts";
import { unwrapMdx } from "../../markdown/mdx/mdx.ts";
import { inlineText } from "../../markdown/plain-text.ts";
import type { DocsPage, ReadDocsPage } from "../docs-site.ts";
import { type DocsTree, folderOf, resolveLocation } from "../docs-tree.ts";
import {
  asDiff,
  codeAt,
  linesIn,
  type NameHeading,
  rewriteLinks,
  splitHref,
  withPartials,
  writeCode,
  writeHeadingIds,
  writeHero,
} from "../writing/writing.ts";
import { NOTHING, plainComponents, takeCodeImports } from "./components.ts";
import { type StarlightPage, untranslated } from "./pages.ts";
import type { StarlightSettings } from "./settings.ts";

/** What reading a page takes from its site. */
interface Surroundings {
  tree: DocsTree;
  settings: StarlightSettings;
  byPath: ReadonlyMap<string, StarlightPage>;
  byLocation: ReadonlyMap<string, StarlightPage>;
}

export async function readPage(
  surroundings: Surroundings,
  { location, path }: DocsPage,
): Promise<ReadDocsPage> {
  const { tree } = surroundings;
  const { data, body, fault } = splitFrontMatter((await tree.text(location)) ?? "");
  const faults = fault === undefined ? [] : [fault];
  const locate = (from: string, specifier: string) => locateImport(surroundings, from, specifier);
  const plain = location.endsWith(".mdx")
    ? await plainMdx({ tree, locate, faults }, location, body, data)
    : body;
  const named = writeHeadingIds(readBlocks(plain), createHeadingNames());
  const linked = rewriteLinks(writeHero(data) + named, (href) =>
    publishedHref(surroundings, { location, path }, href),
  );
  const markdown = linked.replaceAll(NOTHING, "");
  const title = asText(data["title"]);
  return { data: title === undefined ? data : { ...data, title }, markdown, faults };
}

async function plainMdx(
  { tree, locate, faults }: { tree: DocsTree; locate: Locate; faults: string[] },
  location: string,
  body: string,
  data: Record<string, unknown>,
): Promise<string> {
  const whole = await withPartials({ tree, locate }, location, body, { faults });
  const coded = await takeCodeImports({ tree, locate, faults }, location, whole);
  const { markdown, faults: tangles } = unwrapMdx(plainComponents(coded), data);
  faults.push(...tangles);
  return markdown;
}

type Locate = (from: string, specifier: string) => string | undefined;

/** A file that a page imports: beside it, or by the names that stand for the folder of the sources. */
function locateImport({ tree, settings }: Surroundings, from: string, specifier: string): string | undefined {
  if (specifier.startsWith(".")) return resolveLocation(folderOf(from), specifier);
  const alias = /^(?:~|@|#)\/?(.*)$/.exec(specifier)?.[1];
  const below = alias === undefined ? specifier.replace(/^\/+/, "") : alias;
  const places = [resolveLocation(settings.sourceRoot, below), resolveLocation(settings.root, below)];
  return places.find((place) => place !== undefined && tree.has(place));
}

/** Ids as Starlight makes them: GitHub's, after dots and dashes outside of code became typographic. */
function createHeadingNames(): NameHeading {
  const slugger = createSlugger("github");
  return ({ source, definitions, given }) => {
    const whole = given === undefined ? source : `${source} {#${given}}`;
    const set = whole
      .replace(/!\[[^\]]*\]\([^)]*\)/g, NOTHING)
      .split(/(`+[^`]*`+)/)
      .map((part, index) => (index % 2 === 1 ? part : part.replace(/-{2,3}/g, "–").replace(/\.{3}/g, "…")))
      .join("");
    return slugger.unique(inlineText(set, definitions).trim());
  };
}

const FILE = /\.(?!html$)[a-z][a-z\d]{1,4}$/i;

/** Where a link leads: links are published as they are written, relative to a page's own address. */
function publishedHref(
  { settings, byPath, byLocation }: Surroundings,
  page: DocsPage,
  href: string,
): string | undefined {
  const { target, rest } = splitHref(href);
  if (target === "") return undefined;
  if (/\.mdx?$/i.test(target)) {
    const place = resolveLocation(folderOf(page.location), target);
    const found = place === undefined ? undefined : byLocation.get(place);
    if (found !== undefined) return `/${found.path}${rest}`;
  }
  if (FILE.test(target)) return undefined;
  const from = settings.hasExtensions ? folderOf(page.path) : page.path;
  const resolved = resolveLocation(from, target);
  if (resolved === undefined) return undefined;
  const own =
    settings.base !== "" && target.startsWith("/") ? withoutBase(resolved, settings.base) : resolved;
  const shown = untranslated(settings, byPath, own);
  const known = [own, `${own}.html`, own.replace(/\.html$/, ""), shown].find((each) => byPath.has(each));
  return `/${known ?? own}${rest}`;
}

const withoutBase = (path: string, base: string) =>
  path === base ? "" : path.startsWith(`${base}/`) ? path.slice(base.length + 1) : path;

const CONTAINER = /^([ \t]+):{3,}[ \t]*([A-Za-z][\w-]*)?/;

/** Code without what only says how it is shown, and callouts of lists as their titles with what they say. */
function readBlocks(markdown: string): string {
  const lines = markdown.split("\n");
  const out: string[] = [];
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? "";
    const code = codeAt(lines, at);
    if (code !== undefined) {
      out.push(...shownCode(code.info, code.lines, code.indent));
      at += code.length - 1;
      continue;
    }
    const [found, indent = "", name] = CONTAINER.exec(line) ?? [];
    if (found === undefined)
      out.push(line.replace(/^(:{3,}[ \t]*[\w-]+(?:\[[^\]]*\])?)\{[^{}]*\}[ \t]*$/, "$1"));
    else if (name !== undefined) out.push(...labelOf(line, name, indent));
  }
  return out.join("\n");
}

function labelOf(line: string, name: string, indent: string): string[] {
  const { title } = readDirective(line.replace(/\{[^{}]*\}[ \t]*$/, ""));
  const label = title ?? (isCalloutName(name) ? name.charAt(0).toUpperCase() + name.slice(1) : "");
  return label === "" ? [] : ["", `${indent}**${label}**`, ""];
}

/** A comment in the first lines of code that names its file. */
const FILE_COMMENT =
  /^\s*(?:\/\/|#|--|<!--|\/\*|---)\s*((?:[\w@.~[\]()-]+\/)*[\w@.~[\]()-]*\.\w{1,10}|(?:[\w@.~[\]()-]+\/)+[\w@.~[\]()-]+)\s*(?:(?:-->|\*\/|---)\s*)?$/;
const FILE_COMMENT_WITHIN = 4;

function shownCode(info: string, written: readonly string[], indent: string): string[] {
  const [, word = "", rest = ""] = /^([\w+#.-]*)(.*)$/s.exec(info) ?? [];
  const own = attribute(rest, "title");
  const isTerminal = /^(?:ba|z)?sh$|^(?:shell|console|powershell|ps1?|bat|cmd|ansi|terminal)/.test(word);
  const named =
    own !== undefined || isTerminal || /frame=["']none/.test(rest)
      ? -1
      : written.slice(0, FILE_COMMENT_WITHIN).findIndex((line) => FILE_COMMENT.test(line));
  const title = own ?? FILE_COMMENT.exec(written[named] ?? "")?.[1];
  const lines = named < 0 ? written : withoutLine(written, named);
  const added = marked(rest, "ins");
  const removed = marked(rest, "del");
  const language = /^(?:ansi|txt|text|plaintext)$/.test(word) ? "" : word;
  const label = title === undefined || title === "" ? [] : ["", `${indent}**${title}**`, ""];
  if (word === "diff" || added.size + removed.size === 0)
    return [...label, ...writeCode(language, lines, indent)];
  return [...label, ...writeCode("diff", asDiff(lines, added, removed), indent)];
}

/** A line that names the file goes, and an empty one below it. */
function withoutLine(lines: readonly string[], at: number): string[] {
  const isSpaced = (lines[at + 1] ?? "x").trim() === "";
  return [...lines.slice(0, at), ...lines.slice(at + (isSpaced ? 2 : 1))];
}

const attribute = (rest: string, name: string) => {
  const match = new RegExp(`(?:^|\\s)${name}=(?:"([^"]*)"|'([^']*)')`).exec(rest);
  return match?.[1] ?? match?.[2];
};

const marked = (rest: string, name: string) =>
  linesIn(
    [...rest.matchAll(new RegExp(`\\b${name}=\\{([\\d,\\s-]*)\\}`, "g"))]
      .map(([, list = ""]) => list)
      .join(","),
  );
