import { decodePercent } from "@docent/kernel/text/decode-percent";
import type { MenuEntry } from "../../../page/menu.ts";
import type { LeftOut } from "../../docs-site.ts";
import { placeTree, type TreeNode } from "../../wiki-pages/wiki-pages.ts";
import { idOfShort } from "../short-id.ts";
import type { ExportedContent, ExportedPage } from "./content.ts";

/** A page that is published, with its address. */
export interface PlacedPage extends ExportedPage {
  path: string;
  /** What it is called in the ledger. */
  location: string;
}

interface Placed {
  pages: PlacedPage[];
  leftOut: LeftOut[];
  menu: MenuEntry[];
}

const collator = new Intl.Collator("en", { numeric: true });
const RESTRICTED = "is not for everyone: it, or a page above it, is restricted to some people or groups";
const OF_RESTRICTED_SPACE = "is not for everyone: only some people or groups may see its space";

/** Places the pages that everyone may read: below those above them, blog posts in a list of their own. */
export function placePages(content: ExportedContent, file: string): Placed {
  const nameIt = createLocations(file);
  const named = content.pages.map((page) => ({ ...page, location: nameIt(page) }));
  // Who exports one space has chosen it; an export of all of them holds those of a few people too.
  const isHidden = ({ space }: ExportedPage) =>
    content.spaces.size > 1 && content.spaces.get(space)?.isForAll === false;
  const open = named.filter((page) => !page.isRestricted && !isHidden(page));
  const spaces = [...content.spaces].filter(([id]) => open.some(({ space }) => space === id));
  const [first] = spaces;
  const home = spaces.length > 1 ? undefined : open.find(({ id }) => id === first?.[1].home)?.id;
  const { paths, menu } = placeTree(nodesOf(content, open, spaces.length > 1), home);
  const pages = open.flatMap((page) => {
    const path = paths.get(page.id);
    return path === undefined ? [] : [{ ...page, path }];
  });
  return {
    pages,
    leftOut: named
      .filter((page) => page.isRestricted || isHidden(page))
      .map((page) => ({
        location: page.location,
        detail: page.isRestricted ? RESTRICTED : OF_RESTRICTED_SPACE,
        isRestricted: true,
      })),
    menu: withoutEmpty(menu),
  };
}

/** The tree of a space as people see it. Of several, each is below its home page, or else below its name. */
function nodesOf(
  { spaces }: ExportedContent,
  pages: readonly ExportedPage[],
  hasSeveral: boolean,
): TreeNode[] {
  const ids = new Set(pages.map(({ id }) => id));
  const topOf = (space: string) => {
    const home = spaces.get(space)?.home ?? "";
    return hasSeveral ? (ids.has(home) ? home : `space ${space}`) : undefined;
  };
  const inOrder = pages.toSorted(
    (a, b) =>
      (a.position ?? Number.POSITIVE_INFINITY) - (b.position ?? Number.POSITIVE_INFINITY) ||
      (a.kind === "BlogPost" && b.kind === "BlogPost" ? collator.compare(b.created, a.created) : 0) ||
      collator.compare(a.title, b.title),
  );
  const groups = new Map<string, TreeNode>();
  for (const { space, kind } of inOrder) {
    const top = topOf(space);
    if (top?.startsWith("space "))
      groups.set(top, { id: top, title: spaces.get(space)?.name ?? "", parent: undefined, isPage: false });
    if (kind === "BlogPost")
      groups.set(`blog ${space}`, { id: `blog ${space}`, title: "Blog", parent: top, isPage: false });
  }
  const nodes = inOrder.map(({ id, title, kind, space, parent }): TreeNode => {
    const above = parent !== undefined && ids.has(parent) ? parent : topOf(space);
    const isTop = above === id;
    return {
      id,
      title,
      parent: kind === "BlogPost" ? `blog ${space}` : isTop ? undefined : above,
      isPage: true,
    };
  });
  return [...nodes, ...groups.values()];
}

const withoutEmpty = (menu: readonly MenuEntry[]): MenuEntry[] =>
  menu
    .map((entry) => ({ ...entry, children: withoutEmpty(entry.children) }))
    .filter(({ path, children }) => path !== undefined || children.length > 0);

/** Names pages by their titles, and by their ids where several have the same. */
function createLocations(file: string): (page: ExportedPage) => string {
  const taken = new Set<string>();
  return ({ title, id }) => {
    const plain = `${file}#${title}`;
    const location = taken.has(plain) ? `${plain} (${id})` : plain;
    taken.add(location);
    return location;
  };
}

/** The page of the wiki that one of its own addresses means. */
interface WikiAddress {
  id: string | undefined;
  space: string | undefined;
  title: string | undefined;
  /** A file that is attached to it. */
  file: string | undefined;
}

/** Reads the addresses that Confluence gives to pages and files, in all its versions; undefined for any other. */
export function readWikiAddress(href: string): WikiAddress | undefined {
  const target = href.replace(/[?#].*$/s, "");
  const query = /\?([^#]{0,2000})/.exec(href)?.[1] ?? "";
  const params = new URLSearchParams(query.replaceAll("&amp;", "&"));
  const none = { id: undefined, space: undefined, title: undefined, file: undefined };
  const [, id] =
    /\/spaces\/[^/]+\/(?:pages|blog\/\d+\/\d+\/\d+|folder)\/(?:edit-v2\/)?(\d+)/.exec(target) ?? [];
  if (id !== undefined) return { ...none, id };
  const [, short] = /\/x\/([\w-]{1,12})$/.exec(target) ?? [];
  if (short !== undefined) return { ...none, id: idOfShort(short) };
  if (/\/pages\/(?:viewpage|releaseview)\.action$/.test(target)) {
    const viewed = params.get("pageId");
    return viewed === null
      ? { ...none, space: params.get("spaceKey") ?? "", title: params.get("title") ?? "" }
      : { ...none, id: viewed };
  }
  const [, owner, file] = /\/download\/(?:attachments|thumbnails)\/(\d+)\/([^/]+)$/.exec(target) ?? [];
  if (owner !== undefined && file !== undefined)
    return { ...none, id: owner, file: decodePercent(file.replaceAll("+", " ")) };
  const [, space, title] = /\/display\/([^/]+)(?:\/([^/]+))?$/.exec(target) ?? [];
  if (space === undefined) return undefined;
  return { ...none, space, title: title === undefined ? "" : decodePercent(title.replaceAll("+", " ")) };
}
