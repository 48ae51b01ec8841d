import { asText } from "@docent/kernel/text/json";
import { splitFrontMatter } from "../../markdown/front-matter.ts";
import type { DocsPage, DocsSite, LeftOut } from "../docs-site.ts";
import { type DocsTree, folderOf, joinLocation, nameOf, stemOf } from "../docs-tree.ts";
import type { Languages, Loader } from "./settings.ts";

/** A page with its place in the files that menus are made from. */
export interface FumadocsPage extends DocsPage {
  /** Where it is below its loader's folder, without its language: the same for all of its translations. */
  place: string;
  language: string | undefined;
  title: string;
}

/** A file that says what is in the menu of its folder. */
interface MetaFile {
  location: string;
  place: string;
  language: string | undefined;
}

/** What one loader makes of its files. */
export interface Loaded {
  loader: Loader;
  pages: FumadocsPage[];
  metas: MetaFile[];
  leftOut: LeftOut[];
}

const PAGE = /\.mdx?$/;
const META = /(?:^|\/)meta(?:\.[a-z-]+)?\.(?:json|ya?ml)$/i;
const HIDDEN = /\/\./;
const GROUP = /^\(.+\)$/;

export async function loadPages(tree: DocsTree, loader: Loader): Promise<Loaded> {
  const loaded: Loaded = { loader, pages: [], metas: [], leftOut: [] };
  const indexes: FumadocsPage[] = [];
  const taken = new Map<string, FumadocsPage>();
  const add = (page: FumadocsPage) => {
    const other = taken.get(page.path);
    if (other === undefined) {
      taken.set(page.path, page);
      loaded.pages.push(page);
    } else loaded.leftOut.push({ location: page.location, detail: `has the address of ${other.location}` });
  };
  for (const folder of loader.folders)
    for (const location of tree.below(folder)) {
      const isPage = PAGE.test(location);
      // Names that begin with a dot are of parts of pages.
      if (HIDDEN.test(location.slice(folder.length))) continue;
      if (!isPage && !META.test(location)) continue;
      const { place, language } = placeOf(loader.languages, location.slice(folder.length + 1));
      if (language !== undefined && !loader.languages?.all.includes(language))
        loaded.leftOut.push({ location, detail: `is in "${language}", which is no language of the site` });
      else if (!isPage) loaded.metas.push({ location, place, language });
      else {
        const page = await pageAt(tree, loader, { location, place, language });
        if (stemOf(nameOf(place)) === "index") indexes.push(page);
        else add(page);
      }
    }
  for (const page of indexes)
    add(taken.has(page.path) ? { ...page, path: joinLocation(page.path, "index") } : page);
  return loaded;
}

const isLanguage = (name: string) => name !== "" && !/\d/.test(name);

function placeOf(
  languages: Languages | undefined,
  below: string,
): { place: string; language: string | undefined } {
  if (languages === undefined) return { place: below, language: undefined };
  if (languages.areFolders) {
    const [first = "", ...rest] = below.split("/");
    const isIn = rest.length > 0 && isLanguage(first);
    return isIn ? { place: rest.join("/"), language: first } : { place: below, language: languages.main };
  }
  const parts = nameOf(below).split(".");
  const language = parts.length < 3 ? undefined : parts.at(-2);
  if (language === undefined || !isLanguage(language)) return { place: below, language: languages.main };
  return { place: joinLocation(folderOf(below), [...parts.slice(0, -2), parts.at(-1)].join(".")), language };
}

async function pageAt(tree: DocsTree, loader: Loader, file: MetaFile): Promise<FumadocsPage> {
  const { data } = splitFrontMatter((await tree.text(file.location)) ?? "");
  const said = loader.slugName === undefined ? undefined : asText(data[loader.slugName]);
  const stem = stemOf(file.place);
  const names = stem.split("/").filter((name) => !GROUP.test(name));
  const slugs =
    said === undefined ? (names.at(-1) === "index" ? names.slice(0, -1) : names) : said.split("/");
  const title = asText(data["title"]) ?? nameTitle(nameOf(stem));
  return { ...file, path: addressOf(loader, slugs, file.language), title };
}

/** The address of names below a loader's. */
function addressOf(
  { base, languages }: Loader,
  slugs: readonly string[],
  language: string | undefined,
): string {
  const isHidden =
    languages === undefined ||
    languages.hidden === "always" ||
    (languages.hidden === "default-locale" && language === languages.main);
  return [isHidden ? "" : (language ?? ""), base, ...slugs].filter((part) => part !== "").join("/");
}

/** The title that a page or folder has by its name alone. */
export const nameTitle = (name: string) => name.charAt(0).toUpperCase() + name.slice(1).replaceAll("-", " ");

const REDIRECTS_MAX = 50_000;

/** The addresses of other languages at which pages are shown in the language that stands in for them. */
export function redirectsOfUntranslated({ loader, pages }: Loaded): DocsSite["redirects"] {
  const { languages } = loader;
  if (languages?.instead === undefined || languages.hidden === "always") return [];
  const paths = new Set(pages.map(({ path }) => path));
  const found: DocsSite["redirects"] = [];
  for (const page of pages.filter(({ language }) => language === languages.instead))
    for (const language of languages.all) {
      const own = addressOf({ ...loader, base: "" }, [], page.language);
      const bare = own === "" ? page.path : page.path.slice(own.length + 1);
      const from = joinLocation(addressOf({ ...loader, base: "" }, [], language), bare);
      if (!paths.has(from) && found.length < REDIRECTS_MAX) found.push({ from, to: page.path });
    }
  return found;
}
