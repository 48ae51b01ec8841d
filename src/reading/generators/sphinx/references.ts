import { codeSpan, escapeDestination, escapeInline, escapeLabel } from "@docent/kernel/text/write-markdown";
import type { DocsTree } from "../docs-tree.ts";
import { placeOf } from "./menu.ts";
import { normalName, type PageFacts, type Place } from "./page-facts.ts";
import type { SphinxPage } from "./pages.ts";
import type { SphinxSettings } from "./settings.ts";

/** All that pages say of themselves. */
export interface SiteFacts {
  tree: DocsTree;
  settings: SphinxSettings;
  byName: ReadonlyMap<string, SphinxPage>;
  byLocation: ReadonlyMap<string, SphinxPage>;
  facts: ReadonlyMap<string, PageFacts>;
  labels: ReadonlyMap<string, PlaceOfPage>;
  /** By kind and name; Python's have the kind "py". */
  objects: ReadonlyMap<string, PlaceOfPage>;
  /** Python's objects whose name ends so: "Client.send" of "acme.client.Client.send". */
  endings: ReadonlyMap<string, readonly PlaceOfPage[]>;
}

interface PlaceOfPage extends Place {
  page: SphinxPage;
}

/** The labels and described things of all pages. */
export function gatherPlaces(
  byName: ReadonlyMap<string, SphinxPage>,
  facts: ReadonlyMap<string, PageFacts>,
  { autoLabels }: SphinxSettings,
): Pick<SiteFacts, "labels" | "objects" | "endings"> {
  const labels = new Map<string, PlaceOfPage>();
  const objects = new Map<string, PlaceOfPage>();
  for (const [name, page] of byName) {
    const own = facts.get(name);
    if (own === undefined) continue;
    for (const section of autoLabels === "none" ? [] : own.sections) {
      const label = autoLabels === "by page" ? `${name}:${section.title}` : (section.title ?? "");
      labels.set(normalName(label), { ...section, page });
    }
    for (const [key, place] of own.objects) objects.set(key, { ...place, page });
  }
  // A label of an author counts more than one that is made.
  for (const [name, page] of byName)
    for (const [label, place] of facts.get(name)?.labels ?? []) labels.set(label, { ...place, page });
  return { labels, objects, endings: endingsOf(objects) };
}

/** How many parts of a name, from its end, may stand for it. */
const ENDING_PARTS_MAX = 4;
const ALIKE_MAX = 20;

function endingsOf(objects: ReadonlyMap<string, PlaceOfPage>): Map<string, PlaceOfPage[]> {
  const endings = new Map<string, PlaceOfPage[]>();
  for (const [key, place] of objects) {
    const parts = key.startsWith("py ") ? key.slice("py ".length).split(".") : [];
    for (let count = 1; count <= Math.min(parts.length, ENDING_PARTS_MAX); count++) {
      const ending = parts.slice(-count).join(".");
      const alike = endings.get(ending);
      if (alike === undefined) endings.set(ending, [place]);
      else if (alike.length < ALIKE_MAX) alike.push(place);
    }
  }
  return endings;
}

const CALLABLE = /^(?:func|meth|function|method|cfunc)$/;
const PYTHON = /^(?:py:)?(?:func|class|meth|mod|attr|exc|obj|data|const|type|deco)$/;
const STANDARD = /^(?:std:)?(option|envvar|confval|term|keyword|token)$/;

/** What names may be written without. */
export interface ReferenceScope {
  program: string;
  module: string;
}

/** What a role of Sphinx says on a page; undefined where it is none that refers to something. */
export function writeReference(
  site: SiteFacts,
  from: SphinxPage,
  role: string,
  text: string,
  scope: ReferenceScope,
): string | undefined {
  const reference: Reference = { site, from, text, ...splitTarget(text), scope };
  const name = role.replace(/^(?:std|myst):/, "");
  if (name === "doc") return writeDoc(reference);
  if (name === "any" && site.byName.has(placeOf(from.name, reference.target ?? text) ?? ""))
    return writeDoc(reference);
  if (/^(?:ref|numref|any|keyword)$/.test(name)) return writeLabel(reference, name === "numref");
  const own = site.settings.nameIn?.(role, reference.target ?? text);
  if (own !== undefined) return codeSpan(reference.target === undefined ? own : reference.words);
  if (PYTHON.test(name)) return writePython(reference, name.replace("py:", ""));
  const standard = STANDARD.exec(name)?.[1];
  return standard === undefined ? writeOther(reference, role) : writeStandard(reference, standard);
}

/** A role with its words on a page. */
interface Reference {
  site: SiteFacts;
  from: SphinxPage;
  text: string;
  words: string;
  target?: string;
  scope: ReferenceScope;
}

const linkTo = (shown: string, from: SphinxPage, { page, id }: { page: SphinxPage; id?: string }) =>
  `[${shown}](${hrefOf(from, page, id)})`;

function writeDoc({ site, from, text, words, target }: Reference): string {
  const place = placeOf(from.name, target ?? text) ?? "";
  const page = site.byName.get(place) ?? site.byName.get(place.replace(/\.(?:md|rst)$/, ""));
  if (page === undefined) return escapeInline(words, "");
  const shown = target === undefined ? site.facts.get(page.name)?.title : words;
  return linkTo(escapeLabel(shown ?? page.name), from, { page });
}

