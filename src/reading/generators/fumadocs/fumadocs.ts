import { asRecord, asText } from "@docent/kernel/text/json";
import { createSlugger } from "../../markdown/anchors.ts";
import { splitFrontMatter } from "../../markdown/front-matter.ts";
import { expressionEnd, unwrapMdx } from "../../markdown/mdx/mdx.ts";
import { isComputed, readScript } from "../config/config.ts";
import type { DocsSite, GeneratorAdapter, PageEdition, ReadDocsPage } from "../docs-site.ts";
import { type DocsTree, folderOf, joinLocation, resolveLocation, stemOf } from "../docs-tree.ts";
import { rootsIn, SITE_FILES } from "../site-files.ts";
import {
  createInclusions,
  rewriteLinks,
  splitHref,
  withPartials,
  writeHeadingIds,
} from "../writing/writing.ts";
import { plainComponents, readBlocks } from "./blocks.ts";
import { withIncludes } from "./includes.ts";
import { readMenu } from "./menu.ts";
import { type FumadocsPage, loadPages, redirectsOfUntranslated } from "./pages.ts";
import { type FumadocsSettings, type Loader, readSettings } from "./settings.ts";

/** Fumadocs, with pages in files, whatever program shows them. */
export const fumadocs: GeneratorAdapter = {
  name: "Fumadocs",
  roots: (tree) => [
    ...new Set([SITE_FILES.fumadocs, SITE_FILES.fumadocsLoader].flatMap((each) => rootsIn(each, tree.files))),
  ],
  async open(tree, root, options) {
    const settings = await readSettings(tree, root, options);
    return settings === undefined ? undefined : openSite(tree, settings);
  },
};

async function openSite(tree: DocsTree, settings: FumadocsSettings): Promise<DocsSite | undefined> {
  const loaded = await Promise.all(settings.loaders.map((loader) => loadPages(tree, loader)));
  const pages = loaded.flatMap((each) => each.pages);
  const byPath = new Map(pages.toReversed().map((page) => [page.path, page]));
  if (byPath.size === 0) return undefined;
  const byLocation = new Map(pages.map((page) => [page.location, page]));
  const menus = await Promise.all(
    loaded.filter(({ loader }) => loader.hasMenu).map((each) => readMenu(tree, each)),
  );
  return {
    generator: "Fumadocs",
    root: settings.root,
    language: settings.loaders.find(({ languages }) => languages !== undefined)?.languages?.main,
    pages: loaded.flatMap(({ loader, pages: own }) =>
      own
        .filter((page) => byPath.get(page.path) === page)
        .map((page) => ({ location: page.location, path: page.path, edition: editionOf(loader, page) })),
    ),
    leftOut: loaded.flatMap(({ leftOut }) => leftOut),
    menu: menus.flat(),
    redirects: [...settings.redirects, ...loaded.flatMap(redirectsOfUntranslated)],
    unknowns: settings.unknowns,
    async read({ location, path }) {
      const page = byPath.get(path);
      if (page === undefined) throw new Error(`${location} is no page of this site`);
      return readPage({ tree, root: settings.root, byPath, byLocation }, page);
    },
  };
}

const editionOf = ({ base }: Loader, { language, place }: FumadocsPage): PageEdition | undefined =>
  language === undefined ? undefined : { language, topic: joinLocation(base, stemOf(place)) };

/** What reading a page takes from its site. */
interface Surroundings {
  tree: DocsTree;
  root: string;
  byPath: ReadonlyMap<string, FumadocsPage>;
  byLocation: ReadonlyMap<string, FumadocsPage>;
}

