import { asText } from "@docent/kernel/text/json";
import { splitFrontMatter } from "../../markdown/front-matter.ts";
import { inlineText, plainInline } from "../../markdown/plain-text.ts";
import { unwrapDefinitionLists } from "../../markdown/unwrap-definitions.ts";
import { createScriptReader } from "../config/config.ts";
import type { DocsSite, GeneratorAdapter, PageEdition, ReadDocsPage } from "../docs-site.ts";
import { type DocsTree, folderOf, resolveLocation } from "../docs-tree.ts";
import { rootsIn, SITE_FILES } from "../site-files.ts";
import {
  type NameHeading,
  rewriteLinks,
  splitHref,
  titleOf,
  writeHeadingIds,
  writeHero,
} from "../writing/writing.ts";
import { readBlocks } from "./blocks.ts";
import { pageInclusions, withIncludes } from "./includes.ts";
import { pathOfLink, readMenu } from "./menu.ts";
import { type PublishedPage, readPages } from "./pages.ts";
import { localeOfPath, readSettings, type VitePressSettings } from "./settings.ts";
import { evaluateWords, takeScripts } from "./vue.ts";

export { type LocaleSettings, levelsOf, usesDefinitionLists, type VitePressSettings } from "./settings.ts";

/** VitePress 1 and 2. */
export const vitepress: GeneratorAdapter = {
  name: "VitePress",
  roots: (tree) => rootsIn(SITE_FILES.vitepress, tree.files),
  async open(tree, root, { answers }) {
    return openSite("VitePress", tree, await readSettings(tree, root, { answers }));
  },
};

/** The site of settings as VitePress has them, and VuePress, which it comes from. */
export async function openSite(
  generator: string,
  tree: DocsTree,
  settings: VitePressSettings,
): Promise<DocsSite> {
  const { pages, leftOut } = await readPages(tree, settings);
  const byPath = new Map(pages.map((page) => [page.path, page]));
  const surroundings = { tree, settings, byPath };
  return {
    generator,
    root: settings.root,
    language: settings.locales[0]?.language,
    pages: pages.map(({ location, path }) => ({ location, path, edition: editionOf(settings, path) })),
    leftOut,
    menu: readMenu(settings, byPath),
    redirects: [],
    unknowns: settings.unknowns,
    read: ({ location, path }) =>
      readPage(surroundings, byPath.get(path) ?? { location, path, file: location }),
  };
}

function editionOf(settings: VitePressSettings, path: string): PageEdition | undefined {
  if (settings.locales.length < 2) return undefined;
  const { folder = "", language } = localeOfPath(settings, path) ?? {};
  return { language, topic: folder === "" ? path : path.slice(folder.length + 1) };
}

/** What reading a page takes from its site. */
interface Surroundings {
  tree: DocsTree;
  settings: VitePressSettings;
  byPath: ReadonlyMap<string, PublishedPage>;
}

async function readPage(surroundings: Surroundings, page: PublishedPage): Promise<ReadDocsPage> {
  const { tree, settings } = surroundings;
  const { location } = page;
  const faults: string[] = [];
  const place = { inclusions: pageInclusions(tree), contentRoot: settings.contentRoot, location, faults };
  const source = ((await tree.text(location)) ?? "").replace(
    /<!--\s*@content\s*-->/,
    () => page.content ?? "",
  );
  const { data, body, fault } = splitFrontMatter(await withIncludes(place, source));
  if (fault !== undefined) faults.push(fault);
  const { template, script } = takeScripts(body);
  const titles = localeOfPath(settings, page.path)?.calloutTitles ?? new Map();
  const lists = settings.hasDefinitionLists ? unwrapDefinitionLists(template) : template;
  const blocks = await readBlocks({ ...place, titles }, lists);
  const named = writeHeadingIds(blocks, createHeadingNames(settings));
  const shown = settings.heroOf(data);
  const home = shown === undefined ? "" : writeHero(shown);
  const linked = rewriteLinks(home + named, (href) => publishedHref(surroundings, page, href));
  const readScript = createScriptReader(tree, folderOf(location));
  const words = { ...place, script, readScript, data, params: page.params };
  const markdown = await evaluateWords(linked, words);
  const title = await evaluateWords(publishedTitle(data, template, settings) ?? "", { ...words, faults: [] });
  return { data: title === "" ? data : { ...data, title }, markdown, faults };
}

/** A page without a title is called like the site. */
function publishedTitle(
  data: Readonly<Record<string, unknown>>,
  body: string,
  settings: VitePressSettings,
): string | undefined {
  const written = asText(data["title"]);
  if (written !== undefined && written !== "") return plainInline(written);
  return titleOf({}, body) ?? settings.title;
}

/** Ids as VitePress makes them, from the words of a heading without its pictures, tags and emoji. */
function createHeadingNames({ createSlugger, hasIds }: VitePressSettings): NameHeading {
  const slugger = createSlugger();
  return ({ level, source, definitions, given }) => {
    if (given !== undefined) return slugger.claim(given);
    if (!hasIds(level)) return "";
    // Entities are left as they are written, and so their letters are in the id.
    const plain = source
      .replace(/!\[[^\]]*\]\([^)]*\)/g, "")
      .replace(/&(?=#?\w+;)/g, "&amp;")
      .replace(EMOJI, "");
    return slugger.unique(inlineText(plain, definitions).trim());
  };
}

const EMOJI = /(?<![\w:]):[a-z\d_+-]{1,50}:(?![\w:])/g;
/** Links to other files than pages, by the extensions that VitePress knows. */
const FILE =
  /\.(?:3g2|3gp|aac|ai|apng|au|avif|bin|bmp|cer|class|conf|crl|css|csv|dll|doc|eps|epub|exe|gif|gz|ics|ief|jar|jpe|jpe?g|js|json|jsonld|m4a|man|mid|midi|mjs|mov|mp[234e]|mpe?g|og[agpvx]|opus|otf|p10|p7[cms]|pdf|png|ps|qt|roff|rtf|rtx|ser|svg|t|tiff?|tr|tsv?|ttf|txt|vtt|wav|weba|web[mp]|woff2?|xhtml|xml|ya?ml|zip)$/i;

/** Where a link of a page leads. */
function publishedHref(surroundings: Surroundings, page: PublishedPage, href: string): string | undefined {
  const { target, rest } = splitHref(href);
  if (target === "" || FILE.test(target)) return undefined;
  const { settings } = surroundings;
  const resolved = resolveLocation(folderOf(page.file), target);
  if (resolved === undefined) return undefined;
  const place = /(?:^|\/)\.{0,2}$/.test(target) && resolved !== "" ? `${resolved}/` : resolved;
  const known = pathOfLink(surroundings, place);
  if (known !== undefined) return `/${known}${rest}`;
  return `/${settings.addressOf(place.replace(/\.html$/, "").replace(/\/$/, "/index"))}${rest}`;
}
