import { asText } from "@docent/kernel/text/json";
import { splitFrontMatter } from "../../markdown/front-matter.ts";
import type { LeftOut } from "../docs-site.ts";
import { type DocsTree, nameOf, stemOf } from "../docs-tree.ts";
import { titleOf } from "../writing/writing.ts";
import type { RspressSettings } from "./settings.ts";

export interface RspressPage {
  location: string;
  path: string;
  /** Its address as links and menus have it: without `.html`, and with its language and version where these show. */
  route: string;
  language: string;
  version: string;
  /** Where it is apart from its language and version: what translations have in common. */
  topic: string;
  title: string;
}

const TEXT = /\.mdx?$/;

export async function readPages(
  tree: DocsTree,
  settings: RspressSettings,
): Promise<{ pages: RspressPage[]; leftOut: LeftOut[] }> {
  const { content, extensions, excluded } = settings;
  const start = content === "" ? 0 : content.length + 1;
  const globs = excluded.map((pattern) => new Bun.Glob(pattern.replace(/^\.?\//, "")));
  const pages = new Map<string, RspressPage>();
  const leftOut: LeftOut[] = [];
  for (const location of tree.below(content)) {
    const below = location.slice(start);
    const isPage = extensions.some((extension) => location.endsWith(extension)) && TEXT.test(location);
    if (!isPage || /(?:^|\/)(?:node_modules|\.[^/]*)\/|^public\//.test(below)) continue;
    if (globs.some((glob) => glob.match(below))) {
      leftOut.push({
        location,
        detail: isFragment(below) ? "is a part of other pages" : "is left out by the configuration",
      });
      continue;
    }
    const place = placeOf(below, settings);
    if (place.route === "404") {
      leftOut.push({ location, detail: "is shown for addresses that do not exist" });
      continue;
    }
    const other = pages.get(place.path);
    if (other !== undefined) leftOut.push({ location, detail: `has the same address as ${other.location}` });
    else pages.set(place.path, { location, ...place, title: await titleIn(tree, location, settings) });
  }
  return { pages: [...pages.values()], leftOut };
}

const isFragment = (below: string) => below.split("/").some((name) => /^_[^_]/.test(name));

type Place = Omit<RspressPage, "location" | "title">;

/** Where a file, or an address below the site, is published. */
export function placeOf(below: string, settings: RspressSettings): Place {
  const { isClean, language, languages, version, versions, extensions } = settings;
  const extension = extensions.find((each) => below.endsWith(each));
  const plain = (extension === undefined ? below : below.slice(0, -extension.length)).replace(/\.html$/, "");
  const parts = plain.split("/").filter((part) => part !== "");
  const own = version !== "" && versions.includes(parts[0] ?? "") ? (parts.shift() ?? "") : version;
  const spoken = language !== "" && languages.includes(parts[0] ?? "") ? (parts.shift() ?? "") : language;
  if (parts.at(-1) === "index") parts.pop();
  const isFolder = plain.endsWith("/") || plain.split("/").at(-1) === "index" || parts.length === 0;
  const topic = parts.join("/");
  const route = [own === version ? "" : own, spoken === language ? "" : spoken, topic]
    .filter((part) => part !== "")
    .join("/");
  return {
    route,
    path: route === "" || isFolder || isClean ? route : `${route}.html`,
    language: spoken,
    version: own,
    topic,
  };
}

async function titleIn(tree: DocsTree, location: string, settings: RspressSettings): Promise<string> {
  const { data, body } = splitFrontMatter((await tree.text(location)) ?? "");
  const title = titleOf(data, withoutIdEscapes(body));
  const isHome = asText(data["pageType"]) === "home";
  return title ?? (isHome ? settings.title : undefined) ?? stemOf(nameOf(location));
}

/** In MDX, braces are written with a backslash in front: `## Title \{#id}`. */
export const withoutIdEscapes = (body: string) =>
  body.replace(/^([ \t>]*#{1,6}[ \t].*?)\\\{#([^{}\n]{1,200}?)\\?\}[ \t]*$/gm, "$1{#$2}");
