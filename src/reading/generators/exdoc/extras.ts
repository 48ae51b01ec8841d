import { splitFrontMatter } from "../../markdown/front-matter.ts";
import type { MenuEntry } from "../../page/menu.ts";
import type { LeftOut } from "../docs-site.ts";
import { type DocsTree, nameOf, resolveLocation, stemOf } from "../docs-tree.ts";
import { titleOf } from "../writing/writing.ts";
import type { ExDocSettings, Extra } from "./settings.ts";

/** A page that is made of a file. */
export interface ExtraPage {
  location: string;
  path: string;
  title: string;
}

export interface Extras {
  pages: ExtraPage[];
  menu: MenuEntry[];
  leftOut: LeftOut[];
}

const MARKDOWN = /\.(?:md|livemd|cheatmd)$/i;
const PLAIN = /^[^.]+$|\.txt$/i;

/** Whether a file is shown as it is. */
export const isPlainText = (location: string) => PLAIN.test(nameOf(location));

/** An extra with its place in the menu. */
interface Listed {
  extra: Extra;
  id: string;
  /** The place of the page's group among all groups; -1 for none: such pages stand before all others. */
  group: number;
}

export async function readExtras(tree: DocsTree, settings: ExDocSettings): Promise<Extras> {
  const pages = new Map<string, ExtraPage>();
  const leftOut: LeftOut[] = [];
  const groups = Map.groupBy(listedIn(settings), ({ group }) => group);
  const menu: MenuEntry[] = [];
  for (const [group, listed] of [...groups].toSorted(([a], [b]) => a - b)) {
    const entries: MenuEntry[] = [];
    for (const { extra, id } of listed) {
      const page = extra.url === undefined ? await pageOf(tree, settings, extra, id) : undefined;
      if (page === undefined) entries.push(linkOf(extra));
      else if ("detail" in page) leftOut.push(page);
      else if (pages.has(page.path))
        leftOut.push({
          location: page.location,
          detail: `has the same address as ${pages.get(page.path)?.location}`,
        });
      else {
        pages.set(page.path, page);
        entries.push({ label: page.title, path: page.path, children: [] });
      }
    }
    const label = settings.groups[group]?.label;
    menu.push(...(label === undefined ? entries : [{ label, children: entries }]));
  }
  return {
    pages: [...pages.values()],
    menu: menu.filter(isShown),
    leftOut: withUnlisted(tree, settings, pages, leftOut),
  };
}

const isShown = ({ path, href, children }: MenuEntry) =>
  path !== undefined || href !== undefined || children.length > 0;

/** The extras with the names of their pages. Of those that would be called the same, all are numbered. */
function listedIn({ extras, groups }: ExDocSettings): Listed[] {
  const named = extras.map((extra) => ({
    extra,
    id:
      extra.url === undefined
        ? (extra.fileName ?? textToId(stemOf(nameOf(extra.input))))
        : textToId(extra.title ?? extra.input),
  }));
  const counts = Map.groupBy(named, ({ id }) => id);
  let number = 1;
  return named.map(({ extra, id }) => {
    const isSeveral = (counts.get(id)?.length ?? 0) > 1;
    const matched = extra.url ?? extra.input;
    return {
      extra,
      id: isSeveral ? `${id}-${number++}` : id,
      group: groups.findIndex(({ patterns }) =>
        patterns.some((each) => (typeof each === "string" ? each === matched : each.test(matched))),
      ),
    };
  });
}

async function pageOf(
  tree: DocsTree,
  { root }: ExDocSettings,
  { input, title }: Extra,
  id: string,
): Promise<ExtraPage | LeftOut> {
  const location = resolveLocation(root, `./${input}`);
  const text = location === undefined ? undefined : await tree.text(location);
  if (location === undefined || text === undefined)
    return {
      location: location ?? input,
      detail: "is listed as an extra in mix.exs, and is not in this source",
    };
  if (!MARKDOWN.test(location) && !isPlainText(location))
    return { location, detail: "is of a kind of which ExDoc makes no pages" };
  const written = isPlainText(location) ? undefined : firstTitle(splitFrontMatter(text).body);
  return { location, path: `${id}.html`, title: title ?? written ?? stemOf(nameOf(input)) };
}

/** A page has the title of its first heading only where nothing but comments stands before it. */
function firstTitle(text: string): string | undefined {
  const begun = text.replace(/^\uFEFF?(?:\s+|<!--[\s\S]*?-->)*/, "");
  const isTitle = /^ {0,3}#[ \t]/.test(begun) || /^[^\n#>`~-][^\n]*\n=+[ \t]*(?:\n|$)/.test(begun);
  return isTitle ? titleOf({}, begun.replace(/(?<![ \t])[ \t]*\{:[^{}\n]*\}[ \t]*(?=\n|$)/, "")) : undefined;
}

function linkOf({ input, title, url = "" }: Extra): MenuEntry {
  return { label: title ?? input, href: url, children: [] };
}

/** Notebooks and guides that lie beside those that are listed. */
function withUnlisted(
  tree: DocsTree,
  { root }: ExDocSettings,
  pages: ReadonlyMap<string, ExtraPage>,
  leftOut: readonly LeftOut[],
): LeftOut[] {
  const known = new Set([...pages.values(), ...leftOut].map(({ location }) => location));
  const folders = new Set(
    [...pages.values()].map(({ location }) => location.slice(0, location.lastIndexOf("/") + 1)),
  );
  const unlisted = tree
    .below(root)
    .filter((file) => MARKDOWN.test(file) && !known.has(file))
    .filter((file) => folders.has(file.slice(0, file.lastIndexOf("/") + 1)));
  return [
    ...leftOut,
    ...unlisted.map((location) => ({ location, detail: "is not listed as an extra in mix.exs" })),
  ];
}

/** A name as it stands in addresses, and as an id. */
export const textToId = (text: string) =>
  text
    .replace(/&#\d+;|&[A-Za-z0-9]+;/g, "")
    .replace(/[^\p{L}\p{N}_]+/gu, "-")
    .replace(/^-+|(?<!-)-+$/g, "")
    .toLowerCase();
