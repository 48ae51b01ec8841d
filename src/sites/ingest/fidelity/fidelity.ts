import { letOthersRun } from "@docent/kernel/lib/event-loop";
import { signsIn } from "@docent/kernel/text/lost-links/run-signs";
import { isLeftOut } from "@docent/reading/source-reader";
import type { ImageStore } from "../../pages/images.ts";
import type { Navigation, SiteNavigation } from "../../pages/navigation/navigation.ts";
import type { NavigationEntry, Page, PageStore } from "../../pages/pages.ts";
import type { Site } from "../../site/sites.ts";
import type { SiteSources } from "../site-sources.ts";
import type { LedgerStore } from "../stores.ts";
import { createKeptLook } from "./kept-look.ts";
import type { InnerLink, PageFacts, readPageFacts } from "./page-facts.ts";

export type { InnerLink, PageHeading } from "./page-facts.ts";

/** Something that readers do not get as the docs have it. */
interface Finding {
  /** The page's path; null for what became no page. */
  path: string | null;
  /** The page's title, or where the thing is in its source. */
  place: string;
  detail: string;
}

/** How many there are, with some of them. */
interface Findings {
  count: number;
  examples: Finding[];
}

/** How far readers of a site get what its docs have. */
export interface FidelityReport {
  generation: number;
  /** How many pages were looked at. */
  pages: number;
  /** Whether the site has more pages than are looked at. */
  isPart: boolean;
  markup: Findings;
  images: Findings;
  links: Findings;
  leftOut: Findings;
  /** What of how sources were read does not look like a site that was read whole. */
  signs: Findings;
}

/** What is found in the pages of one generation. */
export type PagesLook = Omit<FidelityReport, "leftOut" | "signs">;
export type LookAtPages = (site: Site, signal: AbortSignal) => Promise<PagesLook>;

interface PagesDeps {
  pages: Pick<PageStore, "visibleGeneration" | "listNavigation" | "contentOf">;
  images: Pick<ImageStore, "ofPage">;
  navigation: Navigation;
}

interface FidelityDeps extends PagesDeps {
  sources: Pick<SiteSources, "list">;
  ledger: Pick<LedgerStore, "part">;
  /** Looks at the pages where it holds up nobody; without it, this process does. */
  lookApart?: LookAtPages | undefined;
}

/** Looks at a site's pages as readers see them. */
export interface Fidelity {
  report(site: Site, signal: AbortSignal): Promise<FidelityReport>;
}

const PAGES_MAX = 20_000;
const PAGES_AT_ONCE = 500;
const ENTRIES_AT_ONCE = 1000;
const EXAMPLES_MAX = 50;

interface LookedAt {
  entry: NavigationEntry;
  facts: Pick<PageFacts, "anchors" | "links">;
}

/** A page with what readers get of it. */
interface ShownPage {
  entry: NavigationEntry;
  content: Pick<Page, "markdown" | "location">;
  facts: PageFacts;
}

/** A link that leads nowhere, or to a place that its page does not have. */
export interface BrokenLink {
  entry: NavigationEntry;
  link: InnerLink;
  lacks: "page" | "place";
}

/** Pages are looked at once for each generation, and what was left out of the sources at each report: a run may change it alone. */
export function createFidelity({ sources, ledger, lookApart, ...deps }: FidelityDeps): Fidelity {
  const lookOnce = createKeptLook(lookApart ?? ((site, signal) => lookAtPages(deps, site, signal)));
  return {
    async report(site, signal) {
      const generation = await deps.pages.visibleGeneration(site.id);
      const found = await lookOnce(site, generation, signal);
      const leftOut = await leftOutOf({ sources, ledger }, site.id, signal);
      return { ...found, leftOut, signs: await signsOf(sources, site.id) };
    },
  };
}

async function lookAtPages(
  { pages, images, navigation }: PagesDeps,
  site: Site,
  signal: AbortSignal,
): Promise<PagesLook> {
  const generation = await pages.visibleGeneration(site.id);
  const { defaultVersion: version, defaultLanguage: language } = site.settings;
  const menus = await navigation.of({
    siteId: site.id,
    generation,
    audience: "everything",
    defaults: { version, language },
  });
  const found = { markup: noFindings(), images: noFindings(), links: noFindings() };
  const looked: LookedAt[] = [];
  let isPart = false;
  for await (const { entry, content, facts } of shownPages(pages, { ...site, generation }, signal)) {
    isPart = looked.length >= PAGES_MAX;
    if (isPart) break;
    for (const line of facts.markup) add(found.markup, entry, line);
    const kept = facts.images.length > 0 ? await images.ofPage(entry.id) : new Map();
    // Of websites no images are kept.
    const missing = ADDRESS.test(content.location) ? [] : facts.images.filter((name) => !kept.has(name));
    for (const name of missing) add(found.images, entry, name);
    looked.push({ entry, facts });
  }
  for (const { entry, link, lacks } of brokenLinks(looked, menus))
    add(found.links, entry, `${link.href} ${FAULTS[lacks]}`);
  return { generation, pages: looked.length, isPart, ...found };
}

