import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Search } from "@docent/finding/search/search";
import { decodePercent } from "@docent/kernel/text/decode-percent";
import { type AnchorStyle, slug } from "@docent/reading/markdown/anchors";
import { plainInline, plainText } from "@docent/reading/markdown/plain-text";
import {
  type BrokenLink,
  brokenLinks,
  type InnerLink,
  type PageHeading,
  pageOfLink,
  shownPages,
} from "@docent/sites/ingest/fidelity/fidelity";
import type { IngestReport } from "@docent/sites/ingest/ingest";
import { createNavigation, pagesBelow, type SiteNavigation } from "@docent/sites/pages/navigation/navigation";
import type { NavigationEntry, PageStore } from "@docent/sites/pages/pages";
import type { Site } from "@docent/sites/site/sites";
import { textFiles } from "./mentions.ts";
import { type Sketch, sketchOf } from "./sketch.ts";

/** What docs are checked with: where they were read into, and the search over it. */
export interface CheckDeps {
  pages: PageStore;
  search: Search;
}

/** Docs that were read into a site of their own. */
export interface ReadDocs {
  site: Site;
  /** Where their files are. */
  folder: string;
  report: IngestReport;
}

/** A page as rules look at it. */
export interface CheckedPage extends Pick<NavigationEntry, "path" | "title" | "version" | "language"> {
  entry: NavigationEntry;
  /** Its file, relative to the folder. */
  file: string;
  description: string | undefined;
  headings: PageHeading[];
  links: InnerLink[];
  sketch: Sketch;
  contentHash: string;
}

/** Docs as rules look at them. */
export interface CheckedDocs extends ReadDocs {
  pages: CheckedPage[];
  /** Whether there are more pages than are looked at. */
  isPart: boolean;
  menus: SiteNavigation;
  broken: BrokenLink[];
}

const PAGES_MAX = 20_000;

/** Looks at all pages once: each rule reads of this what it needs. */
export async function lookAtDocs(
  { pages: store }: CheckDeps,
  docs: ReadDocs,
  signal: AbortSignal,
): Promise<CheckedDocs> {
  const { site } = docs;
  const { defaultVersion: version, defaultLanguage: language } = site.settings;
  const { generation } = docs.report;
  const menus = await createNavigation(store).of({
    siteId: site.id,
    generation,
    audience: "everything",
    defaults: { version, language },
  });
  const pages: CheckedPage[] = [];
  const looked: Parameters<typeof brokenLinks>[0][number][] = [];
  // A page without any is one that a program makes: what places it has is not known.
  const hasHeadings = new Set<string>();
  const places = new Map<string, ReadonlySet<string>>();
  const isLoose = docs.report.docs === undefined && site.settings.anchors === "github";
  let isPart = false;
  for await (const { entry, content, facts } of shownPages(store, { ...site, generation }, signal)) {
    isPart = pages.length >= PAGES_MAX;
    if (isPart) break;
    const { path, title, version, language } = entry;
    const [own] = (await store.findPages(site.id, path, "everything")).filter(({ id }) => id === entry.id);
    pages.push({
      entry,
      path,
      title,
      version,
      language,
      file: content.location,
      description: own?.description,
      headings: facts.headings,
      links: facts.links,
      sketch: sketchOf(plainText(content.markdown)),
      contentHash: Bun.hash(content.markdown).toString(36),
    });
    looked.push({ entry, facts });
    if (facts.headings.length > 0) hasHeadings.add(path);
    const anchors = isLoose ? [...facts.anchors].map(loose) : [];
    places.set(path, new Set([...placesWithin(content.markdown, site.settings.anchors), ...anchors]));
  }
  const certain = [...brokenLinks(looked, menus)].filter((each) => {
    const { link, entry, lacks } = each;
    const target = pageOfLink(link, entry, menus) ?? link.path;
    const known = places.get(target);
    const isKnown = known?.has(link.anchor) || (isLoose && known?.has(loose(link.anchor)));
    return lacks === "page" || (hasHeadings.has(target) && !isKnown);
  });
  const judged = certain.filter(
    areRootedJudged(docs, pages, menus) ? () => true : ({ link }) => !isRooted(link),
  );
  const broken = await withoutOthers({ store, docs, pages, signal }, judged);
  return { ...docs, pages, isPart, menus, broken };
}

