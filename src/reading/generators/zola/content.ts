import { asList, asText } from "@docent/kernel/text/json";
import { splitFrontMatter } from "../../markdown/front-matter.ts";
import type { LeftOut } from "../docs-site.ts";
import { type DocsTree, folderOf, joinLocation, nameOf, stemOf } from "../docs-tree.ts";
import { titleOf } from "../writing/writing.ts";
import type { ZolaSettings } from "./settings.ts";
import { pathSlug } from "./slugs.ts";

/** A page, or a section, which is the page of a folder. */
export interface ZolaPage {
  location: string;
  isSection: boolean;
  /** Where it is below `content`, without its language: what translations have in common. */
  topic: string;
  /** The folder of the section that it is listed in, below `content`; of a section, its own. */
  folder: string;
  language: string;
  /** Its address below the site's, without slashes around it. */
  path: string;
  title: string | undefined;
  /** Whether its front matter or its name says of which day it is. */
  isDated: boolean;
  data: Readonly<Record<string, unknown>>;
}

export interface ZolaContent {
  pages: ZolaPage[];
  /** All that are no drafts, with those that have no page of their own: they are groups of the menu. */
  sections: ZolaPage[];
  leftOut: LeftOut[];
}

/** What the name of a file says. */
interface Named {
  location: string;
  /** Its folder below `content`. */
  folder: string;
  /** Its name without language and extension. */
  name: string;
  language: string;
}

export async function readContent(tree: DocsTree, settings: ZolaSettings): Promise<ZolaContent> {
  const leftOut: LeftOut[] = [];
  const pages = new Map<string, ZolaPage>();
  const sections = new Map<string, ZolaPage>();
  // A section tells what becomes of the pages in its folder.
  const files = tree.below(settings.content).filter((file) => file.endsWith(".md"));
  const named = files.map((location) => namedAt(location, settings));
  for (const file of named.toSorted((a, b) => Number(b.name === "_index") - Number(a.name === "_index"))) {
    const { data, body } = readSource((await tree.text(file.location)) ?? "");
    const made = pageOf(file, { data, title: titleOf(data, body) }, settings);
    if (made.isSection) sections.set(keyOf(made), made);
    const detail = whyNot(made, sections) ?? taken(pages, made);
    if (detail !== undefined) leftOut.push({ location: file.location, detail });
    else pages.set(made.path, made);
  }
  const shown = [...sections.values()].filter((section) => !isDraft(section, sections));
  return { pages: [...pages.values()], sections: shown, leftOut };
}

/** Splits off front matter, before which Zola allows white space. */
export const readSource = (text: string) => splitFrontMatter(text.replace(/^\s+(?=\+\+\+|---)/, ""));

const keyOf = ({ folder, language }: Pick<ZolaPage, "folder" | "language">) => `${language}:${folder}`;

function namedAt(location: string, { content, languages }: ZolaSettings): Named {
  const below = location.slice(content.length + 1);
  const stem = stemOf(nameOf(below));
  const dot = stem.indexOf(".");
  const code = dot < 0 ? "" : stem.slice(dot + 1);
  const isLanguage = languages.slice(1).includes(code);
  return {
    location,
    folder: folderOf(below),
    name: isLanguage ? stem.slice(0, dot) : stem,
    language: isLanguage ? code : languages[0],
  };
}

function pageOf(
  { location, folder, name, language }: Named,
  own: Pick<ZolaPage, "data" | "title">,
  settings: ZolaSettings,
): ZolaPage {
  const isSection = name === "_index";
  // The folder of a page that has files beside it is no section of its own.
  const isBundle = name === "index" && folder !== "";
  const listed = isBundle ? folderOf(folder) : folder;
  const fileName = isBundle ? nameOf(folder) : name;
  const isDated = own.data["date"] !== undefined || /^\d{4}-\d{2}-\d{2}/.test(fileName);
  const topic = joinLocation(folder, name);
  const common = { location, isSection, folder: listed, language, topic, isDated, ...own };
  const given = isSection ? undefined : asText(own.data["path"])?.trim();
  if (given !== undefined) return { ...common, path: trimmed(given) };
  const isHome = name === "index" && folder === "";
  const slug = isSection || isHome ? "" : slugOf(fileName, own.data, settings);
  const below = joinLocation(listed, slug).replace(/\/$/, "");
  return { ...common, path: language === settings.languages[0] ? below : joinLocation(language, below) };
}

/** A day, or a moment, before the name of a file. */
const DATED = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:Z|[+-]\d{2}:\d{2}))?\s?[_-](.+)$/;

function slugOf(
  name: string,
  data: Readonly<Record<string, unknown>>,
  { paths, keepsDates }: ZolaSettings,
): string {
  const undated = keepsDates ? undefined : DATED.exec(name)?.[1];
  const words = asText(data["slug"]) ?? undated ?? name;
  return pathSlug(words, paths) ?? words;
}

/** Why a page is not published; undefined where it is. */
function whyNot(page: ZolaPage, sections: ReadonlyMap<string, ZolaPage>): string | undefined {
  const { data, isSection, isDated } = page;
  if (isDraft(page, sections)) return "is a draft";
  if (data["render"] === false) return "is not published by its front matter";
  if (isSection) return asText(data["redirect_to"]) === undefined ? undefined : "sends its readers on";
  const sortedBy = sections.get(keyOf(page))?.data["sort_by"];
  if (sortedBy === "weight" && typeof data["weight"] !== "number")
    return "has no weight, by which its section is sorted";
  return sortedBy === "date" && !isDated ? "has no date, by which its section is sorted" : undefined;
}

/** A section that is a draft takes all that is below it with it. */
function isDraft({ data, folder, language }: ZolaPage, sections: ReadonlyMap<string, ZolaPage>): boolean {
  if (data["draft"] === true) return true;
  for (let at = folder; ; at = folderOf(at)) {
    if (sections.get(keyOf({ folder: at, language }))?.data["draft"] === true) return true;
    if (at === "") return false;
  }
}

function taken(pages: ReadonlyMap<string, ZolaPage>, { path }: ZolaPage): string | undefined {
  const other = pages.get(path);
  return other === undefined ? undefined : `has the same address as ${other.location}`;
}

/** Where the sections lead that send their readers on to another page, by their files. */
export const sentOn = ({ sections }: ZolaContent): ReadonlyMap<string, { from: string; to: string }> =>
  new Map(
    sections.flatMap(({ location, data, path }) => {
      const to = asText(data["redirect_to"]);
      return to === undefined || URL.canParse(to)
        ? []
        : [[location, { from: path, to: trimmed(to) }] as const];
    }),
  );

/** Addresses at which pages were before. */
export const aliasesOf = ({ pages }: ZolaContent): { from: string; to: string }[] =>
  pages.flatMap(({ data, path }) =>
    asList(data["aliases"])
      .flatMap((alias) => asText(alias) ?? [])
      .map((alias) => ({ from: trimmed(alias), to: path })),
  );

const trimmed = (path: string) => path.replace(/^\/+|\/+$/g, "");
