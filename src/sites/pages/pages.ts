import { isInLanguage } from "@docent/kernel/text/language-tags";
import type { SourceMenu } from "@docent/reading/page/menu";
import type { PageMarks } from "@docent/reading/page/page-marks";
import { normalizePath } from "@docent/reading/page/page-path";
import type { PageRedirect } from "@docent/reading/page/redirects";
import type { PageSource } from "@docent/reading/source";
import type { Audience } from "./audience.ts";

/** A document of a site in the generation that readers see. */
export interface Page extends PageMarks {
  id: number;
  siteId: number;
  path: string;
  /** Where it was found: a file below a folder, or an address. Links in the page are relative to it. */
  location: string;
  title: string;
  description: string | undefined;
  /** Whom it is for; empty: everyone. */
  groups: string[];
  hidden: boolean;
  markdown: string;
}

/** Chooses among several versions and languages of one path. */
export interface PageFilter {
  version?: string | undefined;
  language?: string | undefined;
  tag?: string | undefined;
  /** Only pages for one of these groups or for everyone. A wish: what is for somebody else stays so. */
  groups?: readonly string[] | undefined;
}

/** Whether a filter lets every page through. */
export const isOpenFilter = ({ version, language, tag, groups }: PageFilter) =>
  !version && !language && !tag && (groups === undefined || groups.length === 0);

/** A page as a list has it. */
export type PageEntry = Omit<Page, "markdown" | "hidden" | "translations">;

/** Which pages are listed. */
interface PageListing {
  siteId: number;
  /** Who reads the list: what is not for them is not there. */
  audience: Audience;
  /** The state of the index, so that a list read in parts stays consistent. */
  generation: number;
  /** Decides which of several pages of one path is listed, as the defaults of `choosePage` do. */
  version: string;
  language: string;
  /** Only this path and those below it. Empty: all. */
  under: string;
  /** Leaves out questions out of trackers. */
  docsOnly?: boolean | undefined;
  /** Only paths after this one. */
  after?: string | undefined;
  limit: number;
}

/**
 * A page as a menu needs it. Hidden pages are included, because they take the place of others of their path.
 */
export interface NavigationEntry extends PageMarks, Pick<Page, "id" | "path" | "title" | "hidden"> {
  /** The source that it came from. */
  sourceId: number;
  /** Whom it is for; empty: everyone. */
  groups: string[];
  frontMatter: Record<string, unknown>;
}

/** Reads the pages of the generation that readers see. */
export interface PageStore {
  /** Every page of a path that is for whoever reads. */
  findPages(siteId: number, path: string, audience: Audience): Promise<Page[]>;
  /** The number of the generation that readers see; 0 before the first one. */
  visibleGeneration(siteId: number): Promise<number>;
  /** One page of each path in path order, without hidden ones. */
  listPages(listing: PageListing): Promise<PageEntry[]>;
  /** The pages of a generation after an id, whomever they are for, ordered by id: in parts, because there may be many. */
  listNavigation(
    siteId: number,
    generation: number,
    afterId: number,
    limit: number,
  ): Promise<NavigationEntry[]>;
  /** The menus of the sources whose docs generator makes one, as they were in a generation. */
  listMenus(siteId: number, generation: number): Promise<SourceMenu[]>;
  /** The old addresses that lead to pages, as the docs of a site's sources say in a generation. */
  listRedirects(siteId: number, generation: number): Promise<PageRedirect[]>;
  /** The Markdown of a listed page, and where it was found. */
  contentOf(pageId: number): Promise<Pick<Page, "markdown" | "location"> | undefined>;
  sourceOf(pageId: number): Promise<PageSource | undefined>;
  /** When listed pages last changed, by id. */
  lastChanges(pageIds: readonly number[]): Promise<Map<number, number>>;
  /** Whomever they are for: the number is for owners. */
  countPages(siteId: number): Promise<{ pages: number; passages: number }>;
  /** The versions and languages of the pages that are for whoever reads, at most `limit` of each. */
  listScopes(
    siteId: number,
    audience: Audience,
    limit: number,
  ): Promise<{ versions: string[]; languages: string[] }>;
}

/** How the address of a page ends on hosts that show neither the bare name nor a folder. */
const ADDRESS_ENDINGS = [".html", "/index.html", "/index", ".htm"];

