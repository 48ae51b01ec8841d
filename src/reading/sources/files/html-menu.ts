import { posix } from "node:path";
import { letOthersRun } from "@docent/kernel/lib/event-loop";
import { decodeText } from "@docent/kernel/text/decode-bytes";
import { decodePercent } from "@docent/kernel/text/decode-percent";
import {
  blocksOf,
  createLinkPlaces,
  createMenuCollector,
  type LinkPlaces,
} from "../../built-menu/built-menu.ts";
import { folderOf } from "../../generators/generators.ts";
import type { MenuEntry } from "../../page/menu.ts";
import type { ReadableFile } from "./tree-file.ts";

/** A page of HTML with its file. */
interface HtmlPage {
  file: ReadableFile;
  path: string;
}

interface MenuOptions {
  /** Files that only lead to a page: links may lead there. */
  leading?: readonly { location: string; target: string }[];
  siteUrl?: string | undefined;
  signal?: AbortSignal | undefined;
}

const PAGES_MIN = 3;
/** So many pages are looked at in any case, and so many more while they show something new. */
const SAMPLE = 48;
const PAGES_MAX = 2_000;
const IDLE_MAX = 150;
const PAGE_BYTES_MAX = 2_000_000;
const BYTES_MAX = 200_000_000;
const PAGES_FOR_LINKS = 12;
const LINKS_MAX = 5_000;

/** The menu that built pages show beside their words; nothing where they show none. */
export async function menuOfHtml(all: readonly HtmlPage[], options: MenuOptions): Promise<MenuEntry[]> {
  const pages = all.filter(({ file }) => file.sizeBytes <= PAGE_BYTES_MAX);
  if (pages.length < PAGES_MIN) return [];
  const order = spread(pages);
  const places = await placesOf(order, all, options);
  const collector = createMenuCollector();
  const known = new Set(all.map(({ path }) => path));
  const frames = new Map<string, number>();
  let idle = 0;
  let bytes = 0;
  let looked = 0;
  for (const { file, path } of order.slice(0, PAGES_MAX)) {
    options.signal?.throwIfAborted();
    const html = await textOf(file);
    if (html === undefined) continue;
    bytes += html.length;
    looked += 1;
    const shown = blocksOf(html, { path, resolve: places.of(file.location) });
    if (shown.frame !== undefined) note(frames, posix.join(folderOf(file.location), shown.frame));
    idle = collector.add(path, shown) ? 0 : idle + 1;
    if (bytes > BYTES_MAX || idle >= IDLE_MAX || (looked >= SAMPLE && idle >= SAMPLE / 2)) break;
    await letOthersRun();
  }
  const own = collector.menu((path) => known.has(path));
  return own ?? (await framedMenu(frames, looked, { all, places, known }));
}

const note = (counts: Map<string, number>, key: string) => counts.set(key, (counts.get(key) ?? 0) + 1);

/** Pages from everywhere first: each next one lies far from those before it. */
function spread<T>(all: readonly T[]): T[] {
  const taken = new Set<number>();
  for (let step = 2 ** Math.ceil(Math.log2(Math.max(2, all.length))); step >= 1; step /= 2)
    for (let at = 0; at < all.length; at += step) taken.add(at);
  return [...taken].flatMap((at) => all[at] ?? []);
}

async function textOf(file: ReadableFile): Promise<string | undefined> {
  // A page that cannot be read says so for itself.
  const bytes = await file.read().catch(() => undefined);
  return bytes === undefined ? undefined : decodeText(bytes, { html: true })?.text;
}

const HREF = /<a\s[^>]{0,1000}?\bhref\s*=\s*["']?([^"'\s>]{1,1000})/gi;

async function placesOf(
  order: readonly HtmlPage[],
  all: readonly HtmlPage[],
  { leading = [], siteUrl }: MenuOptions,
): Promise<LinkPlaces> {
  const texts = await Promise.all(order.slice(0, PAGES_FOR_LINKS).map(({ file }) => textOf(file)));
  const links = texts.flatMap((text = "") => [...text.matchAll(HREF)].map(([, href = ""]) => href));
  const rooted = links.filter((href) => /^(?:https?:\/\/|\/(?!\/))/i.test(href)).slice(0, LINKS_MAX);
  const pathOf = new Map(all.map(({ file, path }) => [file.location, path]));
  const led = leading.flatMap(({ location, target }) => {
    const path = pathOf.get(decodePercent(target.replace(/#.*$/, "")));
    return path === undefined ? [] : [{ location, path }];
  });
  const pages = all.map(({ file, path }) => ({ location: file.location, path }));
  return createLinkPlaces([...pages, ...led], { links: rooted, siteUrl });
}

/** The menu of a page that most pages show in a frame. */
async function framedMenu(
  frames: ReadonlyMap<string, number>,
  looked: number,
  { all, places, known }: { all: readonly HtmlPage[]; places: LinkPlaces; known: ReadonlySet<string> },
): Promise<MenuEntry[]> {
  const [most] = [...frames].sort(([, a], [, b]) => b - a);
  const framed = all.find(({ file }) => file.location === most?.[0]);
  const html = framed === undefined || (most?.[1] ?? 0) * 2 < looked ? undefined : await textOf(framed.file);
  if (framed === undefined || html === undefined) return [];
  const collector = createMenuCollector();
  const { location } = framed.file;
  collector.addWhole(blocksOf(html, { path: framed.path, resolve: places.of(location) }, { isFrame: true }));
  return collector.menu((path) => known.has(path)) ?? [];
}
