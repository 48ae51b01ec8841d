import { isRecord } from "@docent/kernel/text/json";
import { splitFrontMatter } from "../../markdown/front-matter.ts";
import type { DocsPage, LeftOut } from "../docs-site.ts";
import { type DocsTree, folderOf, nameOf, stemOf } from "../docs-tree.ts";
import { titleOf } from "../writing/writing.ts";
import { addressOf, titleOfName, withoutNumber } from "./addresses.ts";
import type { ContentSource, NuxtSettings } from "./settings.ts";

/** A page with what the menu says of it. */
export interface ContentPage extends DocsPage {
  collection: string;
  /** Its location below the site without extension, with the numbers that order pages. */
  stem: string;
  title: string;
  menuLabel: string;
  isInMenu: boolean;
}

/** The pages of all collections: of two at one address the first is shown. */
export async function readPages(
  tree: DocsTree,
  settings: NuxtSettings,
): Promise<{ pages: ContentPage[]; leftOut: LeftOut[] }> {
  const byPath = new Map<string, ContentPage>();
  const seen = new Set<string>();
  const leftOut: LeftOut[] = [];
  for (const source of settings.sources)
    for (const { location, stem } of filesOf(tree, source)) {
      if (!location.endsWith(".md") || seen.has(location)) continue;
      seen.add(location);
      const page = await pageAt(tree, settings, { location, stem, collection: source.collection });
      const other = byPath.get(page.path ?? "");
      if (page.path === undefined) leftOut.push({ location, detail: page.detail });
      else if (other === undefined) byPath.set(page.path, page);
      else leftOut.push({ location, detail: `has the address of ${other.location}` });
    }
  const pages = [...byPath.values()].sort(settings.isVersion2 ? byNumbers : bySigns);
  return { pages, leftOut };
}

/** The files of a source, with their places below the site. */
export const filesOf = (tree: DocsTree, source: ContentSource): { location: string; stem: string }[] =>
  tree.below(source.folder).flatMap((location) => {
    const below = source.folder === "" ? location : location.slice(source.folder.length + 1);
    if (!source.takes(below)) return [];
    return [
      { location, stem: stemOf([source.prefix, below.slice(source.fixed.length)].filter(Boolean).join("/")) },
    ];
  });

/** Nuxt Content 3 takes the order of its database, in which 10 comes before 2. */
const bySigns = (a: { stem: string }, b: { stem: string }) =>
  a.stem < b.stem ? -1 : a.stem > b.stem ? 1 : 0;
const collator = new Intl.Collator("en", { numeric: true, sensitivity: "base" });
const byNumbers = (a: { stem: string }, b: { stem: string }) => collator.compare(a.stem, b.stem);

type PlacedFile = Pick<ContentPage, "location" | "stem" | "collection">;

async function pageAt(
  tree: DocsTree,
  { isVersion2 }: NuxtSettings,
  { location, stem, collection }: PlacedFile,
): Promise<ContentPage | { path: undefined; detail: string }> {
  const { data, body } = splitFrontMatter((await tree.text(location)) ?? "");
  const isDraft = data["draft"] === true || (isVersion2 && stem.endsWith(".draft"));
  if (isDraft) return { path: undefined, detail: "is a draft" };
  const isPart = isVersion2 && stem.split("/").some((name) => /^[._-]/.test(name));
  if (isPart) return { path: undefined, detail: "is a part of pages by its name" };
  const path =
    typeof data["path"] === "string" && !isVersion2
      ? data["path"].replace(/^\/+|\/+$/g, "")
      : addressOf(stem);
  const { navigation } = data;
  const named = withoutNumber(nameOf(stem)) || withoutNumber(nameOf(folderOf(stem)));
  const title = titleOf(data, firstHeading(body)) ?? titleOfName(named);
  // As the writers of Nuxt's docs abbreviate it.
  const said = isRecord(navigation) ? navigation["title"] : data["navigation.title"];
  return {
    location,
    path,
    stem,
    collection,
    title,
    menuLabel: typeof said === "string" && said !== "" ? said : title,
    isInMenu: navigation !== false,
  };
}

/** A title is taken from a heading only where a page begins with it. */
const firstHeading = (body: string): string => /^\s*(# [^\n]*)/.exec(body)?.[1] ?? "";
