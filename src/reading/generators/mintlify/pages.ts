import { replaceEnclosed } from "@docent/kernel/text/code-spans";
import { asText } from "@docent/kernel/text/json";
import { splitFrontMatter } from "../../markdown/front-matter.ts";
import { ignoreMatcher } from "../config/config.ts";
import type { DocsPage, LeftOut } from "../docs-site.ts";
import { type DocsTree, folderOf, joinLocation, nameOf, resolveLocation, stemOf } from "../docs-tree.ts";
import { type ApiFiles, operationOf } from "./operations.ts";
import { belowRoot, type MintlifySettings } from "./settings.ts";

/** A page with what menus call it. */
export interface PublishedPage extends DocsPage {
  /** Its location below the site's folder without an extension, by which menus name it. */
  name: string;
  title: string;
  menuLabel: string;
  /** Published, and in no menu and no search. */
  isHidden: boolean;
}

/** A file that is only an entry of the menu, which leads elsewhere. */
export interface MenuLink {
  label: string;
  href: string;
}

/** Files that Mintlify never publishes, wherever they are, whatever their case. */
const NEVER =
  /(?:^|\/)(?:\.git|\.github|\.claude|\.agents|\.idea|\.vscode|\.cursor|\.mintlify|node_modules)\/|(?:^|\/)(?:readme|license|changelog|contributing)\.md$|(?:^|\/)contribute\.md$|^skill\.md$/i;
const SNIPPETS = /^_?snippets\//i;
const IMPORTED = /^import\s[^\n;]*?["']([^"'\n]+\.mdx?)["']/gm;

/** The published pages of a site, and the files that are not. */
export async function readPages(
  tree: DocsTree,
  settings: Pick<MintlifySettings, "root">,
  api: ApiFiles,
): Promise<{ pages: PublishedPage[]; links: Map<string, MenuLink>; leftOut: LeftOut[] }> {
  const { root } = settings;
  const locations = tree.below(root).filter((location) => /\.mdx?$/i.test(location));
  const isIgnored = ignoreMatcher((await tree.text(joinLocation(root, ".mintignore"))) ?? "");
  const imported = await importedIn(tree, root, locations);
  const byPath = new Map<string, PublishedPage>();
  const links = new Map<string, MenuLink>();
  const leftOut: LeftOut[] = [];
  for (const location of locations) {
    const below = belowRoot(root, location);
    const isPart = SNIPPETS.test(below) || imported.has(location.toLowerCase());
    const leave = (detail: string) => leftOut.push({ location, detail });
    if (isPart) leave("is a part of other pages");
    else if (NEVER.test(below)) leave("is never published by Mintlify");
    else if (isIgnored(below)) leave("is left out by .mintignore");
    else {
      const page = await pageAt(tree, location, below, api);
      const other = byPath.get(page.path);
      if (page.leadsTo !== undefined) {
        links.set(page.path, { label: page.menuLabel, href: page.leadsTo });
        leave(`only leads to ${page.leadsTo}`);
      } else if (other === undefined) byPath.set(page.path, page);
      else leave(`has the address of ${other.location}`);
    }
  }
  return { pages: [...byPath.values()], links, leftOut };
}

async function pageAt(
  tree: DocsTree,
  location: string,
  below: string,
  api: ApiFiles,
): Promise<PublishedPage & { leadsTo: string | undefined }> {
  const { data } = splitFrontMatter((await tree.text(location)) ?? "");
  const name = stemOf(below);
  const title = await publishedTitle(data, name, api);
  return {
    location,
    path: pathOfName(name),
    name,
    title,
    menuLabel: wordsIn(data["sidebarTitle"]) ?? title,
    isHidden: data["hidden"] === true,
    leadsTo: /^https?:\/\/\S+$/i.exec(asText(data["url"]) ?? "")?.[0],
  };
}

/** What a page is called: a page of an API is called like its operation. */
async function publishedTitle(
  data: Readonly<Record<string, unknown>>,
  name: string,
  api: ApiFiles,
): Promise<string> {
  const operation = asText(data["openapi"]);
  const summary = operation === undefined ? undefined : (await operationOf(api, operation))?.summary;
  return wordsIn(data["title"]) ?? summary ?? titleInName(name);
}

const wordsIn = (value: unknown): string | undefined => {
  const text = typeof value === "number" ? String(value) : asText(value)?.trim();
  return text === "" ? undefined : text;
};

function titleInName(name: string): string {
  const words = nameOf(name).replace(/[-_]/g, " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** The address of a page by its name: an index stands for its folder. */
export const pathOfName = (name: string) => name.replace(/(?:^|\/)index$/, "");

/** The files that pages import, in lower case: these are no pages, wherever they are. */
async function importedIn(
  tree: DocsTree,
  root: string,
  locations: readonly string[],
): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  for (const location of locations) {
    const text = (await tree.text(location)) ?? "";
    for (const [, specifier = ""] of withoutCode(text).matchAll(IMPORTED)) {
      const target = locateImport(root, location, specifier);
      if (target !== undefined) found.add(target.toLowerCase());
    }
  }
  return found;
}

const CODE = /^[ \t]*(`{3,}|~{3,})[^\n]*\n/m;
const withoutCode = (text: string) =>
  text.includes("import")
    ? replaceEnclosed(
        text,
        CODE,
        ([, fence = ""]) => `^[ \\t]*${fence}[\`~]*[ \\t]*$`,
        () => "",
      )
    : "";

/** The file that a page imports: from the site's folder, or from beside it. */
export function locateImport(root: string, location: string, specifier: string): string | undefined {
  if (specifier.startsWith("/")) {
    const place = resolveLocation("", specifier);
    return place === undefined ? undefined : joinLocation(root, place);
  }
  return specifier.startsWith(".") ? resolveLocation(folderOf(location), specifier) : undefined;
}
