import { asNumber, asRecord, asText } from "@docent/kernel/text/json";
import { slug } from "../../markdown/anchors.ts";
import { splitFrontMatter } from "../../markdown/front-matter.ts";
import type { DocsPage, LeftOut } from "../docs-site.ts";
import { type DocsTree, joinLocation, nameOf } from "../docs-tree.ts";
import type { StarlightSettings } from "./settings.ts";

/** A page with what its menu needs. */
export interface StarlightPage extends DocsPage {
  /** Its address without an extension, by which menus name it. */
  id: string;
  /** Its location below the folder of the pages. */
  below: string;
  title: string;
  menuLabel: string | undefined;
  menuOrder: number | undefined;
  /** Published, and in no menu that is made of the folders. */
  isHiddenInMenu: boolean;
}

const PAGE = /\.(?:markdown|mdown|mkdn|mkd|mdwn|md|mdx)$/;

/** The published pages, and files that look like pages and are none. */
export async function readPages(
  tree: DocsTree,
  settings: StarlightSettings,
): Promise<{ pages: StarlightPage[]; leftOut: LeftOut[] }> {
  const pages = new Map<string, StarlightPage>();
  const leftOut: LeftOut[] = [];
  for (const location of tree.below(settings.contentRoot)) {
    const below = location.slice(settings.contentRoot.length + 1);
    if (below.endsWith(".mdoc"))
      leftOut.push({ location, detail: "is written in Markdoc, which is not read" });
    if (!PAGE.test(below)) continue;
    if (nameOf(below).startsWith("_")) {
      leftOut.push({ location, detail: "is no page of its own, because its name begins with an underscore" });
      continue;
    }
    const { data } = splitFrontMatter((await tree.text(location)) ?? "");
    const page = pageOf(location, below, data, settings);
    const other = pages.get(page.path);
    if (data["draft"] === true) leftOut.push({ location, detail: "is a draft" });
    else if (page.id === "404") leftOut.push({ location, detail: "is shown where an address leads nowhere" });
    else if (other !== undefined)
      leftOut.push({ location, detail: `has the same address as ${other.location}` });
    else pages.set(page.path, page);
  }
  return { pages: [...pages.values()], leftOut };
}

function pageOf(
  location: string,
  below: string,
  data: Readonly<Record<string, unknown>>,
  { hasExtensions }: StarlightSettings,
): StarlightPage {
  const given = data["slug"];
  const isGiven = (typeof given === "string" && given !== "") || typeof given === "number";
  const id = withoutIndex(isGiven ? String(given) : idOfFile(below)).normalize();
  const sidebar = asRecord(data["sidebar"]);
  return {
    location,
    below,
    id,
    path: hasExtensions && id !== "" ? `${id}.html` : id,
    title: asText(data["title"]) ?? nameOf(id),
    menuLabel: asText(sidebar["label"]),
    menuOrder: asNumber(sidebar["order"]),
    isHiddenInMenu: sidebar["hidden"] === true,
  };
}

/** The names of folders and file as GitHub makes ids of headings. */
const idOfFile = (below: string) =>
  below
    .replace(/\.[^./]+$/, "")
    .split("/")
    .map((segment) => slug(segment))
    .join("/");

const withoutIndex = (id: string) => id.replace(/^\/+|\/+$/g, "").replace(/(?:^|\/)index$/, "");

/** The folder of the language that a page is in, by its id: "" for the one at the root. */
export const folderOfLocale = ({ locales }: Pick<StarlightSettings, "locales">, id: string): string =>
  locales.find(({ folder }) => folder !== "" && `${id}/`.startsWith(`${folder}/`))?.folder ?? "";

/** The page of the main language that is shown at the address of another language that has none. */
export function untranslated(
  { locales }: StarlightSettings,
  byPath: ReadonlyMap<string, StarlightPage>,
  path: string,
): string {
  const [main, ...others] = locales;
  const locale = others.find(({ folder }) => folder !== "" && `${path}/`.startsWith(`${folder}/`));
  const below = locale === undefined ? path : path.slice(locale.folder.length + 1);
  const shown = joinLocation(main?.folder ?? "", below);
  return locale === undefined || byPath.has(path) || !byPath.has(shown) ? path : shown;
}