const PLACE = /\{[^{}\n]{0,200}?#([^\s{}#]{1,200})[^{}\n]{0,200}\}|\b(?:id|name)=["']([^"'\n]{1,200})["']/g;
/** A heading in a list, a quotation or a tab, which is none of the page's own. */
const INNER_HEADING = /^[\s>*+\d.-]{1,40}?#{1,6} +(.{1,500}?)[ #]*$/gm;

/** The places that stand inside of other things, or as HTML: links lead to them as to headings. */
function placesWithin(markdown: string, anchors: AnchorStyle): Set<string> {
  const written = [...markdown.matchAll(PLACE)].map(([, braces, attribute]) => braces ?? attribute ?? "");
  const made = [...markdown.matchAll(INNER_HEADING)].map(([, words = ""]) =>
    slug(plainInline(words), anchors),
  );
  return new Set([...written, ...made]);
}

/** An anchor without its marks: which of them stay, each program that makes anchors says for itself. */
const loose = (anchor: string) => anchor.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");

const isRooted = ({ href }: InnerLink) => href.startsWith("/");
const ROOTED_SHARE_MIN = 0.5;

/**
 * Whether links from the site's root are judged. Without a generator it may be that the folder is not where the site
 * begins: most of such links lead nowhere then.
 */
function areRootedJudged(
  { report }: ReadDocs,
  pages: readonly CheckedPage[],
  menus: SiteNavigation,
): boolean {
  if (report.docs !== undefined) return true;
  const rooted = pages.flatMap((page) => page.links.filter(isRooted).map((link) => ({ link, page })));
  const led = rooted.filter(({ link, page }) => pageOfLink(link, page, menus) !== undefined);
  return led.length >= rooted.length * ROOTED_SHARE_MIN;
}

interface Others {
  store: Pick<PageStore, "findPages">;
  docs: ReadDocs;
  pages: readonly CheckedPage[];
  signal: AbortSignal;
}

/** Generators that make a page for a folder, which lists what is in it. */
const LISTS_FOLDERS = /^(?:Docusaurus|Hugo|Jekyll)/;
const VERSION = /(?:^|\/)(v?\d+(?:\.(?:\d+|x))+)(?:\/|$)/;
/** Where generators have the pages that are programs. */
const MADE_PAGE = /(?:^|\/)pages\/(.+?)(?:\/index)?\.(?:[jt]sx?|vue|astro|svelte)$/;

/**
 * Leaves out the links to what is there all the same for who follows them, or of which nothing is known: a page that asks
 * to be left out of search, a file that is no page, one that a program makes, docs of another version.
 */
async function withoutOthers(
  { store, docs, pages, signal }: Others,
  broken: readonly BrokenLink[],
): Promise<BrokenLink[]> {
  const { site, folder, report } = docs;
  const files = new Map(pages.map(({ entry, file }) => [entry.id, file]));
  const made = broken.some(({ lacks }) => lacks === "page") ? await madePages(folder, signal) : new Set();
  const listsFolders = LISTS_FOLDERS.test(report.docs?.generator ?? "");
  const isOther = async ({ entry, link: { href, path } }: BrokenLink) => {
    const [place = ""] = href.split(/[?#]/, 1);
    const base = href.startsWith("/") ? "" : dirname(files.get(entry.id) ?? "");
    const version = VERSION.exec(path)?.[1];
    return (
      made.has(path) ||
      (place !== "" && existsSync(join(folder, base, decodePercent(place)))) ||
      (listsFolders && pages.some((page) => page.path.startsWith(`${path}/`))) ||
      (version !== undefined && !pages.some((page) => `/${page.path}/`.includes(`/${version}/`))) ||
      (await store.findPages(site.id, path, "everything")).length > 0
    );
  };
  const left: BrokenLink[] = [];
  for (const each of broken) if (each.lacks === "place" || !(await isOther(each))) left.push(each);
  return left;
}

async function madePages(folder: string, signal: AbortSignal): Promise<Set<string>> {
  const made = new Set<string>();
  for await (const file of textFiles(folder, signal)) {
    const path = MADE_PAGE.exec(file)?.[1];
    if (path === undefined) continue;
    made.add(path);
    // Below a folder for its language, as well.
    made.add(path.replace(/^[a-z]{2}(?:-\w+)?\//i, ""));
  }
  return made;
}

/** The paths that the menu leads to which readers of a page see. */
export function createMenuPaths(menus: SiteNavigation) {
  const known = new Map<string, ReadonlySet<string>>();
  return ({ version, language }: Pick<CheckedPage, "version" | "language">): ReadonlySet<string> => {
    const key = JSON.stringify([version, language]);
    const paths =
      known.get(key) ??
      new Set([...pagesBelow(menus.tree({ version, language }).root)].map(({ path }) => path));
    known.set(key, paths);
    return paths;
  };
}
