import { withoutComments } from "@docent/kernel/text/code-spans";
import { asRecord, asText, isRecord } from "@docent/kernel/text/json";
import { askedText, type Inquiry, isComputed, knownIn, readScript } from "../config/config.ts";
import type { Unknown, WantedDocs } from "../docs-site.ts";
import { type DocsTree, joinLocation, resolveLocation } from "../docs-tree.ts";

/** What the page that starts Docsify says. */
export interface DocsifySettings {
  root: string;
  /** The folder of the pages. */
  folder: string;
  /** Version 4 and before makes other ids of headings than 5 does. */
  isOld: boolean;
  name: string;
  /** What pages end in: ".md". */
  extension: string;
  /** The file of the first page, below the folder. */
  homepage: string;
  aliases: Alias[];
  /** Whether links are meant from the page's folder, and not from the site's root. */
  hasRelativeLinks: boolean;
  /** Whether pages have addresses of their own, without a #. */
  hasHistory: boolean;
  /** The names of the files of menus; undefined where there are none. */
  sidebar: string | undefined;
  navbar: string | undefined;
  /** The files that are shown above a page, by the page's address with slashes. */
  covers: ReadonlyMap<string, string>;
  notFound: string | undefined;
  unknowns: Unknown[];
}

/** An address that shows another one's page. */
interface Alias {
  pattern: RegExp;
  /** With `$1` for what the pattern found. */
  target: string;
  /** The address, where it is exactly one. */
  from: string | undefined;
}