/**
 * The paths under which the page of a written path may be stored, the likeliest first: as it is written, and without or
 * with what an address ends in.
 */
export function spellingsOf(path: string): string[] {
  const plain = normalizePath(path);
  if (plain === "") return [...new Set([path, plain])];
  const written = path.replace(/^\/+/, "");
  return [...new Set([path, written, plain, ...ADDRESS_ENDINGS.map((each) => plain + each)])];
}

/** The pages of a path, as stored or as a link writes it, which may also name a README. */
export async function findByWrittenPath(
  pages: Pick<PageStore, "findPages">,
  siteId: number,
  path: string,
  audience: Audience,
): Promise<Page[]> {
  const readme = normalizePath(path).replace(/(^|\/)readme$/i, "");
  for (const candidate of new Set([...spellingsOf(path), readme])) {
    const found = await pages.findPages(siteId, candidate, audience);
    if (found.length > 0) return found;
  }
  return [];
}

/**
 * The page for a path as it is written, in the asked version and language, or else the site's default ones; of a page that
 * is translated into the asked language, its translation. Undefined for a hidden one, as for none.
 */
export async function findPage(
  pages: Pick<PageStore, "findPages">,
  siteId: number,
  path: string,
  { asked, defaults, audience }: { asked: PageFilter; defaults: PageFilter; audience: Audience },
): Promise<Page | undefined> {
  const written = await findByWrittenPath(pages, siteId, path, audience);
  const chosen = choosePage(written, asked, defaults);
  if (chosen !== undefined) return chosen.hidden ? undefined : chosen;
  const paths = written.flatMap(({ hidden, ...page }) =>
    hidden ? [] : translatedPaths(page, asked.language),
  );
  for (const translated of paths) {
    const page = choosePage(await pages.findPages(siteId, translated, audience), asked, defaults);
    if (page !== undefined && !page.hidden) return page;
  }
  return undefined;
}

/** The paths of a page's translations that who asks for a language reads. */
export const translatedPaths = (
  { translations = {} }: Pick<PageMarks, "translations">,
  asked: string | undefined,
): string[] =>
  Object.entries(translations).flatMap(([language, path]) => (isInLanguage(language, asked) ? [path] : []));

/** The page for a path: in the asked version and language, or else the site's default ones. */
export function choosePage<Choice extends PageMarks & Pick<Page, "id">>(
  candidates: readonly Choice[],
  asked: PageFilter,
  defaults: PageFilter,
): Choice | undefined {
  const fits = candidates.filter(
    (page) => matches(page.version, asked.version) && isForLanguage(page, asked.language),
  );
  const rank = (page: Choice) =>
    Number(page.version === (asked.version ?? defaults.version)) * 2 +
    nearness(page.language, asked.language ?? defaults.language);
  return fits.toSorted((a, b) => rank(b) - rank(a) || a.id - b.id)[0];
}

/** Whether who asks for a language is shown a page: one in it, or one that is not translated into it. */
export function isForLanguage(
  { language, translations }: Pick<PageMarks, "language" | "translations">,
  asked: string | undefined,
): boolean {
  if (isInLanguage(language, asked)) return true;
  return translations !== undefined && !Object.keys(translations).some((each) => isInLanguage(each, asked));
}

/** One in the asked language itself comes before one in a language like it, and that before one in none. */
const nearness = (own: string, wanted: string | undefined): number =>
  own === wanted ? 1 : own !== "" && wanted !== undefined && isInLanguage(own, wanted) ? 0.5 : 0;

function matches(own: string, asked: string | undefined): boolean {
  return asked === undefined || asked === "" || own === "" || own === asked;
}

/**
 * The day on which a question out of a tracker was answered, empty where its front matter does not say it; undefined for a
 * page of docs. A question is marked by `kind: question`.
 */
export function answeredOn(frontMatter: Readonly<Record<string, unknown>>): string | undefined {
  if (frontMatter["kind"] !== "question") return undefined;
  const { answered } = frontMatter;
  return typeof answered === "string" ? (/^\d{4}-\d{2}-\d{2}/.exec(answered)?.[0] ?? "") : "";
}

const LABEL = "Question: ";

/** The title that lists and citations show, so that nobody takes it for a page of docs. */
export const questionTitle = (title: string): string => (title.startsWith(LABEL) ? title : LABEL + title);
