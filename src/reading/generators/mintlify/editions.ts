import { asList, asRecord, asText, isRecord } from "@docent/kernel/text/json";
import type { PageEdition } from "../docs-site.ts";
import { type PublishedPage, pathOfName } from "./pages.ts";
import { type MintlifySettings, trimSlashes } from "./settings.ts";

/** The versions and languages whose menus name a page. */
interface NamedIn {
  languages: Set<string>;
  versions: Set<string>;
}

/** What of a navigation says which version and language pages are of. */
interface Editions {
  /** The first that is named, or the one that says that it is. */
  mainLanguage: string | undefined;
  languages: Set<string>;
  byPath: Map<string, NamedIn>;
}

const DEEP_MAX = 30;

/**
 * Tells the version and language of a page: those of the only menu that names it. Where several languages have it, it is in
 * the one whose folder it is in, or else in the main one: menus name pages that are not translated.
 */
export function readEditions({ navigation }: Pick<MintlifySettings, "navigation">): {
  mainLanguage: string | undefined;
  editionOf(page: Pick<PublishedPage, "path">): PageEdition | undefined;
} {
  const editions: Editions = { mainLanguage: undefined, languages: new Set(), byPath: new Map() };
  collect(editions, navigation, {}, 0);
  const { mainLanguage, languages, byPath } = editions;
  return {
    mainLanguage,
    editionOf({ path }) {
      const { languages: named = new Set<string>(), versions } = byPath.get(path) ?? {};
      const inFolder = path.split("/").find((name) => languages.has(name));
      const language = onlyOf(named) ?? inFolder ?? mainLanguage;
      const version = onlyOf(versions);
      if (version === undefined && language === undefined) return undefined;
      return { version, language, topic: withoutFolder(path, language) };
    },
  };
}

const onlyOf = (names: ReadonlySet<string> | undefined): string | undefined =>
  names?.size === 1 ? names.values().next().value : undefined;

/** Translations stand in a folder of their language. */
function withoutFolder(path: string, language: string | undefined): string {
  const names = path.split("/");
  const at = language === undefined ? -1 : names.indexOf(language);
  return at < 0 ? path : names.toSpliced(at, 1).join("/");
}

function collect(editions: Editions, node: unknown, above: PageEdition, depth: number): void {
  if (depth > DEEP_MAX) return;
  if (typeof node === "string") note(editions, node, above);
  else if (Array.isArray(node)) for (const each of node) collect(editions, each, above, depth + 1);
  else if (isRecord(node)) collectIn(editions, node, above, depth);
}

function collectIn(
  editions: Editions,
  node: Readonly<Record<string, unknown>>,
  above: PageEdition,
  depth: number,
): void {
  const said = { version: asText(node["version"]), language: asText(node["language"]) };
  const own = { ...above, ...definedIn(said) };
  for (const [name, value] of Object.entries(node)) {
    if (name === "languages") noteLanguages(editions, value);
    if (name === "root" || typeof value === "object") collect(editions, value, own, depth + 1);
  }
}

/** Without what is not said. */
const definedIn = ({ version, language }: PageEdition): PageEdition => ({
  ...(version === undefined ? {} : { version }),
  ...(language === undefined ? {} : { language }),
});

function noteLanguages(editions: Editions, list: unknown): void {
  const named = asList(list).map((each) => asRecord(each));
  for (const { language } of named) if (typeof language === "string") editions.languages.add(language);
  const main = named.find((each) => each["default"] === true) ?? named[0];
  editions.mainLanguage ??= asText(main?.["language"]);
}

function note({ byPath }: Editions, name: string, { version, language }: PageEdition): void {
  const path = pathOfName(trimSlashes(name.replace(/\.mdx?$/, "")));
  const known = byPath.get(path) ?? { languages: new Set(), versions: new Set() };
  byPath.set(path, known);
  if (language !== undefined) known.languages.add(language);
  if (version !== undefined) known.versions.add(version);
}
