import { snippet } from "@docent/kernel/text/snippet";
import { wordsOfName } from "@docent/kernel/text/words-of-name";
import { encodePath } from "@docent/reading/page/page-path";
import type { Audience } from "@docent/sites/pages/audience";
import { type NavigationTree, pagesBelow } from "@docent/sites/pages/navigation/navigation";
import { linkText } from "@docent/sites/pages/page-link";
import type { PageEntry, PageStore } from "@docent/sites/pages/pages";
import type { Site } from "@docent/sites/site/sites";

const DESCRIPTION_CHARACTERS_MAX = 300;

interface LlmsTxt {
  pages: PageStore;
  site: Site;
  audience: Audience;
  generation: number;
  /** The address of the site's texts here, with a slash at its end. */
  root: string;
  pagesMax: number;
  /** The menu that the generator of its docs makes. */
  menu: NavigationTree | undefined;
  docsOnly: true;
}

/**
 * A site's llms.txt as llmstxt.org has it: its name, a summary, and lists of links to pages as Markdown: as its menu has
 * them; without one first those at the top, then those of each folder.
 */
export async function* llmsTxt(source: LlmsTxt): AsyncIterable<string> {
  const { site, root, pagesMax } = source;
  yield `# ${oneLine(site.name)}\n\n> ${await summaryOf(source)}\n\n`;
  yield `Each link leads to a page as Markdown. All of them in one file: [llms-full.txt](${root}llms-full.txt)\n`;
  let left = pagesMax;
  let current: string | undefined;
  for await (const { section, page } of source.menu ? byMenu(source, source.menu) : byFolders(source)) {
    if (left === 0) return yield `\n## More\n\nThere are more pages than the ${pagesMax} listed here.\n`;
    left--;
    if (section !== current) yield `\n## ${section}\n\n`;
    current = section;
    yield linkTo(page, root);
  }
}

/** A page with what the list that it stands in is called. */
interface ListedPage {
  section: string;
  page: PageEntry;
}

const TOP = "Docs";

async function* byFolders(source: LlmsTxt): AsyncIterable<ListedPage> {
  let folder: string | undefined;
  let section = TOP;
  for (const isListed of [isAtTop, isBelow]) {
    for await (const page of listedPages(source, "")) {
      if (!isListed(page)) continue;
      const own = isAtTop(page) ? "" : page.path.slice(0, page.path.indexOf("/"));
      if (own !== folder) section = await titleOf(own, source);
      folder = own;
      yield { section, page };
    }
  }
}

/** The groups at the top of the menu are the lists; single pages among them stand before, pages in no menu behind. */
async function* byMenu(source: LlmsTxt, menu: NavigationTree): AsyncIterable<ListedPage> {
  const pages = new Map<string, PageEntry>();
  for await (const page of listedPages(source, "")) pages.set(page.path, page);
  for (const { section, path } of placesIn(menu)) {
    const page = pages.get(path);
    // A menu may name a page twice.
    if (page !== undefined) yield { section, page };
    pages.delete(path);
  }
  for (const page of pages.values()) yield { section: "Other pages", page };
}

function* placesIn({ root }: NavigationTree): Iterable<{ section: string; path: string }> {
  const [groups, single] = [
    root.children.filter(({ children }) => children.length > 0),
    root.children.filter(({ children }) => children.length === 0),
  ];
  for (const { path, isPage } of [root, ...single]) if (isPage) yield { section: TOP, path };
  for (const group of groups)
    for (const { path } of pagesBelow(group)) yield { section: oneLine(group.title), path };
}

const isAtTop = ({ path }: PageEntry) => !path.includes("/");
const isBelow = ({ path }: PageEntry) => path.includes("/");

/** The address of a page's Markdown. */
export const markdownUrl = (root: string, path: string) => `${root}${encodePath(path || "index")}.md`;

function linkTo({ path, title, description = "" }: PageEntry, root: string): string {
  const short = snippet(oneLine(description), DESCRIPTION_CHARACTERS_MAX);
  const name = linkText(oneLine(title || path));
  return `- [${name}](${markdownUrl(root, path)})${short === "" ? "" : `: ${short}`}\n`;
}

async function summaryOf({ pages, site, audience, generation }: LlmsTxt): Promise<string> {
  for await (const first of listedPages({ pages, site, audience, generation, docsOnly: true }, "")) {
    if (first.path === "" && first.description) return oneLine(first.description);
    break;
  }
  return `The documentation of ${oneLine(site.name)}.`;
}

/** A folder is called as its own page is, or else by its name. */
async function titleOf(folder: string, source: LlmsTxt): Promise<string> {
  if (folder === "") return TOP;
  for await (const first of listedPages(source, folder)) {
    if (first.path === folder) return oneLine(first.title);
    break;
  }
  return oneLine(wordsOfName(folder)) || folder;
}

const PAGES_AT_ONCE = 200;

interface Listed {
  pages: Pick<PageStore, "listPages">;
  site: Site;
  /** Who reads them. */
  audience: Audience;
  generation: number;
  /** Leaves out questions out of trackers: they are no docs, and may be out of date. */
  docsOnly?: boolean;
}

/** A site's pages in the order of their paths, of its default version and language, read as they are needed. */
export async function* listedPages(
  { pages, site, audience, generation, docsOnly }: Listed,
  under: string,
): AsyncIterable<PageEntry> {
  const { defaultVersion: version, defaultLanguage: language } = site.settings;
  const asked = { version, language, under, docsOnly, limit: PAGES_AT_ONCE };
  const listing = { siteId: site.id, generation, audience, ...asked };
  let after: string | undefined;
  for (;;) {
    const some = await pages.listPages({ ...listing, after });
    yield* some;
    if (some.length < PAGES_AT_ONCE) return;
    after = some.at(-1)?.path;
    // A large site is read in turns, so that other requests are answered meanwhile.
    await Bun.sleep(0);
  }
}

/** Text on one line: in these files a line break would begin something else. */
export const oneLine = (text: string) => text.replace(/\s+/g, " ").trim();
