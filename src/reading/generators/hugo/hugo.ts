import { decodePercent } from "@docent/kernel/text/decode-percent";
import { readHtml } from "../../markdown/html/html.ts";
import { unwrapDefinitionLists } from "../../markdown/unwrap-definitions.ts";
import type { DocsPage, DocsSite, GeneratorAdapter, ReadDocsPage } from "../docs-site.ts";
import { type DocsTree, folderOf, resolveLocation } from "../docs-tree.ts";
import { rewriteLinks, splitHref, titleOf, writeHeadingIds } from "../writing/writing.ts";
import { addressOf, aliasesOf } from "./address.ts";
import { type ContentPage, readContent, wordOf } from "./content.ts";
import { readSource } from "./front-matter.ts";
import { createHeadingNames, VARYING } from "./heading-ids.ts";
import { readTargetsWithoutAddress, withoutLinksTo } from "./link-hook.ts";
import { AS_GIVEN, plainMarkup } from "./markup.ts";
import { menuOf } from "./menu.ts";
import { type HugoSettings, hugoRoots, readSettings } from "./settings.ts";
import { expandShortcodes } from "./shortcodes/shortcodes.ts";
import { createSite, type HugoSite, pageAt } from "./site.ts";
import { chosenVersions } from "./versions.ts";

/** Hugo, with the themes Docsy and Hextra and what Kubernetes' docs use. */
export const hugo: GeneratorAdapter = {
  name: "Hugo",
  roots: hugoRoots,
  async open(tree, root, { clock, version }) {
    const settings = await readSettings(tree, root);
    return settings === undefined ? undefined : openSite(tree, settings, { now: clock(), version });
  },
};

const REDIRECTS_MAX = 50_000;

async function openSite(
  tree: DocsTree,
  settings: HugoSettings,
  { now, version }: { now: number; version: string | undefined },
): Promise<DocsSite | undefined> {
  const { pages, leftOut } = await readContent(tree, settings, now);
  if (pages.length === 0) return undefined;
  const paths = new Map<ContentPage, string>();
  const taken = new Map<string, string>();
  // Of a section and a page at one address, the section is published.
  for (const page of pages.toSorted((a, b) => Number(b.kind === "section") - Number(a.kind === "section"))) {
    const path = addressOf(page, settings);
    const other = taken.get(path);
    if (other === undefined) {
      paths.set(page, path);
      taken.set(path, page.location);
    } else leftOut.push({ location: page.location, detail: `has the same address as ${other}` });
  }
  const targetsWithoutAddress = await readTargetsWithoutAddress(tree, settings.layers);
  const site = { ...createSite(tree, settings, paths), targetsWithoutAddress };
  // Pages of other versions keep their addresses, so that links lead to them.
  const { others, versions } = chosenVersions(paths.keys(), version);
  const read = [...paths].filter(([page]) => !others.has(page));
  const [main] = settings.languages;
  const own = read.flatMap(([page]) => (page.language === main ? page : []));
  return {
    generator: "Hugo",
    root: settings.root,
    language: main?.code,
    pages: read.map(([page, path]) => ({
      location: page.location,
      path,
      edition: {
        version: versions.get(page),
        language: page.language.code,
        topic: wordOf(page.data["translationkey"]) ?? page.logicalPath,
      },
    })),
    leftOut: [...leftOut, ...others.values()],
    menu: menuOf(own, paths, main?.code ?? "en", settings),
    redirects: read.flatMap(([page, path]) => aliasesOf(page, path)).slice(0, REDIRECTS_MAX),
    unknowns: settings.unknowns,
    read: (page) => readPage(site, page),
  };
}

/** A site with the targets of links that its templates take for no address. */
interface LinkedSite extends HugoSite {
  targetsWithoutAddress: ReadonlySet<string>;
}

async function readPage(site: LinkedSite, { location }: DocsPage): Promise<ReadDocsPage> {
  const page = site.byLocation.get(location);
  const { data, body, fault } = readSource((await site.tree.text(location)) ?? "");
  if (page === undefined) return { data, markdown: body, faults: [] };
  const { markdown, faults } = await expandShortcodes(site, page, body);
  const isHtml = /\.html?$/i.test(location);
  const marked = site.settings.hasDefinitionLists ? unwrapDefinitionLists(markdown) : markdown;
  const plain = isHtml ? readHtml(markdown, { keepsImages: true }).markdown : plainMarkup(marked);
  const linked = rewriteLinks(plain, (href) => publishedHref(site, page, href));
  const { languages } = site.settings;
  const named = writeHeadingIds(
    linked,
    isHtml ? ({ given }) => given ?? "" : createHeadingNames(site.settings),
  );
  const title = page.title === "" ? titleOf(data, body) : page.title;
  return {
    data: {
      ...page.data,
      ...(title === undefined ? {} : { title }),
      ...(languages.length > 1 ? { language: page.language.code } : {}),
    },
    markdown: withoutLinksTo(site.targetsWithoutAddress, named)
      .replaceAll(VARYING, "")
      .replaceAll(AS_GIVEN, ""),
    faults: fault === undefined ? faults : [fault, ...faults],
  };
}

/** Where a link of a page leads: to the page that is made of a file, or to an address. */
function publishedHref(site: LinkedSite, page: ContentPage, href: string): string | undefined {
  if (decodePercent(href).startsWith(AS_GIVEN)) {
    const given = decodePercent(href).slice(AS_GIVEN.length);
    return /^[a-z][a-z0-9+.-]*:|^[/#]/i.test(given) ? given : publishedHref(site, page, given);
  }
  const { target, rest } = splitHref(href);
  if (target === "" || site.targetsWithoutAddress.has(href)) return undefined;
  const { linksTo } = site.settings;
  const isFile = /\.(?:md|markdown)$/i.test(target);
  const isPage = linksTo === "pages" || (linksTo === "pages from the root" && target.startsWith("/"));
  const found = isFile || isPage ? pageAt(site, page, target) : undefined;
  const path = found === undefined ? undefined : site.paths.get(found);
  if (path !== undefined) return `/${encodeURI(path)}${rest}`;
  if (target.startsWith("/")) return undefined;
  // A page's address ends in a slash, so that links are resolved inside of it.
  const own = site.paths.get(page) ?? "";
  const from = own.endsWith(".html") ? folderOf(own) : own;
  const resolved = resolveLocation(from, target);
  return resolved === undefined ? undefined : `/${encodeURI(resolved)}${rest}`;
}