function writeLabel({ site, from, text, words, target }: Reference, isNumbered: boolean): string {
  const label = normalName(target ?? text);
  const place = site.labels.get(label);
  if (place === undefined) return INDEX_TITLES.get(label) ?? escapeInline(words, "");
  const said = target === undefined || isNumbered ? place.title : words;
  // Without a title, there is nothing that Sphinx could call it.
  if (said === undefined) return escapeInline(words, "");
  return linkTo(escapeLabel(said.replace(/%s|\{name\}/g, "")), from, place);
}

function writePython({ site, from, text, words, target, scope }: Reference, kind: string): string {
  const bare = (target ?? text).replace(/^[~!]/, "").replace(/\(\)$/, "");
  const place = text.startsWith("!") ? undefined : pythonObject(site, bare, scope.module, kind);
  const last = bare.split(".").at(-1) ?? bare;
  const usual = text.startsWith("~") ? last : bare.replace(/^\./, "");
  const short = target === undefined ? usual : words;
  const shown = codeSpan(CALLABLE.test(kind) && target === undefined ? `${short}()` : short);
  return place === undefined ? shown : linkTo(shown, from, place);
}

function writeStandard({ site, from, text, words, target, scope }: Reference, kind: string): string {
  const wanted = (target ?? text).replace(/^!/, "");
  const names =
    kind === "option"
      ? [wanted, `${scope.program} ${wanted}`]
      : [kind === "term" ? normalName(wanted) : wanted];
  const place = names.map((name) => site.objects.get(`${kind} ${name}`)).find((each) => each !== undefined);
  const shown = kind === "term" ? escapeLabel(words) : codeSpan(words.replace(/^!/, ""));
  return place === undefined ? shown : linkTo(shown, from, place);
}

function writeOther({ site, text, words, target }: Reference, role: string): string | undefined {
  const extlink = site.settings.extlinks.get(role);
  if (extlink !== undefined) {
    const part = target ?? text;
    const address = extlink.address.replace("%s", () => part);
    const said = target === undefined ? (extlink.words?.replace("%s", () => part) ?? address) : words;
    return `[${escapeLabel(said)}](${escapeDestination(address)})`;
  }
  if (role === "guilabel" || role === "menuselection")
    return `**${escapeInline(words.replace(/&(?=\w)/g, "").replaceAll("-->", "›"), "*")}**`;
  return role === "abbr" || role === "download"
    ? escapeInline(role === "abbr" ? text : words, "")
    : undefined;
}

const INDEX_TITLES = new Map([
  ["genindex", "Index"],
  ["modindex", "Module Index"],
  ["py-modindex", "Module Index"],
  ["search", "Search Page"],
]);

/** What a role may lead to: names with a dot in front are taken for nothing else. */
const KINDS = new Map([
  ["attr", /^(?:attribute|property|\w*method)$/],
  ["class", /^(?:class|exception|type)$/],
  ["data", /^data$/],
  ["exc", /^(?:class|exception)$/],
  ["func", /^function$/],
  ["meth", /^(?:\w*method|attribute|property)$/],
  ["mod", /^module$/],
]);

/**
 * A name may leave out the module and the class that it stands in, looked at in this order; with a dot in front,
 * everything before it.
 */
function pythonObject(
  { objects, endings }: SiteFacts,
  written: string,
  scope: string,
  role: string,
): PlaceOfPage | undefined {
  if (!written.startsWith("."))
    return (
      objects.get(`py ${written}`) ??
      ownersIn(objects, scope)
        .toReversed()
        .map((owner) => objects.get(`py ${owner}.${written}`))
        .find((place) => place !== undefined)
    );
  const name = written.slice(1);
  const kind = KINDS.get(role);
  const isMeant = (place: PlaceOfPage | undefined) =>
    place !== undefined && (kind === undefined || place.kind === undefined || kind.test(place.kind));
  const near = [...ownersIn(objects, scope).map((owner) => `${owner}.${name}`), name];
  return near.map((each) => objects.get(`py ${each}`)).find(isMeant) ?? endings.get(name)?.find(isMeant);
}

/** The class that something stands in, and the module of that. */
function ownersIn(objects: ReadonlyMap<string, PlaceOfPage>, scope: string): string[] {
  const owners: string[] = [];
  for (let owner = scope; owner !== ""; owner = owner.slice(0, Math.max(0, owner.lastIndexOf(".")))) {
    owners.push(owner);
    const kind = objects.get(`py ${owner}`)?.kind;
    if (kind === undefined || kind === "module") break;
  }
  return owners;
}

/** A place as it is written in a link of a page. */
export const hrefOf = (from: SphinxPage, page: SphinxPage, id?: string) =>
  page.name === from.name && id !== undefined
    ? `#${id}`
    : `/${escapeDestination(encodeURI(page.path))}${id === undefined ? "" : `#${id}`}`;

/** `words <target>`. */
function splitTarget(text: string): { words: string; target?: string } {
  const [, words, target] = /^(|[\s\S]+?(?<!\s))\s*(?<!\\)<([^<>]*)>$/.exec(text) ?? [];
  return words === undefined || target === undefined || words === "" ? { words: text } : { words, target };
}
