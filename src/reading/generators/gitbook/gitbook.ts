import { isRecord } from "@docent/kernel/text/json";
import { createSlugger } from "../../markdown/anchors.ts";
import { splitFrontMatter } from "../../markdown/front-matter.ts";
import { inlineText } from "../../markdown/plain-text.ts";
import type { DocsSite, GeneratorAdapter, ReadDocsPage } from "../docs-site.ts";
import { type DocsTree, folderOf, joinLocation, nameOf, resolveLocation } from "../docs-tree.ts";
import { rootsIn, SITE_FILES } from "../site-files.ts";
import { type NameHeading, rewriteLinks, splitHref, writeHeadingIds } from "../writing/writing.ts";
import { addressOf, type Book, type BookPage, below, readBook } from "./book.ts";
import { readBookSettings } from "./settings.ts";
import { writeTemplates } from "./templates.ts";

/** GitBook on its own host, and HonKit, which makes sites of the same files: what `SUMMARY.md` lists is published. */
export const gitbook: GeneratorAdapter = {
  name: "GitBook",
  roots: (tree) => rootsIn(SITE_FILES.gitbook, tree.files),
  async open(tree, root) {
    const settings = await readBookSettings(tree, root);
    if (settings === undefined) return undefined;
    const book = await readBook(tree, settings);
    return book === undefined || book.pages.size === 0 ? undefined : openSite(tree, root, book);
  },
};

function openSite(tree: DocsTree, root: string, book: Book): DocsSite {
  const { settings, pages, menu, leftOut } = book;
  return {
    generator: settings.isHonKit ? "HonKit" : "GitBook",
    root,
    pages: [...pages.values()].map(({ location, path }) => ({ location, path })),
    leftOut,
    menu,
    redirects: settings.redirects.map(({ from, to }) => ({ from, to: redirectTarget(book, to) })),
    unknowns: settings.unknowns,
    read: ({ location }) => readBookPage(tree, book, location),
  };
}

/** A redirect names a file, or an address. */
function redirectTarget({ settings, pages }: Book, to: string): string {
  if (/^[a-z][a-z+.-]*:/i.test(to)) return to;
  const [file = "", anchor] = to.split("#", 2);
  const path = pages.get(joinLocation(settings.folder, file))?.path ?? addressOf(file, settings);
  return `/${path}${anchor === undefined ? "" : `#${anchor}`}`;
}

async function readBookPage(tree: DocsTree, book: Book, location: string): Promise<ReadDocsPage> {
  const { settings, pages } = book;
  const { data, body, fault } = splitFrontMatter((await tree.text(location)) ?? "");
  const written = await writeTemplates(tree, settings, location, body);
  const worded = settings.isHonKit
    ? written.markdown
    : withMentions(withVariables(written.markdown, book), book, location);
  const linked = rewriteLinks(worded, (href) => publishedHref(tree, book, location, href));
  const title = pages.get(location)?.label;
  return {
    data: { ...data, ...(title === undefined || title === "" ? {} : { title }) },
    markdown: writeHeadingIds(linked, settings.isHonKit ? honkitId : hostedIds()),
    faults: [...(fault === undefined ? [] : [fault]), ...written.faults],
  };
}

/** HonKit takes these signs out of ids; equal headings have equal ones. */
const SIGNS = /[[\]!"'#$%&()*+,./:;<=>?@\\^_`{|}~©∑®†“”‘’∂ƒ™℠…œŒ˚ºª•∆∞♥]+/g;

const honkitId: NameHeading = ({ source, given, isInTag }) =>
  given !== undefined && !isInTag
    ? given
    : inlineText(source.replace(IMAGE, "\uE000"))
        .replace(SIGNS, "")
        .replaceAll("\uE000", "")
        .replaceAll(" ", "-")
        .toLowerCase()
        .replace(/^-/, "");

/** An image is no part of an id, but the space in front of it is. */
const IMAGE = /!\[[^\]\n]{0,500}\]\([^()\n]{0,1000}\)/g;

/** On GitBook's host a tag in a heading names it, and keeps the id that it had under another name. */
function hostedIds(): NameHeading {
  const slugger = createSlugger("github");
  return ({ words, given }) => (given === undefined ? slugger.unique(words) : slugger.claim(given));
}

/** `<code class="expression">space.vars.name</code>` stands for a value. */
const withVariables = (markdown: string, { settings }: Book) =>
  markdown.replace(/<code class="expression">\s*([\w.]{1,200})\s*<\/code>/g, (whole, name: string) => {
    const value = name
      .split(".")
      .reduce<unknown>(
        (at, each) => (isRecord(at) && Object.hasOwn(at, each) ? at[each] : undefined),
        settings.variables,
      );
    return typeof value === "string" || typeof value === "number" ? String(value) : whole;
  });

/** A link that is labelled with the name of the file that it leads to shows the page's title. */
const withMentions = (markdown: string, book: Book, location: string) =>
  markdown.replace(
    /\[([^[\]\n]{1,300})\]\(([^()\s]{1,500})(?: "mention")?\)/g,
    (whole, words: string, href: string) => {
      const { target } = splitHref(href);
      const label = words.replaceAll("\\", "");
      if (target === "" || (label !== target && label !== nameOf(target) && !whole.endsWith('"mention")')))
        return whole;
      const page = pageMeant(book, location, target);
      return page === undefined ? whole : `[${page.label.replace(/[[\]]/g, "")}](${href})`;
    },
  );

function pageMeant({ settings, pages }: Book, location: string, target: string): BookPage | undefined {
  const folder = target.startsWith("/") ? settings.folder : folderOf(location);
  const place = resolveLocation(folder, target.replace(/^\/+/, ""));
  if (place === undefined) return undefined;
  return (
    pages.get(place) ??
    pages.get(joinLocation(place, settings.readme)) ??
    pages.get(joinLocation(place, "README.md"))
  );
}

/** A link to a file leads to its page; any other is an address beside the page's own. */
function publishedHref(tree: DocsTree, book: Book, location: string, href: string): string | undefined {
  const { target, rest } = splitHref(href);
  if (target === "") return undefined;
  const page = pageMeant(book, location, target);
  if (page !== undefined) return `/${page.path}${rest}`;
  const { settings } = book;
  const folder = target.startsWith("/") ? settings.folder : folderOf(location);
  const place = resolveLocation(folder, target.replace(/^\/+/, ""));
  if (place === undefined || !`${place}/`.startsWith(settings.folder === "" ? "" : `${settings.folder}/`))
    return undefined;
  const file = below(settings, place);
  if (/\.html$/.test(file)) return `/${file.replace(/(^|\/)index\.html$/, "$1")}${rest}`;
  if (/\.md$/.test(file)) return settings.isHonKit ? undefined : `/${addressOf(file, settings)}${rest}`;
  return tree.has(place) ? `/${file}${rest}` : undefined;
}
