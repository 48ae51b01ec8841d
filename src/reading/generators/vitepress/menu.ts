import { asList, asRecord, asText, isRecord } from "@docent/kernel/text/json";
import { htmlToText } from "../../markdown/html-text.ts";
import type { MenuEntry } from "../../page/menu.ts";
import { isComputed, knownIn } from "../config/config.ts";
import type { PublishedPage } from "./pages.ts";
import type { LocaleSettings, VitePressSettings } from "./settings.ts";

/** What a menu's links are resolved by. */
interface MenuSource {
  settings: VitePressSettings;
  byPath: ReadonlyMap<string, PublishedPage>;
}

/** A source of menus with what may still go into them: a few lines of a script can repeat an entry without end. */
interface BoundedSource extends MenuSource {
  left: { entries: number };
}

const ENTRIES_MAX = 20_000;

const DEEP_MAX = 20;
const EXTERNAL = /^(?:[a-z][a-z\d+.-]*:|\/\/)/i;

/** The menu in the sidebar, for each language that has one; or else that at the top. */
export function readMenu(
  settings: VitePressSettings,
  byPath: ReadonlyMap<string, PublishedPage>,
): MenuEntry[] {
  const source: BoundedSource = { settings, byPath, left: { entries: ENTRIES_MAX } };
  const menus = settings.locales.flatMap((locale) => {
    const children = menuOf(source, locale);
    const { label = locale.folder, language } = locale;
    return children.length === 0 ? [] : [{ label, language, children }];
  });
  const different = menus.filter(
    (menu, index) => menus.findIndex((each) => Bun.deepEquals(each.children, menu.children)) === index,
  );
  const [only] = different;
  return different.length === 1 && only !== undefined ? only.children : different;
}

function menuOf(source: BoundedSource, locale: LocaleSettings): MenuEntry[] {
  const sidebar = knownIn(locale.sidebar);
  if (Array.isArray(sidebar)) return entriesOf(source, sidebar, "", 0);
  if (isRecord(sidebar) && !("call" in sidebar)) return sectionsOf(source, sidebar, locale);
  if (locale.sidebar !== undefined && locale.sidebar !== false) askForMenu(source, locale);
  return entriesOf(source, locale.nav, "", 0);
}

function askForMenu({ settings }: MenuSource, { sidebar }: LocaleSettings): void {
  const call = asText(asRecord(sidebar)["call"]);
  const code = isComputed(sidebar) ? sidebar.source : call === undefined ? "code" : `${call}(…)`;
  settings.unknowns.push({
    question: `Which pages are in the menu? The configuration computes it: ${code}`,
    guess: "what the bar at the top leads to",
  });
}

const QUESTIONS_MAX = 5;

function askForEntry({ settings: { unknowns } }: MenuSource, item: Readonly<Record<string, unknown>>): void {
  const call = asText(item["call"]);
  const code = call === undefined && isComputed(item) ? item.source : `${call}(…)`;
  const question = `What else is in the menu? The configuration computes it: ${code}`;
  const asked = unknowns.filter((each) => each.question.startsWith("What else"));
  const guess = call === undefined ? "nothing" : "what its arguments say";
  if (asked.length < QUESTIONS_MAX && asked.every((each) => each.question !== question))
    unknowns.push({ question, guess });
}

/** A menu for each folder, named as the bar at the top names what leads there. */
function sectionsOf(
  source: BoundedSource,
  sidebar: Readonly<Record<string, unknown>>,
  { nav }: LocaleSettings,
): MenuEntry[] {
  const sections: MenuEntry[] = [];
  for (const [folder, value] of Object.entries(sidebar)) {
    const known = itemOf(source, value);
    const { items, base } = asRecord(known);
    const children = entriesOf(source, Array.isArray(known) ? known : items, asText(base) ?? "", 0);
    const isKnown = sections.some((each) => Bun.deepEquals(each.children, children));
    if (children.length > 0 && !isKnown)
      sections.push({ label: nameOfFolder(source, folder, nav, children), children });
  }
  const [only] = sections;
  return sections.length === 1 && only !== undefined ? only.children : sections;
}