const SCRIPT = /<script\b([^>]*)>([\s\S]*?)<\/script\s*>/gi;
const ASSIGNED = /(?:\b(?:window|globalThis|self)\s*\.\s*)?\$docsify\s*=(?![=>])/g;
/** Docsify itself: "docsify/lib/docsify.min.js", or "docsify@4", which a host of packages completes. */
const PROGRAM = /(?:^|[/@])docsify(?:(?:@[\w.^~-]+)?(?:\/|(?:\.min)?\.js)|@[\w.^~-]+(?:$|[?#])|$)/;
const SCRIPTS_MAX = 30;

/** Reads the page that starts Docsify; undefined where it is some other page. */
export async function readSettings(
  tree: DocsTree,
  root: string,
  { answers }: Pick<WantedDocs, "answers"> = {},
): Promise<DocsifySettings | undefined> {
  const html = (await tree.text(joinLocation(root, "index.html"))) ?? "";
  const page = withoutComments(html);
  if (!/docsify/i.test(page)) return undefined;
  const unknowns: Unknown[] = [];
  const given: Record<string, unknown> = Object.create(null);
  let source: string | undefined;
  for (const [, attributes = "", inside = ""] of [...page.matchAll(SCRIPT)].slice(0, SCRIPTS_MAX)) {
    const place = /\bsrc\s*=\s*["']?([^"'\s>]+)/i.exec(attributes)?.[1];
    if (place !== undefined && PROGRAM.test(place)) {
      source ??= place;
      Object.assign(given, attributesOf(attributes));
    }
    const script = place === undefined ? inside : await localScript(tree, root, place);
    if (script?.includes("$docsify")) Object.assign(given, await configIn(script, unknowns));
  }
  if (source === undefined && Object.keys(given).length === 0) return undefined;
  return settingsOf({ tree, root, unknowns, answers, isOld: isOld(source) }, given);
}

async function localScript(tree: DocsTree, root: string, place: string): Promise<string | undefined> {
  if (/^(?:[a-z]+:|\/\/)/i.test(place)) return undefined;
  const location = resolveLocation(root, `./${place.split(/[?#]/, 1)[0]}`);
  return location === undefined ? undefined : tree.text(location);
}

/** Where no version is named, the newest is loaded. In its folder `lib`, version 5 has the program of version 4. */
const isOld = (source = "") => /docsify@[\^~]?[0-4]\b|(?:^|\/)lib\/docsify/.test(source);

/** What a script gives to `$docsify`. Nothing in it is run. */
async function configIn(script: string, unknowns: Unknown[]): Promise<Record<string, unknown>> {
  const { value, fault } = await readScript(
    script.replace(ASSIGNED, "module.exports ="),
    async () => undefined,
  );
  if (fault !== undefined)
    unknowns.push({
      question: `The configuration in index.html cannot be read: ${fault}.`,
      guess: "the defaults",
    });
  return isRecord(value) && !isComputed(value) ? value : {};
}

/** `data-load-sidebar` is `loadSidebar`, which stands without a value for true. */
function attributesOf(attributes: string): Record<string, unknown> {
  const found: Record<string, unknown> = Object.create(null);
  for (const [, name = "", quoted, single] of attributes.matchAll(
    /\sdata-([a-z-]{1,40})(?:\s*=\s*(?:"([^"]*)"|'([^']*)'))?/gi,
  )) {
    const value = quoted ?? single ?? "";
    found[name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())] =
      value === "" ? true : value;
  }
  return found;
}

function settingsOf(
  { tree, root, unknowns, answers, isOld }: Inquiry & { tree: DocsTree; root: string; isOld: boolean },
  given: Record<string, unknown>,
): DocsifySettings {
  const of = (name: string): unknown =>
    knownIn(given[name], ({ source, guess }) =>
      unknowns.push({
        question: `Which ${name} does the site have? index.html computes it: ${source}.`,
        guess: String(guess ?? "the default"),
      }),
    );
  const asked = (name: string, usual: string) =>
    askedText({ unknowns, answers }, given[name], { name, usual, from: "index.html" });
  const extension = asked("ext", ".md");
  const fileOf = (name: string, usual: string) => {
    const value = of(name);
    if (value === true) return usual + extension;
    return asText(value) || undefined;
  };
  return {
    root,
    folder: folderOfPages(tree, root, asked("basePath", ""), unknowns),
    isOld,
    name: asText(of("name")) ?? "",
    extension,
    homepage: asked("homepage", "") || `README${extension}`,
    aliases: aliasesOf(of("alias"), unknowns),
    hasRelativeLinks: of("relativePath") === true,
    hasHistory: asked("routerMode", "hash") === "history",
    sidebar: fileOf("loadSidebar", "_sidebar"),
    navbar: fileOf("loadNavbar", "_navbar"),
    covers: coversOf(of("coverpage"), extension),
    notFound: fileOf("notFoundPage", "_404"),
    unknowns,
  };
}

/** Pages may be in a folder of their own. One that begins with a slash begins at the host, above which nothing is known. */
function folderOfPages(tree: DocsTree, root: string, base: string, unknowns: Unknown[]): string {
  if (/^(?:[a-z]+:|\/\/)/i.test(base)) {
    unknowns.push({
      question: `What is at ${base}, from which index.html takes all pages?`,
      guess: "the files beside index.html",
    });
    return root;
  }
  const names = base.split("/").filter((name) => name !== "" && name !== ".");
  for (let from = 0; from < names.length; from++) {
    const folder = resolveLocation(root, names.slice(from).join("/"));
    if (folder !== undefined && tree.below(folder).length > 0) return folder;
  }
  return root;
}

const ALIASES_MAX = 200;
const SIMPLE = /^(?:[\w/@ %#-]|\P{ASCII}|\.(?![*+?])|\\[./-]|\(?\.[*+]\??\)?|\(?\[\^\/\][*+]\)?)*$/u;
const WILDCARDS_MAX = 2;

/** Patterns that could take long are not tried: somebody else wrote them. */
function aliasesOf(value: unknown, unknowns: Unknown[]): Alias[] {
  const refused: string[] = [];
  const aliases = Object.entries(asRecord(value))
    .slice(0, ALIASES_MAX)
    .flatMap(([written, target]): Alias[] => {
      const wildcards = written.match(/[*+]/g)?.length ?? 0;
      if (typeof target !== "string") return [];
      if (!SIMPLE.test(written) || wildcards > WILDCARDS_MAX) {
        refused.push(written);
        return [];
      }
      const from = /^[\w/@ %-]*$/.test(written) ? written : undefined;
      return [{ pattern: new RegExp(`^${written}$`), target, from }];
    });
  if (refused.length > 0)
    unknowns.push({ question: `Which pages do the aliases ${refused.join(", ")} mean?`, guess: "none" });
  return aliases;
}

/** One for the first page, or a list of pages, or a file for each of several. */
function coversOf(value: unknown, extension: string): ReadonlyMap<string, string> {
  const usual = `_coverpage${extension}`;
  if (value === true) return new Map([["/", usual]]);
  if (typeof value === "string" && value !== "") return new Map([["/", value]]);
  if (Array.isArray(value))
    return new Map(value.flatMap((page) => (typeof page === "string" ? [[page, usual] as const] : [])));
  return new Map(
    Object.entries(asRecord(value)).flatMap(([page, file]) => {
      const name = file === true ? usual : asText(file);
      return name === undefined ? [] : [[page, name] as const];
    }),
  );
}
