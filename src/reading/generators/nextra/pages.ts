import { asText } from "@docent/kernel/text/json";
import { splitFrontMatter } from "../../markdown/front-matter.ts";
import type { DocsPage, LeftOut } from "../docs-site.ts";
import { type DocsTree, folderOf, joinLocation, nameOf, stemOf } from "../docs-tree.ts";
import { titleOf } from "../writing/writing.ts";
import type { NextraSettings } from "./settings.ts";

/** A page with its place in the menu of its folder. */
export interface PublishedPage extends DocsPage {
  /** The folder below the site whose menu it is in: of addresses, and not of files. */
  folder: string;
  /** Its name in that menu. */
  name: string;
  title: string;
  menuLabel: string;
  /** Whether it stands for its folder, and is no entry below it. */
  isFolderPage: boolean;
}

/** The published pages, and the files that share an address with another. */
export async function readPages(
  tree: DocsTree,
  settings: NextraSettings,
): Promise<{ pages: PublishedPage[]; leftOut: LeftOut[] }> {
  const places = [...contentPlaces(tree, settings), ...appPlaces(tree, settings)];
  const byPath = new Map<string, PublishedPage>();
  const leftOut: LeftOut[] = [];
  for (const { location, place } of places) {
    const page = await pageAt(tree, location, place);
    const other = byPath.get(page.path);
    if (other === undefined) byPath.set(page.path, page);
    else leftOut.push({ location, detail: `has the address of ${other.location}` });
  }
  return { pages: [...byPath.values()], leftOut };
}

/** A page, and its address with the name of an index in it. */
interface Place {
  location: string;
  place: string;
}

function contentPlaces(tree: DocsTree, { contentFolder, contentBase }: NextraSettings): Place[] {
  if (contentFolder === undefined) return [];
  return tree.below(contentFolder).flatMap((location) => {
    const below = location.slice(contentFolder.length + 1);
    return /\.mdx?$/.test(below) ? [{ location, place: joinLocation(contentBase, stemOf(below)) }] : [];
  });
}

/** Pages called `page.mdx`, whose folders are their addresses. Folders in parentheses only group others. */
function appPlaces(tree: DocsTree, { appFolder }: NextraSettings): Place[] {
  if (appFolder === undefined) return [];
  return tree.below(appFolder).flatMap((location) => {
    const segments = folderOf(location.slice(appFolder.length + 1)).split("/");
    if (!/^page\.mdx?$/.test(nameOf(location)) || segments.some((name) => /^[_[]/.test(name))) return [];
    const named = segments.filter((name) => name !== "" && !/^\(.*\)$/.test(name));
    return [{ location, place: named.length === 0 ? "index" : named.join("/") }];
  });
}

async function pageAt(tree: DocsTree, location: string, place: string): Promise<PublishedPage> {
  const { data, body } = splitFrontMatter((await tree.text(location)) ?? "");
  const name = nameOf(place);
  const isIndex = name === "index";
  const path = isIndex ? folderOf(place) : place;
  const title = titleOf(data, body) ?? titleFromName(isIndex && path !== "" ? nameOf(path) : name);
  return {
    location,
    path,
    folder: folderOf(place),
    name,
    title,
    menuLabel: asText(data["sidebarTitle"]) ?? title,
    isFolderPage: isIndex && data["asIndexPage"] === true,
  };
}

/** Words that stay small within a title, as the package `title` has it. */
const SMALL = new Set(
  `for and nor but or yet so a an the aboard about above across after against along amid among anti around as at before
  behind below beneath beside besides between beyond by concerning considering despite down during except excepting
  excluding following from in inside into like minus near of off on onto opposite over past per plus regarding round
  save since than through to toward towards under underneath unlike until up upon versus via with within without`.split(
    /\s+/,
  ),
);

/** Names with letters of their own. */
const NAMES = new Map(
  "CLI API HTTP HTTPS JSX DNS URL now.sh now.json vercel.app vercel.json CI CD CDN package.json package.lock yarn.lock GitHub GitLab CSS Sass JS JavaScript TypeScript HTML WordPress Next.js Node.js Webpack Docker Bash Kubernetes SWR TinaCMS UI UX TS TSX iPhone iPad watchOS iOS iPadOS macOS PHP composer.json composer.lock CMS SQL C C# GraphQL GraphiQL JWT JWTs SSR CORS ESLint"
    .split(" ")
    .map((name) => [name.toLowerCase(), name]),
);

/** The title that a page or folder has by its name alone. */
export function titleFromName(name: string): string {
  const words = name.replace(/[-_]/g, " ").toLowerCase().trim().split(/\s+/);
  return words
    .map((word, index) => {
      const known = NAMES.get(word);
      if (known !== undefined) return known;
      const isWithin = index > 0 && index < words.length - 1;
      return isWithin && SMALL.has(word) ? word : word.charAt(0).toUpperCase() + word.slice(1);
    })
    .join(" ");
}
