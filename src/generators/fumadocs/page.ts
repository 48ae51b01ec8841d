import { createSlugger } from "../../markdown/anchors.ts";
import { splitFrontMatter } from "../../markdown/front-matter.ts";
import { unwrapMdx } from "../../markdown/mdx/mdx.ts";
import type { ReadDocsPage } from "../docs-site.ts";
import { type DocsTree, folderOf, joinLocation, resolveLocation } from "../docs-tree.ts";
import {
  createInclusions,
  rewriteLinks,
  splitHref,
  withPartials,
  writeHeadingIds,
} from "../writing/writing.ts";
import { plainComponents, readBlocks } from "./blocks.ts";
import { withIncludes } from "./includes.ts";
import type { FumadocsPage } from "./pages.ts";
import { writeTypeTables } from "./type-tables.ts";

/** What reading a page takes from its site. */
export interface Surroundings {
  tree: DocsTree;
  root: string;
  byPath: ReadonlyMap<string, FumadocsPage>;
  byLocation: ReadonlyMap<string, FumadocsPage>;
}

export async function readPage(surroundings: Surroundings, page: FumadocsPage): Promise<ReadDocsPage> {
  const { tree, root } = surroundings;
  const { data, body, fault } = splitFrontMatter((await tree.text(page.location)) ?? "");
  const faults = fault === undefined ? [] : [fault];
  const locate = (location: string, specifier: string) =>
    specifier.startsWith(".")
      ? resolveLocation(folderOf(location), specifier)
      : /^[@~]\//.test(specifier)
        ? joinLocation(root, specifier.slice(2))
        : undefined;
  const inclusions = createInclusions(tree);
  const included = await withIncludes({ inclusions, root, faults }, page.location, body);
  const whole = await withPartials({ tree, locate }, page.location, included, { faults, inclusions });
  const tables = await writeTypeTables(whole, faults);
  const plain = readBlocks(plainComponents(tables), createSlugger("github"));
  const read = page.location.endsWith(".mdx") ? unwrapMdx(plain, data) : { markdown: plain, faults: [] };
  const linked = rewriteLinks(read.markdown, (href) => publishedHref(surroundings, page, href));
  // Headings that components make have the ids that they say.
  const markdown = writeHeadingIds(linked, ({ given }) => given ?? "");
  return { data: { ...data, title: page.title }, markdown, faults: [...faults, ...read.faults] };
}

/** Where a link leads: to the page of a file, or as browsers resolve it. */
function publishedHref(
  { byPath, byLocation }: Surroundings,
  page: FumadocsPage,
  href: string,
): string | undefined {
  const { target, rest } = splitHref(href);
  if (target === "" || target.startsWith("/")) return undefined;
  const file = resolveLocation(folderOf(page.location), target);
  const meant = file === undefined ? undefined : byLocation.get(file);
  if (meant !== undefined) return `/${meant.path}${rest}`;
  const published = resolveLocation(folderOf(page.path), target);
  return published !== undefined && byPath.has(published) ? `/${published}${rest}` : undefined;
}
