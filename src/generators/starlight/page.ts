import { createSlugger } from "../../markdown/anchors.ts";
import { splitFrontMatter } from "../../markdown/front-matter.ts";
import { unwrapMdx } from "../../markdown/mdx/mdx.ts";
import { inlineText } from "../../markdown/plain-text.ts";
import { asText } from "../../text/json.ts";
import type { DocsPage, ReadDocsPage } from "../docs-site.ts";
import { type DocsTree, folderOf, resolveLocation } from "../docs-tree.ts";
import {
  type NameHeading,
  rewriteLinks,
  splitHref,
  withPartials,
  writeHeadingIds,
  writeHero,
} from "../writing/writing.ts";
import { readBlocks } from "./blocks.ts";
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
