import { asList, asRecord, asText, isRecord } from "@docent/kernel/text/json";
import { isComputed, knownIn, readFirstConfig } from "../config/config.ts";
import type { DocsPage, LeftOut } from "../docs-site.ts";
import type { DocsTree } from "../docs-tree.ts";
import type { VitePressSettings } from "./settings.ts";

/** A page with what its links are resolved by. */
export interface PublishedPage extends DocsPage {
  /** The location that it is published for, below the folder of the pages: where it is moved to. */
  file: string;
  /** What stands for `$params` in it: several pages are made from one file. */
  params?: Readonly<Record<string, unknown>>;
  /** What its route puts in the place of `<!-- @content -->`. */
  content?: string | undefined;
}

const ROUTE = /\[(\w+?)\]/g;
const ROUTES_MAX = 10_000;

/** The published pages, and files that look like pages and are none. */
export async function readPages(
  tree: DocsTree,
  settings: VitePressSettings,
): Promise<{ pages: PublishedPage[]; leftOut: LeftOut[] }> {
  const pages = new Map<string, PublishedPage>();
  const leftOut: LeftOut[] = [];
  const isExcluded = excluding(settings.excluded);
  const { contentRoot } = settings;
  for (const location of tree.below(contentRoot)) {
    const below = contentRoot === "" ? location : location.slice(contentRoot.length + 1);
    if (!below.endsWith(".md") || /(?:^|\/)(?:\.|node_modules\/|dist\/)/.test(below)) continue;
    if (isExcluded(below)) {
      leftOut.push({ location, detail: "is left out by the configuration" });
      continue;
    }
    const isRoute = below.search(ROUTE) >= 0;
    const routes = isRoute ? await readRoutes(tree, location) : [{}];
    if (routes === undefined)
      leftOut.push({ location, detail: "stands for pages that a script lists when the site is built" });
    for (const { params, content } of routes ?? []) {
      const file = below.replace(ROUTE, (whole, name: string) => String(asRecord(params)[name] ?? whole));
      const moved = settings.rewrite(file);
      const path = settings.addressOf(moved);
      const other = pages.get(path);
      if (other !== undefined)
        leftOut.push({ location, detail: `has the same address as ${other.location}` });
      else
        pages.set(path, {
          location,
          path,
          file: moved,
          ...(params === undefined ? {} : { params, content }),
        });
    }
  }
  return { pages: [...pages.values()], leftOut };
}

function excluding(patterns: readonly string[]): (path: string) => boolean {
  const globs = patterns.map((pattern) => new Bun.Glob(pattern.replace(/^\.?\//, "")));
  return (path) => globs.some((glob) => glob.match(path));
}

interface Route {
  params?: Readonly<Record<string, unknown>>;
  content?: string | undefined;
}

/** The pages that a file with `[name]` in its location stands for, where the script beside it lists them. */
async function readRoutes(tree: DocsTree, location: string): Promise<Route[] | undefined> {
  const stem = location.replace(/\.md$/, "");
  const script = await readFirstConfig(
    tree,
    ["js", "ts", "mjs", "mts"].map((extension) => `${stem}.paths.${extension}`),
  );
  const list = knownIn(asRecord(script?.value)["paths"]);
  if (!Array.isArray(list)) return undefined;
  const routes = asList(list)
    .slice(0, ROUTES_MAX)
    .flatMap((each): Route[] => {
      const { params, content } = asRecord(each);
      const isKnown = isRecord(params) && Object.values(params).every((value) => !isComputed(value));
      return isKnown ? [{ params, content: asText(content) }] : [];
    });
  return routes.length === list.length ? routes : undefined;
}
