import { z } from "zod";
import type { ListedPage, ServerBounds, ServerListing, ServerMenuEntry } from "../connector.ts";
import { isoTime } from "../said.ts";
import { menuOfTitles } from "../title-tree.ts";
import type { XWikiApi } from "./api.ts";
import { type Addresses, HOME, pagePath, spacesIn } from "./references.ts";
import { orNothing, readRights } from "./rights.ts";

const RESULT = z.object({
  /** "Guide.Install.WebHome". */
  pageFullName: z.string(),
  title: z.string().nullish(),
  space: z.string(),
  pageName: z.string(),
  /** Milliseconds; a text in some versions. */
  modified: z.union([z.number(), z.string()]).default(0),
  version: z.string().default(""),
  /** Of a translation; nothing for the page itself. */
  language: z.string().nullish(),
});
type Result = z.infer<typeof RESULT>;
const RESULTS = z.object({ searchResults: z.array(RESULT) });

/** A page, or a translation of one. */
export interface FoundPage {
  id: string;
  spaces: string[];
  name: string;
  language: string;
  title: string;
  changedAt: string;
  version: string;
}

const QUERY = "where (doc.hidden <> true or doc.hidden is null) order by doc.fullName, doc.language";
const NUMBER = 500;
const PARTS_MAX = 2_000;
/** Pages that whoever signed in may not view are taken out of a part of the list: it may be empty, and not the last. */
const EMPTY_PARTS_MAX = 4;

/** All pages that are not hidden, with their translations. */
export async function findPages(api: XWikiApi, { pagesMax }: ServerBounds): Promise<FoundPage[]> {
  const found = new Map<string, FoundPage>();
  let start = 0;
  let emptyParts = 0;
  for (let part = 0; part < PARTS_MAX && found.size <= pagesMax && emptyParts < EMPTY_PARTS_MAX; part++) {
    const query = new URLSearchParams({
      q: QUERY,
      type: "hql",
      number: String(NUMBER),
      start: String(start),
    });
    const { searchResults } = await api.read(`query?${query}`, RESULTS);
    const before = found.size;
    for (const page of searchResults.map(foundPage)) found.set(page.id, page);
    // A list that begins anew has no end.
    if (searchResults.length > 0 && found.size === before) break;
    emptyParts = searchResults.length === 0 ? emptyParts + 1 : 0;
    start += NUMBER;
  }
  return [...found.values()];
}

function foundPage({ space, pageName, pageFullName, title, modified, version, language }: Result): FoundPage {
  const spaces = spacesIn(space);
  return {
    id: `${pageFullName}${language ? `?${language}` : ""}`,
    spaces,
    name: pageName,
    language: language ?? "",
    title: titleOf(title, { spaces, name: pageName }),
    changedAt: isoTime(modified),
    version,
  };
}

/** What has no title is called by its name. */
function titleOf(
  said: string | null | undefined,
  { spaces, name }: Pick<FoundPage, "spaces" | "name">,
): string {
  const own = said?.trim() ?? "";
  if (own !== "") return own;
  return name === HOME ? (spaces.at(-1) ?? name) : name;
}

const TRANSLATION = RESULT.pick({ title: true, modified: true, version: true });
const ASKED_AT_ONCE = 4;

/** The list tells of a translation the title, the time and the version of its page: those of its own are asked for. */
async function withTranslations(api: XWikiApi, pages: readonly FoundPage[]): Promise<FoundPage[]> {
  const whole = [...pages];
  const translations = whole.flatMap((page, index) => (page.language === "" ? [] : [{ page, index }]));
  for (let from = 0; from < translations.length; from += ASKED_AT_ONCE)
    await Promise.all(
      translations.slice(from, from + ASKED_AT_ONCE).map(async ({ page, index }) => {
        const { spaces, name, language } = page;
        const path = `${pagePath(spaces, name)}/translations/${encodeURIComponent(language)}`;
        const own = await orNothing(api.read(path, TRANSLATION));
        if (own === undefined) return;
        const { title, modified, version } = own;
        whole[index] = { ...page, title: titleOf(title, page), changedAt: isoTime(modified), version };
      }),
    );
  return whole;
}

export const addressOf = (addresses: Addresses, { spaces, name, language }: FoundPage) =>
  addresses.of(spaces, name) + (language === "" ? "" : `?language=${encodeURIComponent(language)}`);

const OF_XWIKI = "XWiki";

/** The pages of a place: all, or a page with those below it. */
export async function listPages(
  api: XWikiApi,
  found: readonly FoundPage[],
  { addresses, place }: { addresses: Addresses; place: string },
): Promise<ServerListing> {
  const named = addresses.namesIn(place) ?? [];
  const scope = named.join("/") === "Main" ? [] : named;
  const isIn = ({ spaces, name }: FoundPage) =>
    scope.every((each, index) => each === [...spaces, ...(name === HOME ? [] : [name])][index]);
  const wanted = found.filter((page) => isIn(page) && page.spaces[0] !== OF_XWIKI);
  const rights = await readRights(api);
  const isForSome = ({ spaces, name }: FoundPage) => rights.isForSome(spaces, name);
  const read = await withTranslations(
    api,
    wanted.filter((page) => !isForSome(page)),
  );
  return {
    pages: read.map((page) => listedPage(page, addressOf(addresses, page))),
    leftOut: [
      ...wanted.filter(isForSome).map((page) => ({
        address: addressOf(addresses, page),
        detail: "has rights of its own, or lies in a space that has: it may not be for all readers",
      })),
      ...leftOutWhole(addresses),
    ],
    menu: menuOf(read, addresses),
    redirects: [],
  };
}

const leftOutWhole = ({ prefix }: Addresses) => [
  { address: `${prefix}${OF_XWIKI}/`, detail: "is for the wiki's members and settings: it is left out" },
  { address: prefix, detail: "may have hidden pages, which are the program's own: they are left out" },
];

const listedPage = (page: FoundPage, address: string): ListedPage => ({
  id: page.id,
  address,
  title: page.title,
  changedAt: page.changedAt,
  revision: page.version,
});

/** The tree of spaces, where the first page of one is its entry. Translations stand at the place of their page. */
function menuOf(pages: readonly FoundPage[], addresses: Addresses): ServerMenuEntry[] {
  return menuOfTitles(
    pages
      .filter(({ language }) => language === "")
      .map((page) => ({
        titles: [...page.spaces, ...(page.name === HOME ? [] : [page.name])],
        label: page.title,
        path: addressOf(addresses, page),
      })),
  );
}