/** What of a site's sources became no page. */
async function leftOutOf(
  { sources, ledger }: Pick<FidelityDeps, "sources" | "ledger">,
  siteId: number,
  signal: AbortSignal,
): Promise<Findings> {
  const found = noFindings();
  for (const { id } of await sources.list(siteId))
    for (let after: string | undefined; ; ) {
      signal.throwIfAborted();
      const part = await ledger.part(id, { after, decisions: ["skipped"], limit: ENTRIES_AT_ONCE });
      for (const { reason, detail, location } of part)
        if (reason !== undefined && isLeftOut({ reason }) && !IMAGE.test(location))
          addFinding(found, { path: null, place: location, detail: detail ?? reason });
      after = part.at(-1)?.location;
      if (part.length < ENTRIES_AT_ONCE) break;
      await letOthersRun();
    }
  return found;
}

/** What the last runs of a site's sources noticed of how these were read. */
async function signsOf(sources: FidelityDeps["sources"], siteId: number): Promise<Findings> {
  const found = noFindings();
  for (const { location, lastRun } of await sources.list(siteId))
    for (const detail of signsIn(lastRun?.counts ?? {}))
      addFinding(found, { path: null, place: location, detail });
  return found;
}

const ADDRESS = /^https?:\/\//i;
/** What is noted of an image stands with the page that shows it. */
const IMAGE = /\.(?:png|jpe?g|gif|webp|avif|svg)$/i;

const noFindings = (): Findings => ({ count: 0, examples: [] });

const add = (findings: Findings, { path, title }: NavigationEntry, detail: string) =>
  addFinding(findings, { path, place: title, detail });

function addFinding(findings: Findings, finding: Finding): void {
  findings.count += 1;
  if (findings.examples.length < EXAMPLES_MAX) findings.examples.push(finding);
}

/** What is looked at of a page. What renders it is loaded when the first one comes. */
export async function factsOf(
  markdown: string,
  { base, anchors }: Parameters<typeof readPageFacts>[1],
): Promise<PageFacts> {
  const { readPageFacts } = await import("./page-facts.ts");
  return readPageFacts(markdown, { base, anchors });
}

/** The pages of a site as readers see them, without hidden ones, in the order of their ids. */
export async function* shownPages(
  pages: Pick<PageStore, "listNavigation" | "contentOf">,
  { id, url, settings, generation }: Pick<Site, "id" | "url" | "settings" | "generation">,
  signal: AbortSignal,
): AsyncGenerator<ShownPage, undefined> {
  for await (const entry of entriesOf(pages, id, generation)) {
    signal.throwIfAborted();
    const content = entry.hidden ? undefined : await pages.contentOf(entry.id);
    if (content === undefined) continue;
    const base = { path: entry.path, location: content.location, siteUrl: url };
    yield { entry, content, facts: await factsOf(content.markdown, { base, anchors: settings.anchors }) };
    await letOthersRun();
  }
}

/** All pages of a generation, in the order of their ids. */
export async function* entriesOf(
  pages: Pick<PageStore, "listNavigation">,
  siteId: number,
  generation: number,
): AsyncGenerator<NavigationEntry> {
  for (let after = 0; ; ) {
    const some = await pages.listNavigation(siteId, generation, after, PAGES_AT_ONCE);
    yield* some;
    const last = some.at(-1);
    if (last === undefined || some.length < PAGES_AT_ONCE) return;
    after = last.id;
  }
}

const FAULTS = { page: "leads to no page", place: "leads to a place that the page does not have" };

/** The links that do not lead where they say, of pages that are all of a site's. */
export function* brokenLinks(
  looked: readonly LookedAt[],
  menus: SiteNavigation,
): Generator<BrokenLink, undefined> {
  const anchors = new Map<string, Set<string>>();
  for (const { entry, facts } of looked)
    anchors.set(entry.path, new Set([...(anchors.get(entry.path) ?? []), ...facts.anchors]));
  for (const { entry, facts } of looked)
    for (const link of facts.links) {
      const lacks = whatLacks(link, entry, menus, anchors);
      if (lacks !== undefined) yield { entry, link, lacks };
    }
}

/** The path of the page that a link leads to, where there is one that its readers see. */
export const pageOfLink = (
  { path }: InnerLink,
  { version, language }: Pick<NavigationEntry, "version" | "language">,
  menus: SiteNavigation,
): string | undefined => menus.linked(path, { version, language });

/** A link to a file: Docent keeps pages alone. */
const FILE =
  /^[^?#]*\.(?!(?:mdx?|markdown|qmd|rmd|rst|adoc|asciidoc|ipynb|html?)(?:[?#]|$))[a-z][a-z0-9]{1,4}(?:[?#]|$)/i;
const TEXT_FRAGMENT = /:~:.*$/s;

/** What a link lacks; undefined where it leads to a page, and to a place on it. */
function whatLacks(
  link: InnerLink,
  entry: NavigationEntry,
  menus: SiteNavigation,
  anchors: ReadonlyMap<string, ReadonlySet<string>>,
): BrokenLink["lacks"] | undefined {
  const { href, path, anchor } = link;
  const { version, language } = entry;
  const asked = { version, language };
  const target = pageOfLink(link, entry, menus);
  if (target === undefined) {
    const isKnown = menus.redirect(path, asked) !== undefined || menus.tree(asked).trail(path) !== undefined;
    return isKnown || FILE.test(href) ? undefined : "page";
  }
  const wanted = anchor.replace(TEXT_FRAGMENT, "");
  const known = anchors.get(target);
  if (wanted === "" || wanted === "top" || known === undefined || known.has(wanted)) return undefined;
  // Some generators make ids with percent signs in them.
  return known.has(href.slice(href.indexOf("#") + 1)) ? undefined : "place";
}
