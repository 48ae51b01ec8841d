import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { PublishedEntry, PublishedPage, PublishedSite } from "../../../scripts/generators/published.ts";
import { systemClock } from "../../../src/kernel/lib/clock.ts";
import {
  createDocsTree,
  type DocsSite,
  type DocsTree,
  type MenuEntry,
  recognizeSite,
} from "../../../src/reading/generators/generators.ts";
import { placesIn } from "../../../src/reading/markdown/anchors.ts";
import { relativeDestinations } from "../../../src/reading/markdown/destinations.ts";
import { readOutline, type Section, scanBlocks } from "../../../src/reading/markdown/md/md.ts";
import { plainInline } from "../../../src/reading/markdown/plain-text.ts";

/** The sites that generators published, with their sources. */
export const RECORDED = join(import.meta.dir, "../../fixtures/generators");

/** What the files of a folder hold, by their locations. */
export const contentsOfFolder = async (folder: string): Promise<Record<string, Uint8Array<ArrayBuffer>>> =>
  Object.fromEntries(
    await Promise.all(
      filesOfFolder(folder).map(async (location) => [
        location,
        await Bun.file(join(folder, location)).bytes(),
      ]),
    ),
  );

/** The files of a folder as a source's. */
export function treeOfFolder(folder: string): DocsTree {
  return createDocsTree(
    filesOfFolder(folder).map((location) => ({
      location,
      read: () => Bun.file(join(folder, location)).bytes(),
    })),
  );
}

const filesOfFolder = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));

/** What Docent says of a folder, in the form in which what a generator published is recorded. */
export async function publishedBy(folder: string): Promise<{ site: DocsSite; published: PublishedSite }> {
  const site = await recognizeSite(treeOfFolder(folder), { clock: systemClock });
  if (site === undefined) throw new Error(`nothing was recognized in ${folder}`);
  const pages = await Promise.all(site.pages.map((page) => pageOf(site, page)));
  return {
    site,
    published: { generator: site.generator, pages: pages.sort(byPath), menu: entriesOf(site.menu) },
  };
}

async function pageOf(site: DocsSite, page: DocsSite["pages"][number]): Promise<PublishedPage> {
  const { data, markdown } = await site.read(page);
  const sections = readOutline(markdown).sections.filter(({ level }) => level > 0);
  const headings = headingsIn(markdown, sections).filter(({ id }) => id !== "");
  const title = typeof data["title"] === "string" ? data["title"] : (sections[0]?.heading ?? "");
  const links = relativeDestinations(markdown)
    .filter(({ kind }) => kind === "link")
    .flatMap(({ href }) => linkWithin(href, page.path));
  return {
    path: page.path,
    title,
    headings,
    links: [...new Set(links)].sort(),
    places: placesIn(markdown),
  };
}

/** Headings in order, with those in quotes, which are no sections: their ids are marked as places. */
function headingsIn(markdown: string, sections: readonly Section[]): PublishedPage["headings"] {
  let next = 0;
  return scanBlocks(markdown).flatMap(({ kind, text }) => {
    if (kind === "heading") {
      const { anchor = "", heading = "" } = sections[next++] ?? {};
      return [{ id: anchor, words: heading }];
    }
    if (kind !== "quote") return [];
    const lines = text.split("\n").map((line) => line.replace(/^[>\s]+/, ""));
    return lines
      .filter((line) => /^#{1,6} /.test(line))
      .map((line) => ({ id: placesIn(line)[0] ?? "", words: plainInline(line.replace(/^#+ /, "")) }));
  });
}

/** Adapters write links to pages from the site's root; one to a place of the same page is only an anchor. */
function linkWithin(href: string, path: string): string[] {
  if (href.startsWith("#")) return [`${path}${href === "#" ? "" : decodeURIComponent(href)}`];
  if (!href.startsWith("/")) return [];
  const url = new URL(href, "http://site.invalid");
  const target = decodeURIComponent(url.pathname).replace(/^\/|\/$/g, "");
  const isFile = /\.(?!html$)[a-z][a-z0-9]{1,4}$/i.test(target) && !url.pathname.endsWith("/");
  return isFile ? [] : [`${target}${decodeURIComponent(url.hash)}`];
}

const entriesOf = (menu: readonly MenuEntry[]): PublishedEntry[] =>
  menu.map(({ label, path, children }) => ({
    label,
    ...(path === undefined ? {} : { path }),
    children: entriesOf(children),
  }));

const byPath = (a: PublishedPage, b: PublishedPage) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0);