function nameOfFolder(
  source: MenuSource,
  folder: string,
  nav: unknown,
  children: readonly MenuEntry[],
): string {
  const wanted = folder.replace(/^\/?/, "/").replace(/\/?$/, "/");
  const within = linksOf(nav, 0).filter(({ link }) => `${link.replace(/\.html$/, "")}/`.startsWith(wanted));
  const first = firstPathIn(children);
  const named =
    within.find(({ link }) => link.replace(/\/?$/, "/") === wanted) ??
    within.find(({ link }) => first !== undefined && pathOfLink(source, link) === first) ??
    within[0];
  const last = folder.split("/").findLast((name) => name !== "");
  return named?.label ?? nameInAddress(last ?? "/");
}

function firstPathIn(entries: readonly MenuEntry[]): string | undefined {
  for (const { path, children } of entries) {
    const first = path ?? firstPathIn(children);
    if (first !== undefined) return first;
  }
  return undefined;
}

function linksOf(nav: unknown, depth: number): { label: string; link: string }[] {
  return asList(knownIn(nav)).flatMap((item) => {
    const { text, link, items } = asRecord(knownIn(item));
    const own = typeof text === "string" && typeof link === "string" ? [{ label: wordsOf(text), link }] : [];
    return depth < DEEP_MAX ? [...own, ...linksOf(items, depth + 1)] : own;
  });
}

function entriesOf(source: BoundedSource, items: unknown, base: string, depth: number): MenuEntry[] {
  if (depth > DEEP_MAX) return [];
  return asList(itemOf(source, items)).flatMap((each): MenuEntry[] => {
    if (source.left.entries-- <= 0) return [];
    const item = asRecord(itemOf(source, each));
    const link = asText(knownIn(item["link"]));
    const text = knownIn(item["text"]);
    // What computes its words cannot be run: an address has some, too.
    const said = asText(text) ?? (item["text"] === undefined ? "" : nameInAddress(link ?? ""));
    const label = wordsOf(said);
    const from = asText(knownIn(item["base"])) ?? base;
    const children = entriesOf(source, item["items"], from, depth + 1);
    // A group without a name only sets its entries apart.
    if (label === "") return children;
    return [{ label, ...(link === undefined ? {} : placeOf(source, from, link)), children }];
  });
}

/**
 * An entry as it is written. Of one that a helper of the site's own makes, the first words that it is given are taken for
 * its name, a list for its entries, and other words for where it leads, or for where its entries begin.
 */
function itemOf(source: MenuSource, value: unknown): unknown {
  const known = knownIn(value);
  const { call, arguments: given } = asRecord(known ?? value);
  if (typeof call !== "string" || !Array.isArray(given)) {
    if (isComputed(value) && known === undefined) askForEntry(source, asRecord(value));
    return known;
  }
  askForEntry(source, asRecord(known ?? value));
  const [text, place] = given.filter((each) => typeof each === "string");
  const items = given.find((each) => Array.isArray(each));
  if (text === undefined) return items ?? given.find((each) => isRecord(each));
  if (items === undefined) return { text, link: place };
  return place === undefined ? { text, items } : { text, base: place, items };
}

function nameInAddress(link: string): string {
  const words = (link.split("/").findLast((name) => name !== "") ?? "").replace(/[-_]+/g, " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

const wordsOf = (text: string) => htmlToText(text).replace(/\s+/g, " ").trim();

function placeOf(source: MenuSource, base: string, link: string): { path?: string; href?: string } {
  if (EXTERNAL.test(link)) return { href: link };
  const whole = base === "" ? link : base + link.replace(/^\//, base.endsWith("/") ? "" : "/");
  const path = pathOfLink(source, whole.replace(/[?#].*$/, ""));
  return path === undefined ? {} : { path };
}

/** The page that an address without its anchor stands for. */
export function pathOfLink({ settings, byPath }: MenuSource, address: string): string | undefined {
  const place = address.replace(/^\/+/, "").replace(/(?:\.html|\.md)$/, "");
  const stem = place.replace(/\/$/, "/index") || "index";
  const candidates = [stem, `${place.replace(/\/$/, "")}/index`, place.replace(/\/$/, "")];
  return candidates.map((each) => settings.addressOf(each)).find((path) => byPath.has(path));
}
