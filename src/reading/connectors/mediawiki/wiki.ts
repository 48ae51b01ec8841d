import { z } from "zod";
import { NOT_FOR_READERS } from "../../generators/mediawiki/mediawiki.ts";
import { webAddress } from "../said.ts";

/** What a wiki says of itself. */
export const SITE_INFO = z.object({
  general: z.object({
    generator: z.string(),
    /** Its own name for where it is; without a scheme where it has both. */
    server: z.string().refine((said) => webAddress(said.replace(/^\/\//, "https://")) !== undefined),
    /** "/wiki/$1". */
    articlepath: z.string().startsWith("/"),
    /** "/w/index.php". */
    script: z.string(),
    mainpage: z.string(),
  }),
  namespaces: z.record(z.string(), z.object({ id: z.number(), name: z.string() })),
});

/** A wiki: what it is called, and what its titles' addresses are. */
export interface Wiki {
  program: string;
  mainPage: string;
  /** The namespaces whose pages are for readers, by number. */
  namespaces: ReadonlyMap<number, string>;
  /** Namespaces whose pages are not read, and what they hold. */
  others: ReadonlyMap<string, string>;
  addressOf(title: string): string;
  /** The address at which a page is listed, for any address of it; undefined for what is none of its pages. */
  pageAt(address: string): string | undefined;
}

export function createWiki({ general, namespaces }: z.infer<typeof SITE_INFO>, api: string): Wiki {
  const server = new URL(general.server, api).origin;
  const [before = "/", after = ""] = general.articlepath.split("$1");
  const addressOf = (title: string) => `${server}${before}${encodeTitle(title)}${after}`;
  const all = Object.values(namespaces).filter(({ id }) => id >= 0 && id % 2 === 0);
  const isForReaders = (id: number) => !NOT_FOR_READERS.has(id);
  return {
    program: general.generator,
    mainPage: general.mainpage,
    namespaces: new Map(all.filter(({ id }) => isForReaders(id)).map(({ id, name }) => [id, name])),
    others: new Map(
      all.filter(({ id }) => !isForReaders(id)).map(({ id, name }) => [name, NOT_FOR_READERS.get(id) ?? ""]),
    ),
    addressOf,
    pageAt(address) {
      const url = URL.parse(address);
      if (url === null || url.origin !== server) return undefined;
      const title = titleIn(url, { before, after, script: general.script });
      return title === undefined ? undefined : addressOf(title) + url.hash;
    },
  };
}

/** MediaWiki leaves these as they are: an address is compared letter by letter. */
const LEFT = /%(?:3B|40|24|21|2A|28|29|2C|2F|7E|3A)/g;
const encodeTitle = (title: string) =>
  encodeURIComponent(title.replaceAll(" ", "_")).replace(LEFT, decodeURIComponent);

const QUERY_OF_PAGE = ["title", "redirect"];

function titleIn(
  { pathname, search, searchParams }: URL,
  { before, after, script }: { before: string; after: string; script: string },
): string | undefined {
  const named = searchParams.get("title");
  const isPlain = [...searchParams.keys()].every((name) => QUERY_OF_PAGE.includes(name));
  if (pathname === script) return isPlain && named !== null ? named : undefined;
  if (search !== "" || !pathname.startsWith(before) || !pathname.endsWith(after)) return undefined;
  try {
    return decodeURIComponent(pathname.slice(before.length, pathname.length - after.length)) || undefined;
  } catch {
    return undefined;
  }
}
