import { posix } from "node:path";
import { normalizeSource } from "@docent/kernel/text/decode-bytes";
import { folderOf } from "../../generators/generators.ts";
import { type PageLink, readMan } from "../../markdown/man/man.ts";
import { encodePath, normalizePath } from "../../page/page-path.ts";
import type { SourceItem } from "../../source-reader.ts";
import { madeItem } from "./made-item.ts";
import { folderLanguage } from "./manuals.ts";
import type { ReadableFile } from "./tree-file.ts";

/** The manual pages of a source, by what other pages call them. */
interface ManualNames {
  /** Names all of them: where one is added, other pages may lead to it. */
  revision: string;
  /** The path of a page: of those with one name the one in the language of who asks, or in none. */
  find(name: string, section: string, language: string): string | undefined;
}

const NAME = /^(.+)\.([1-9][a-z0-9+]*?)(?:\.gz)?$/i;
const REDIRECTS_MAX = 20_000;

/** `git-rebase` and `1` of `man1/git-rebase.1.gz`. */
function nameOf(location: string): { name: string; section: string } {
  const [, name = "", section = ""] = NAME.exec(posix.basename(location)) ?? [];
  return { name, section };
}

/** The manual pages at their paths; `aliases` are other names of them, by location. */
export function manualNames(
  pages: readonly { location: string; path: string }[],
  aliases: ReadonlyMap<string, string>,
): ManualNames {
  const paths = new Map<string, string>();
  const pathOf = new Map(pages.map(({ location, path }) => [location, path]));
  const others = [...aliases].flatMap(([location, page]) => {
    const path = pathOf.get(page);
    return path === undefined ? [] : [{ location, path }];
  });
  for (const { location, path } of [...pages, ...others]) {
    const { name, section } = nameOf(location);
    // `EVP_md5.3ssl` is called EVP_md5(3) as well.
    for (const each of [section, section.charAt(0)]) {
      const key = `${folderLanguage(location)} ${name}.${each}`;
      if (!paths.has(key)) paths.set(key, path);
    }
  }
  const revision = new Bun.CryptoHasher("sha256")
    .update(JSON.stringify([...paths]))
    .digest("hex")
    .slice(0, 16);
  const find = (name: string, section: string, language: string) =>
    paths.get(`${language} ${name}.${section}`) ?? paths.get(` ${name}.${section}`);
  return { revision, find };
}

/** Other names of pages as addresses that lead to them. */
export function manualRedirects(
  pages: readonly { location: string; path: string }[],
  aliases: ReadonlyMap<string, string>,
): { from: string; to: string }[] {
  const pathOf = new Map(pages.map(({ location, path }) => [location, path]));
  const redirects = [...aliases].flatMap(([location, page]) => {
    const to = pathOf.get(page);
    return to === undefined ? [] : [{ from: normalizePath(location.replace(/\.gz$/i, "")), to }];
  });
  return redirects.slice(0, REDIRECTS_MAX);
}

/** A manual page, made Markdown when it is read: the names of other pages lead to them. */
export function manualItem(
  file: Pick<ReadableFile, "location" | "validator" | "read">,
  { path, found, names }: { path: string; found: string; names: ManualNames },
): SourceItem {
  const { location, validator } = file;
  const language = folderLanguage(location);
  const own = nameOf(location);
  const link: PageLink = (name, section) => {
    const target = names.find(name, section, language);
    if (target === undefined || target === path) return undefined;
    const href = encodePath(posix.relative(folderOf(location), target));
    // What has a colon would be read as a scheme.
    return href.includes(":") ? `./${href}` : href;
  };
  const item = madeItem(file, { path, found, format: "written", from: "man" }, (text) => {
    const { description, markdown, faults } = readMan(normalizeSource(text), link);
    const title = `${own.name}(${own.section})`;
    return { data: { title, ...(description === undefined ? {} : { description }) }, markdown, faults };
  });
  return {
    ...item,
    ...(validator === undefined ? {} : { validator: `${validator}-${names.revision}` }),
    ...(language === "" ? {} : { marks: { language } }),
  };
}
