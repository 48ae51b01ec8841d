import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { letOthersRun } from "@docent/kernel/lib/event-loop";

const FILES_MAX = 20_000;
const FILE_BYTES_MAX = 1_000_000;
const FOLDERS_DEEP_MAX = 20;
/** Of text that pages are made, listed or led to with. */
const TEXT =
  /\.(?:[cm]?[jt]sx?|json5?|ya?ml|toml|vue|svelte|astro|html?|mdx?|rst|adoc|md[cx]|njk|liquid|hbs|ejs|xml|csv|txt|conf|py)$|(?:^|\/)(?:_redirects|Caddyfile)$/i;
const NOT_READ = new Set(["node_modules", ".git", "dist", "build", ".cache", "target"]);

/** Of these a folder's name does not stand for what is in it: they are pages themselves. */
const PAGE = /\.(?:mdx?|rst|adoc|html?|txt)$/i;

/** A page that may be mentioned. */
interface Mentionable {
  path: string;
  file: string;
  language: string;
}

/**
 * Those of some pages that no other file of the folder mentions by their address: a theme's menu bar, a component and a
 * file of redirects lead to pages too, and a program lists the pages of a folder that it names.
 */
export async function unmentioned<Page extends Mentionable>(
  folder: string,
  pages: readonly Page[],
  signal: AbortSignal,
): Promise<Page[]> {
  const left = new Set(pages);
  const byAddress = Map.groupBy(pages, addressOf);
  const byFolder = Map.groupBy(pages, (page) => addressOf(page).replace(/\/?[^/]*$/, ""));
  byFolder.delete("");
  for await (const file of textFiles(folder, signal)) {
    if (left.size === 0) break;
    const text = await readFile(join(folder, file), "utf8").catch(() => "");
    const isPage = PAGE.test(file);
    for (const place of placesNamed(text)) {
      for (const page of byAddress.get(place) ?? []) if (page.file !== file) left.delete(page);
      if (!isPage) for (const page of byFolder.get(place) ?? []) left.delete(page);
    }
    if (isPage && MEANT_ALONE.test(text.slice(0, HEAD_CHARACTERS)))
      for (const page of left) if (page.file === file) left.delete(page);
    await letOthersRun();
  }
  return [...left];
}

/** Sphinx's mark of a page that is in no menu on purpose. */
const MEANT_ALONE = /^(?::orphan:|orphan: *true)/m;
const HEAD_CHARACTERS = 2_000;

/** A page's path as it is written in files: without its language and its extension. Translations have the same. */
export const addressOf = ({ path, language }: Mentionable) =>
  plain(
    language !== "" && path.toLowerCase().startsWith(`${language.toLowerCase()}/`)
      ? path.slice(language.length + 1)
      : path,
  );

const plain = (path: string) =>
  path
    .replace(/^[./]+|\/+$/g, "")
    .replace(/\.(?:mdx?|markdown|rst|adoc|html?)$/i, "")
    .replace(/(?:^|\/)_?index$/i, "");

const WORD = /(["'`]?)([\p{L}\p{N}_./@%+~-]{1,300})(["'`]?)/gu;

/** The places that a text names: a word of prose is none. */
function* placesNamed(text: string): Generator<string, undefined> {
  for (const [, before, word = "", after] of text.matchAll(WORD)) {
    const place = plain(word);
    const isQuoted = before !== "" && before === after;
    if (place.includes("/") || isQuoted || /^\.{0,2}\/|\.\w{2,8}$/.test(word)) yield place;
  }
}

export async function* textFiles(folder: string, signal: AbortSignal): AsyncGenerator<string, undefined> {
  let files = 0;
  const folders = [{ at: "", depth: 0 }];
  for (let next = folders.pop(); next !== undefined; next = folders.pop()) {
    signal.throwIfAborted();
    const { at, depth } = next;
    const entries = await readdir(join(folder, at), { withFileTypes: true }).catch(() => []);
    for (const entry of entries) {
      const place = at === "" ? entry.name : `${at}/${entry.name}`;
      if (entry.isDirectory() && !NOT_READ.has(entry.name) && depth < FOLDERS_DEEP_MAX)
        folders.push({ at: place, depth: depth + 1 });
      if (!entry.isFile() || !TEXT.test(place)) continue;
      files += 1;
      if (files > FILES_MAX) return;
      const state = await stat(join(folder, place)).catch(() => undefined);
      if (state !== undefined && state.size <= FILE_BYTES_MAX) yield place;
    }
  }
}
