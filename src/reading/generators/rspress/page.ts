import { createSlugger } from "../../markdown/anchors.ts";
import { isCalloutName } from "../../markdown/callouts.ts";
import { splitFrontMatter } from "../../markdown/front-matter.ts";
import { scanBlocks } from "../../markdown/md/md.ts";
import { unwrapMdx } from "../../markdown/mdx/mdx.ts";
import type { ReadDocsPage } from "../docs-site.ts";
import { type DocsTree, folderOf, joinLocation, resolveLocation } from "../docs-tree.ts";
import {
  codeAt,
  createInclusions,
  eachOutsideCode,
  type Inclusions,
  type NameHeading,
  readIncluded,
  rewriteLinks,
  shownCode,
  splitHref,
  takenIn,
  type WrittenCode,
  withPartials,
  writeCode,
  writeHeadingIds,
  writeHero,
} from "../writing/writing.ts";
import { placeOf, type RspressPage, withoutIdEscapes } from "./pages.ts";
import type { RspressSettings } from "./settings.ts";

/** What reading a page takes from its site. */
interface Surroundings {
  tree: DocsTree;
  settings: RspressSettings;
  byRoute: ReadonlyMap<string, RspressPage>;
}

export async function readPage(surroundings: Surroundings, page: RspressPage): Promise<ReadDocsPage> {
  const { tree, settings } = surroundings;
  const { location } = page;
  const { data, body, fault } = splitFrontMatter((await tree.text(location)) ?? "");
  const faults = fault === undefined ? [] : [fault];
  const isMdx = location.endsWith(".mdx");
  const locate = (from: string, specifier: string) => locateImport(settings, from, specifier);
  const whole = isMdx
    ? await withPartials({ tree, locate }, location, withoutIdEscapes(body), { faults })
    : withoutIdEscapes(body);
  const inclusions = createInclusions(tree);
  const blocks = await readBlocks({ inclusions, settings, location, faults }, whole);
  const plain = isMdx ? unwrapMdx(withoutBadges(blocks), data) : { markdown: blocks, faults: [] };
  const titled = withTitle(takenIn(inclusions, plain.markdown), data);
  const named = writeHeadingIds(titled, createHeadingNames());
  const linked = rewriteLinks(writeHero(data) + named, (href) => publishedHref(surroundings, page, href));
  return {
    data: { ...data, title: page.title },
    markdown: linked,
    faults: [...faults, ...plain.faults],
  };
}

/** A page without a heading of its own shows the title of its front matter as one. */
function withTitle(markdown: string, { title, pageType }: Readonly<Record<string, unknown>>): string {
  const isOther = pageType !== undefined && pageType !== "doc";
  const hasHeading = scanBlocks(markdown).some(({ kind, level }) => kind === "heading" && level === 1);
  return typeof title !== "string" || isOther || hasHeading ? markdown : `# ${title}\n\n${markdown}`;
}

const COMPONENT = /(?<![ \t])[ \t]*<([A-Z][\w.]*)\b[^<>]{0,300}(?:\/>|>[^<>]{0,300}<\/\1>)/g;