async function readPage(surroundings: Surroundings, page: FumadocsPage): Promise<ReadDocsPage> {
  const { tree, root } = surroundings;
  const { data, body, fault } = splitFrontMatter((await tree.text(page.location)) ?? "");
  const faults = fault === undefined ? [] : [fault];
  const locate = (location: string, specifier: string) =>
    specifier.startsWith(".")
      ? resolveLocation(folderOf(location), specifier)
      : /^[@~]\//.test(specifier)
        ? joinLocation(root, specifier.slice(2))
        : undefined;
  const inclusions = createInclusions(tree);
  const included = await withIncludes({ inclusions, root, faults }, page.location, body);
  const whole = await withPartials({ tree, locate }, page.location, included, { faults, inclusions });
  const tables = await writeTypeTables(whole, faults);
  const plain = readBlocks(plainComponents(tables), createSlugger("github"));
  const read = page.location.endsWith(".mdx") ? unwrapMdx(plain, data) : { markdown: plain, faults: [] };
  const linked = rewriteLinks(read.markdown, (href) => publishedHref(surroundings, page, href));
  // Headings that components make have the ids that they say.
  const markdown = writeHeadingIds(linked, ({ given }) => given ?? "");
  return { data: { ...data, title: page.title }, markdown, faults: [...faults, ...read.faults] };
}

/** Where a link leads: to the page of a file, or as browsers resolve it. */
function publishedHref(
  { byPath, byLocation }: Surroundings,
  page: FumadocsPage,
  href: string,
): string | undefined {
  const { target, rest } = splitHref(href);
  if (target === "" || target.startsWith("/")) return undefined;
  const file = resolveLocation(folderOf(page.location), target);
  const meant = file === undefined ? undefined : byLocation.get(file);
  if (meant !== undefined) return `/${meant.path}${rest}`;
  const published = resolveLocation(folderOf(page.path), target);
  return published !== undefined && byPath.has(published) ? `/${published}${rest}` : undefined;
}

const TABLE = /<TypeTable\s+type=(?=\{)/g;
const TABLES_MAX = 500;
/** Tables that a program makes of types in TypeScript. */
const AUTOMATIC = /<(?:auto-type-table|AutoTypeTable)\b[^>]{0,1000}?\/>/g;

/** `<TypeTable>` as the fields that it lists. What a program would make of TypeScript is a fault of the page. */
async function writeTypeTables(mdx: string, faults: string[]): Promise<string> {
  const automatic = mdx.match(AUTOMATIC) ?? [];
  if (automatic.length > 0)
    faults.push(`${automatic.length} of its tables are made from TypeScript, which is not done here`);
  const plain = mdx.replace(AUTOMATIC, "");
  const parts: string[] = [];
  const budget = { left: plain.length * 4 + 10_000 };
  let from = 0;
  for (const found of [...plain.matchAll(TABLE)].slice(0, TABLES_MAX)) {
    const start = found.index + found[0].length;
    const end = found.index < from ? undefined : expressionEnd(plain, start, budget);
    const closing = end === undefined ? null : /^\s*\/>/.exec(plain.slice(end, end + 100));
    if (end === undefined || closing === null) continue;
    parts.push(plain.slice(from, found.index), await fieldsIn(plain.slice(start + 1, end - 1)));
    from = end + closing[0].length;
  }
  return [...parts, plain.slice(from)].join("");
}

async function fieldsIn(literal: string): Promise<string> {
  const { value } = await readScript(`export default ${literal};`, async () => undefined);
  const fields = Object.entries(asRecord(value)).map(([name, said]) => fieldOf(name, asRecord(said)));
  return `\n\n${fields.join("\n\n")}\n\n`;
}

function fieldOf(name: string, said: Readonly<Record<string, unknown>>): string {
  const code = (value: unknown) => {
    const text = isComputed(value)
      ? value.source
      : ["number", "boolean"].includes(typeof value)
        ? `${value}`
        : asText(value);
    return text === undefined || text.trim() === ""
      ? ""
      : `\`${text.replaceAll("`", "").replace(/\s+/g, " ")}\``;
  };
  const facts = [
    code(said["type"]),
    said["required"] === true ? "required" : "",
    said["deprecated"] === true ? "deprecated" : "",
    code(said["default"]) && `default: ${code(said["default"])}`,
  ].filter((fact) => fact !== "");
  const description = asText(said["description"])?.replace(/\s+/g, " ").trim() ?? "";
  return [[`**${code(name)}**`, ...facts].join(", "), description].filter((part) => part !== "").join("\n\n");
}
