import { asText, isRecord } from "@docent/kernel/text/json";
import { folderOf, joinLocation, nameOf } from "../docs-tree.ts";
import { type ContentPage, textsIn, wordOf } from "./content.ts";
import type { HugoSettings } from "./settings.ts";

/** The published address of a page below the site's, without slashes around it. */
export function addressOf(page: ContentPage, settings: HugoSettings): string {
  const { data, language, kind } = page;
  const url = wordOf(data["url"]);
  if (url !== undefined) {
    const expanded = expand(url, page, settings);
    return trimmed(expanded.startsWith("/") ? expanded : joinLocation(language.prefix, expanded));
  }
  const pattern = kind === "home" ? undefined : permalinkOf(page, settings);
  const below = pattern === undefined ? usualPath(page, settings) : expand(pattern, page, settings);
  const path = trimmed(joinLocation(language.prefix, trimmed(below)));
  const isUgly = kind === "page" && settings.hasUglyUrls(sectionOf(page)) && !/\.\w{2,5}$/.test(path);
  return isUgly ? `${path}.html` : path;
}

const sectionOf = ({ folder }: ContentPage) => folder.split("/", 1)[0]?.toLowerCase() ?? "";

const trimmed = (path: string) => path.replace(/^\/+|\/+$/g, "").replace(/(^|\/)index\.html$/, "");

function usualPath(page: ContentPage, settings: HugoSettings): string {
  const slug = page.kind === "page" ? wordOf(page.data["slug"]) : undefined;
  const path = pathOfNames(page, settings);
  return slug === undefined ? path : joinLocation(folderOf(path), slugged(slug, settings));
}

/** The folders and the name of a page as they are in addresses. */
function pathOfNames({ folder, name }: ContentPage, settings: HugoSettings): string {
  const whole = name === "_index" || name === "index" ? folder : joinLocation(folder, name);
  return cleaned(cased(whole.replaceAll(" ", "-"), settings), settings);
}

const cased = (path: string, { keepsCase }: HugoSettings) => (keepsCase ? path : path.toLowerCase());

const ALLOWED = /[\p{L}\p{Nd}\p{M}./\\_#+~@-]|%(?=[0-9a-f]{2})/iu;

/** Leaves out what is never in an address; spaces become dashes, one for several. */
function cleaned(path: string, { removesAccents }: HugoSettings): string {
  const source = removesAccents
    ? path
        .normalize("NFD")
        .replace(/\p{Mn}/gu, "")
        .normalize("NFC")
    : path;
  let made = "";
  let isApart = false;
  for (const [index, character] of [...source].entries()) {
    const isHex = character === "%" && /^%[0-9a-f]{2}/i.test([...source].slice(index, index + 3).join(""));
    if (isHex || (character !== "%" && ALLOWED.test(character))) {
      if (isApart && character !== "-") made += "-";
      isApart = false;
      made += character;
    } else if (made !== "" && !made.endsWith("-") && /\s/.test(character)) isApart = true;
  }
  return made;
}

const slugged = (text: string, settings: HugoSettings) => cleaned(cased(text, settings), settings);

/** The pattern for the addresses of a section, by kind or, as it was before, by section alone. */
function permalinkOf({ kind, folder, name }: ContentPage, { permalinks }: HugoSettings): string | undefined {
  const section = (kind === "page" && folder === "" ? name : folder).split("/", 1)[0]?.toLowerCase() ?? "";
  const ofKind = permalinks[kind];
  if (isRecord(ofKind)) return asText(ofKind[section]);
  return kind === "page" ? asText(permalinks[section]) : undefined;
}

const TOKEN = /:([a-z]+)(?:\[([^\]]{1,20})\])?/g;

function expand(pattern: string, page: ContentPage, settings: HugoSettings): string {
  return pattern.replace(TOKEN, (whole, name: string, part: string | undefined) => {
    const value = tokenOf(name, part, page, settings);
    return value ?? whole;
  });
}

function tokenOf(
  name: string,
  part: string | undefined,
  page: ContentPage,
  settings: HugoSettings,
): string | undefined {
  const date = new Date(page.date ?? Date.UTC(1, 0, 1));
  const two = (number: number) => String(number).padStart(2, "0");
  const title = () => slugged(page.title.replaceAll("/", "-"), settings);
  const slug = wordOf(page.data["slug"]);
  const ownName = page.name === "index" || page.name === "_index" ? nameOf(page.folder) : page.name;
  const sections = page.kind === "page" && page.name === "index" ? folderOf(page.folder) : page.folder;
  switch (name) {
    case "year":
      return String(date.getUTCFullYear()).padStart(4, "0");
    case "month":
      return two(date.getUTCMonth() + 1);
    case "day":
      return two(date.getUTCDate());
    case "monthname":
      return date.toLocaleString("en", { month: "long", timeZone: "UTC" });
    case "weekdayname":
      return date.toLocaleString("en", { weekday: "long", timeZone: "UTC" });
    case "title":
      return title();
    case "slug":
      return slug === undefined ? title() || slugged(ownName, settings) : slugged(slug, settings);
    case "filename":
    case "contentbasename":
      return slugged(ownName, settings);
    case "slugorfilename":
    case "slugorcontentbasename":
      return slugged(slug ?? ownName, settings);
    case "section":
      return slugged(sections.split("/", 1)[0] ?? "", settings);
    case "sections":
      return slugged(sliced(sections.split("/"), part).join("/"), settings);
    default:
      return undefined;
  }
}

/** `[1:]`, `[:2]`, `[last]`, `[0]`. */
function sliced(names: string[], part: string | undefined): string[] {
  if (part === undefined) return names;
  const at = (word: string, usual: number) =>
    word === "last" ? names.length - 1 : word === "" ? usual : Number(word);
  const [start = "", end] = part.split(":");
  const first = at(start, 0);
  return names.slice(first, end === undefined ? first + 1 : at(end, names.length));
}

/** Where a page was before: from the site's root, or beside the page. */
export function aliasesOf(page: ContentPage, path: string): { from: string; to: string }[] {
  return textsIn(page.data["aliases"]).map((alias) => {
    const whole = alias.startsWith("/") ? alias : joinLocation(folderOf(path), alias);
    return { from: trimmed(whole), to: path };
  });
}
