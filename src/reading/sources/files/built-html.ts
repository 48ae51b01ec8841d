import { posix } from "node:path";
import { decodeText } from "@docent/kernel/text/decode-bytes";
import { decodePercent } from "@docent/kernel/text/decode-percent";
import { folderOf } from "../../generators/generators.ts";
import { readHtml } from "../../markdown/html/html.ts";
import { normalizePath } from "../../page/page-path.ts";
import type { PageRedirect } from "../../page/redirects.ts";
import type { Skipped } from "../../source-reader.ts";
import type { ReadableFile } from "./tree-file.ts";

// HTML that a tool has built holds pages that nobody reads as docs: its own search, lists of all names, copies of the program,
// and files that only lead to another one. Found by a search, they stand in the way of the page that is meant.

/** A tool, the file that lies where its output begins, and the pages below that it makes for itself. */
interface Tool {
  name: string;
  marker: RegExp;
  own: RegExp;
}

const TOOLS: readonly Tool[] = [
  {
    name: "javadoc",
    marker: /^(?:element|package)-list$/,
    own: /(?:^|\/)(?:(?:class-use|src-html|index-files)\/.*|(?:package-(?:use|tree|frame)|overview-(?:tree|frame)|all(?:classes|packages)(?:-(?:index|frame|noframe))?|index-all|help-doc|search|serialized-form)\.html)$/,
  },
  {
    name: "Doxygen",
    marker: /^doxygen\.(?:css|svg|png)$/,
    own: /^search\/|_source\.html$|-members\.html$|(?:^|\/)(?:dir_[0-9a-f]{32}|annotated|classes|hierarchy|inherits|graph_legend|files|(?:functions|globals|namespacemembers)(?:_\w{1,20})?)\.html$/,
  },
  {
    name: "Sphinx",
    marker: /^(?:objects\.inv|searchindex\.js)$/,
    own: /^(?:genindex(?:-[^/]{1,40})?|search|[^/]{0,40}modindex)(?:\.html|\/index\.html)$/,
  },
  {
    name: "Haddock",
    marker: /^haddock-bundle(?:\.min)?\.js$/,
    own: /^(?:(?:doc-index(?:-[^/]{1,40})?|mini_[^/]{1,200})\.html$|src\/)/,
  },
  {
    name: "rustdoc",
    marker: /^(?:crates|source-files|src-files)[\d.]*\.js$/,
    own: /^src\/|(?:^|\/)(?:all|help|settings)\.html$/,
  },
];

const HTML = /\.html?$/i;

/** The files of a tree without what no reader wants of HTML that a tool has built. */
export interface WithoutBuilt<File> {
  files: File[];
  /** Other addresses of pages: a file that only leads elsewhere or is the same, and the file and anchor that it leads to. */
  leading: { location: string; target: string }[];
  /** What is none for readers, and no other address of a page. */
  leftOut: ReadonlySet<string>;
  skipped: Skipped[];
}

/** Leaves out what a tool has made for itself, and pages that only lead to others. */
export async function withoutBuilt<File extends ReadableFile>(
  tree: { files: readonly File[]; others: readonly { location: string }[] },
  options: { found: string; signal?: AbortSignal | undefined },
): Promise<WithoutBuilt<File>> {
  const { found } = options;
  const toolOf = ownOfTools([...tree.files, ...tree.others].map(({ location }) => location));
  const kept: File[] = [];
  const skipped: Skipped[] = [];
  for (const file of tree.files) {
    const { location } = file;
    const tool = toolOf(location);
    const detail = `is made by ${tool} for itself: its search, a list of names, or a program's text`;
    if (tool === undefined) kept.push(file);
    else skipped.push({ location, found, reason: "hidden", detail });
  }
  const leftOut = new Set(skipped.map(({ location }) => location));
  const targets = await findLeading(kept, options);
  const twins = await findTwins(
    kept.filter(({ location }) => !targets.has(location)),
    options,
  );
  const leading = [...targets, ...twins].map(([location, target]) => ({ location, target }));
  for (const { location, target } of leading) {
    const detail = `${twins.has(location) ? "is the same as" : "only leads to"} ${target.slice(0, 200)}`;
    skipped.push({ location, found, reason: "duplicate", detail });
  }
  const isOwn = ({ location }: File) => !targets.has(location) && !twins.has(location);
  return { files: kept.filter(isOwn), leading, leftOut, skipped };
}