/** Components in headings, such as badges, are no part of their ids. */
const withoutBadges = (markdown: string) =>
  eachOutsideCode(markdown, (part) =>
    part.replace(/^[ \t>]*#{1,6}[ \t].*<[A-Z].*$/gm, (line) => line.replace(COMPONENT, "")),
  );

function locateImport(
  { root, aliases }: RspressSettings,
  from: string,
  specifier: string,
): string | undefined {
  if (specifier.startsWith(".")) return resolveLocation(folderOf(from), specifier);
  const found = aliases.find(([name]) => specifier.startsWith(name));
  if (found === undefined) return undefined;
  const [name, folder] = found;
  return resolveLocation(folder, `./${specifier.slice(name.length)}`) ?? joinLocation(root, specifier);
}

/** Ids are GitHub's; one that an author gave does not count for the others. */
function createHeadingNames(): NameHeading {
  const slugger = createSlugger("github");
  return ({ words, given }) => given ?? slugger.unique(words);
}

const FILE = /\.(?!html?$|mdx?$)[a-z][a-z\d]{1,4}$/i;

/** Where a link leads: to the page of a file or an address, in the language and version of the page that has it. */
function publishedHref(
  { settings, byRoute }: Surroundings,
  page: RspressPage,
  href: string,
): string | undefined {
  const { target, rest } = splitHref(href);
  if (target === "" || FILE.test(target)) return undefined;
  const { content, base } = settings;
  const start = content === "" ? 0 : content.length + 1;
  if (!target.startsWith("/")) {
    const place = resolveLocation(folderOf(page.location), target);
    if (place === undefined) return undefined;
    const below = place.slice(start) + (/(?:^|\/)\.{0,2}$/.test(target) ? "/" : "");
    const route = placeOf(below, settings).route;
    const found = byRoute.get(route);
    return found === undefined ? `/${encodeURI(route)}${rest}` : `/${encodeURI(found.path)}${rest}`;
  }
  const plain = target.slice(1);
  const isBelow = base !== "" && `${plain}/`.startsWith(`${base}/`);
  const own = isBelow ? plain.slice(base.length + 1) : plain;
  const found = placesFrom(settings, page, own)
    .map((each) => byRoute.get(placeOf(each, settings).route))
    .find((each) => each !== undefined);
  return `/${encodeURI(found?.path ?? own)}${rest}`;
}

/** An address without a language means that of the page, and so with versions. */
function placesFrom({ languages, versions }: RspressSettings, page: RspressPage, own: string): string[] {
  const parts = own.split("/");
  const version = versions.includes(parts[0] ?? "") ? (parts.shift() ?? "") : page.version;
  const language = languages.includes(parts[0] ?? "") ? (parts.shift() ?? "") : page.language;
  const inLanguage = languages.includes(language) ? language : "";
  const inVersion = versions.includes(version) ? version : "";
  return [[inVersion, inLanguage, ...parts].filter((part, index) => index > 1 || part !== "").join("/"), own];
}

interface Place {
  inclusions: Inclusions;
  settings: RspressSettings;
  location: string;
  faults: string[];
}

const CONTAINER = /^([ \t]*):::[ \t]*([A-Za-z]\w*)[ \t]*(?![ \t])(|.+?(?<![ \t]))[ \t]*$/;

/** A page with code from other files in it, and containers as other pages have them. */
async function readBlocks(place: Place, markdown: string): Promise<string> {
  const lines = markdown.split("\n");
  const out: string[] = [];
  for (let at = 0; at < lines.length; ) {
    const code = codeAt(lines, at);
    if (code !== undefined) {
      out.push(...(await codeOf(place, code)));
      at += code.length;
      continue;
    }
    out.push(containerLine(lines[at] ?? ""));
    at += 1;
  }
  return out.join("\n");
}

/** `:::tip{title="x"}`, and `:::tip x`; a part that folds is a callout with its title. */
function containerLine(line: string): string {
  const [whole, indent = "", name = "", given = ""] = CONTAINER.exec(line) ?? [];
  if (whole === undefined) return line;
  const kind = name === "details" ? "note" : name;
  if (!isCalloutName(kind)) return line;
  const braced = /^\{?\s*title\s*=\s*["']?(.*?)["']?\s*\}?$/.exec(given)?.[1];
  const title = (braced ?? given).replace(/^\[|\]$/g, "").replace(/[[\]]/g, "");
  const words = title === "" && name === "details" ? "Details" : title;
  return `${indent}:::${kind}${words === "" ? "" : `[${words}]`}`;
}

/** Code with its language alone; the name of its file is written above it. */
async function codeOf(place: Place, code: WrittenCode): Promise<string[]> {
  const { info, indent } = code;
  const language = /^[\w+#.-]+/.exec(info)?.[0] ?? "";
  const title =
    /\btitle=(?:"([^"]*)"|'([^']*)'|(\S+))/
      .exec(info)
      ?.slice(1)
      .find((each) => each !== undefined) ?? "";
  const file = /(?:^|\s)file=["'`]?([^"'`\s]+)/.exec(info)?.[1];
  const lines = file === undefined ? code.lines : await linesOf(place, file);
  const shown = shownCode(language, lines);
  const written = writeCode(shown.language, shown.lines, indent);
  return title === "" ? written : [`${indent}**${title.replaceAll("*", "\\*")}**`, "", ...written];
}

/** The lines of another file: beside the page, below the folder of pages, or below the site. */
async function linesOf(
  { inclusions, settings, location, faults }: Place,
  written: string,
): Promise<string[]> {
  const place = written.startsWith("<root>/")
    ? resolveLocation(settings.root, `./${written.slice("<root>/".length)}`)
    : written.startsWith("/")
      ? resolveLocation(settings.content, `.${written}`)
      : resolveLocation(folderOf(location), written);
  const file = await readIncluded(inclusions, place, [location]);
  if (file.fault === undefined) return file.text.trimEnd().split("\n");
  faults.push(`${written}, whose code it shows, ${file.fault}`);
  return [];
}
