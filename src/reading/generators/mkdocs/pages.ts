import { asList, asRecord, asText } from "@docent/kernel/text/json";
import type { LeftOut } from "../docs-site.ts";
import { type DocsTree, folderOf, joinLocation, nameOf, stemOf } from "../docs-tree.ts";
import type { MkDocsSettings } from "./settings.ts";

/** A page with what its menu and its links need. */
export interface MkDocsPage {
  location: string;
  path: string;
  /** Where menus and links find it, below the folder of pages: "guide/install.md". */
  name: string;
  /** Whether it stands for its folder. */
  isIndex: boolean;
  isInMenu: boolean;
  language: Language | undefined;
  /** The files that would have its address, and are written over. */
  others: { location: string; name: string }[];
}

const PAGE = /\.(?:md|markdown|mdown|mkdn|mkd)$/;

/** The published pages, and the files that are not. */
export function findPages(
  tree: DocsTree,
  settings: MkDocsSettings,
): { pages: MkDocsPage[]; leftOut: LeftOut[] } {
  const leftOut: LeftOut[] = [];
  const pages: MkDocsPage[] = [];
  const languages = createLanguages(settings);
  for (const location of tree.below(settings.docsFolder)) {
    const below = settings.docsFolder === "" ? location : location.slice(settings.docsFolder.length + 1);
    if (!PAGE.test(below)) continue;
    const detail = whyLeftOut(tree, settings, location, below);
    if (detail !== undefined) {
      leftOut.push({ location, detail });
      continue;
    }
    const { name, language } = languages.of(below);
    if (language?.isBuilt === false) {
      leftOut.push({ location, detail: `is in a language that is not published: ${language.code}` });
      continue;
    }
    const stem = stemOf(nameOf(name)) === "README" ? "index" : stemOf(nameOf(name));
    const path = addressOf(folderOf(name), stem, settings.usesFolders);
    pages.push({
      location,
      path: joinLocation(language?.prefix ?? "", path),
      name,
      isIndex: stem === "index",
      isInMenu: !settings.isOutOfMenu(below),
      language,
      others: [],
    });
  }
  return { ...distinct(pages, leftOut) };
}

function whyLeftOut(
  tree: DocsTree,
  { isExcluded, isDraft, isZensical }: MkDocsSettings,
  location: string,
  below: string,
): string | undefined {
  if (/(^|\/)\./.test(below)) return "is not published: its name begins with a dot";
  if (below.startsWith("templates/") && !isZensical)
    return "is not published: it is in the folder of templates";
  if (isZensical && !below.endsWith(".md")) return "is not published: only .md files are";
  if (isExcluded(below)) return "is left out by the configuration";
  if (isDraft(below)) return "is a draft";
  const isReadme = stemOf(nameOf(location)) === "README";
  if (isReadme && tree.has(joinLocation(folderOf(location), "index.md")))
    return "is not published: index.md stands for its folder";
  return undefined;
}

function addressOf(folder: string, stem: string, usesFolders: boolean): string {
  if (stem === "index") return folder;
  return joinLocation(folder, usesFolders ? stem : `${stem}.html`);
}

/** Of files with the same address, the last one is written over the others. */
function distinct(pages: MkDocsPage[], leftOut: LeftOut[]): { pages: MkDocsPage[]; leftOut: LeftOut[] } {
  const byPath = new Map(pages.map((page) => [page.path, page]));
  const hidden = pages.filter((page) => byPath.get(page.path) !== page);
  for (const { path, location, name } of hidden) byPath.get(path)?.others.push({ location, name });
  const details = hidden.map(({ location, path }) => ({
    location,
    detail: `has the address of ${byPath.get(path)?.location}: /${path}`,
  }));
  return { pages: [...byPath.values()], leftOut: [...leftOut, ...details] };
}

/** A language that the plugin `i18n` publishes. */
interface Language {
  code: string;
  isDefault: boolean;
  isBuilt: boolean;
  /** What its addresses begin with: "" for the default one. */
  prefix: string;
}

/** Tells the language of a file, and its name without it. */
interface Languages {
  /** Of a file, from its place below the folder of pages. */
  of(below: string): { name: string; language: Language | undefined };
}

function createLanguages({ plugins }: MkDocsSettings): Languages {
  const options = plugins.get("i18n");
  const languages = asList(options?.["languages"]).map((each) => languageOf(asRecord(each)));
  if (languages.length === 0) return { of: (name) => ({ name, language: undefined }) };
  const byCode = new Map(languages.map((language) => [language.code, language]));
  const usual = languages.find(({ isDefault }) => isDefault);
  const isByFolder = asText(options?.["docs_structure"]) === "folder";
  return {
    of(below) {
      if (isByFolder) {
        const [code = "", ...rest] = below.split("/");
        const language = byCode.get(code);
        return language === undefined ? { name: below, language: usual } : { name: rest.join("/"), language };
      }
      const name = nameOf(below);
      const stem = stemOf(name);
      const language = byCode.get(stem.slice(stem.lastIndexOf(".") + 1));
      if (language === undefined || !stem.includes(".")) return { name: below, language: usual };
      const plain = stem.slice(0, stem.lastIndexOf(".")) + name.slice(stem.length);
      return { name: joinLocation(folderOf(below), plain), language };
    },
  };
}

function languageOf(said: Readonly<Record<string, unknown>>): Language {
  const code = asText(said["locale"]) ?? "";
  const isDefault = said["default"] === true;
  return { code, isDefault, isBuilt: said["build"] !== false, prefix: isDefault ? "" : code };
}