/** Says which tool has made a file for itself: by the tools' own files among all of them. */
function ownOfTools(locations: readonly string[]): (location: string) => string | undefined {
  const roots = new Map<string, Tool>();
  for (const location of locations) {
    const tool = TOOLS.find(({ marker }) => marker.test(posix.basename(location)));
    if (tool !== undefined) roots.set(folderOf(location), tool);
  }
  return (location) => {
    if (roots.size === 0 || !HTML.test(location)) return undefined;
    for (let folder = folderOf(location); ; folder = folderOf(folder)) {
      const tool = roots.get(folder);
      if (tool?.own.test(folder === "" ? location : location.slice(folder.length + 1))) return tool.name;
      if (folder === "") return undefined;
    }
  };
}

/** A page that only leads elsewhere has few words: larger ones are not looked into. */
const LEADING_BYTES_MAX = 8_192;
const READ_AT_ONCE = 32;
const REFRESHES = /http-equiv\s*=\s*(?:["']\s*)?refresh/i;

/** The pages that send their readers on at once, with where they lead. */
async function findLeading(
  files: readonly ReadableFile[],
  { signal }: { signal?: AbortSignal | undefined },
): Promise<ReadonlyMap<string, string>> {
  const small = files.filter(
    ({ location, sizeBytes }) => HTML.test(location) && sizeBytes <= LEADING_BYTES_MAX,
  );
  const targets = new Map<string, string>();
  for (let at = 0; at < small.length; at += READ_AT_ONCE) {
    signal?.throwIfAborted();
    const some = small.slice(at, at + READ_AT_ONCE);
    const found = await Promise.all(some.map(targetOf));
    for (const [index, { location }] of some.entries()) {
      const target = found[index];
      if (target !== undefined) targets.set(location, target);
    }
  }
  return targets;
}

/** Where a page sends its readers; one that cannot be read says so when it is. */
async function targetOf({ location, read }: ReadableFile): Promise<string | undefined> {
  const bytes = await read().catch(() => undefined);
  const text = bytes === undefined ? undefined : decodeText(bytes, { html: true })?.text;
  const href = text !== undefined && REFRESHES.test(text) ? readHtml(text).redirect : undefined;
  if (href === undefined || /^[a-z][a-z\d+.-]*:|^\//i.test(href)) return href;
  const place = posix.join(folderOf(location), href);
  // A page that loads itself again is one.
  return place.split("#", 1)[0] === location ? undefined : place;
}

/** Pages that are another one of their folder byte by byte, as by a link in the file system, with that one. */
async function findTwins(
  files: readonly ReadableFile[],
  { signal }: { signal?: AbortSignal | undefined },
): Promise<ReadonlyMap<string, string>> {
  const twins = new Map<string, string>();
  const html = files.filter(({ location }) => HTML.test(location));
  const alike = Map.groupBy(html, ({ location, sizeBytes }) => `${sizeBytes} ${folderOf(location)}`);
  for (const group of alike.values()) {
    if (group.length < 2) continue;
    signal?.throwIfAborted();
    const firsts = new Map<string, string>();
    for (const { location, read } of group.toSorted((a, b) => (a.location < b.location ? -1 : 1))) {
      const bytes = await read().catch(() => undefined);
      if (bytes === undefined) continue;
      const hash = new Bun.CryptoHasher("sha256").update(bytes).digest("hex");
      const first = firsts.get(hash);
      if (first === undefined) firsts.set(hash, location);
      else twins.set(location, first);
    }
  }
  return twins;
}

const LEADS_MAX = 5;
const REDIRECTS_MAX = 20_000;

/** Pages that only lead to others as addresses of those. */
export function leadingRedirects(
  pages: readonly { location: string; path: string }[],
  leading: WithoutBuilt<unknown>["leading"],
): PageRedirect[] {
  const pathOf = new Map(pages.map(({ location, path }) => [location, path]));
  const targets = new Map(leading.map(({ location, target }) => [location, target]));
  const redirects = leading.flatMap(({ location, target }): PageRedirect[] => {
    let [place = "", anchor = ""] = target.split("#", 2);
    for (let leads = 0; leads < LEADS_MAX && targets.has(place); leads++)
      [place = "", anchor = anchor] = (targets.get(place) ?? "").split("#", 2);
    const path = pathOf.get(decodePercent(place));
    return path === undefined
      ? []
      : [{ from: normalizePath(location), to: anchor === "" ? path : `${path}#${decodePercent(anchor)}` }];
  });
  return redirects.slice(0, REDIRECTS_MAX);
}
