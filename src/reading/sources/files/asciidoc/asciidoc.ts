import { posix } from "node:path";
import { folderOf } from "../../../generators/generators.ts";
import {
  type AsciidocLinks,
  type AsciidocPlace,
  type AsciidocReader,
  type CrossReference,
  readAsciidocHeader,
} from "../../../markdown/asciidoc/asciidoc.ts";
import { encodePath } from "../../../page/page-path.ts";
import type { SourceItem } from "../../../source-reader.ts";
import { type IncludedFiles, includedFrom } from "../included-files.ts";
import { madeItem } from "../made-item.ts";
import type { ReadableFile } from "../tree-file.ts";

/** A page in AsciiDoc, with what it includes. */
export function asciidocItem(
  file: Pick<ReadableFile, "location" | "read">,
  {
    path,
    found,
    books,
    asciidoc,
  }: { path: string; found: string; books: AsciidocBooks; asciidoc: AsciidocReader },
): SourceItem {
  return madeItem(file, { path, found, format: "md", from: "adoc" }, async (text) =>
    asciidoc.page(await books.textOf(file.location, text), await books.placeOf(file.location)),
  );
}

/**
 * The books among files in AsciiDoc: a file that includes others which begin with a heading. Each of these stays a page of its
 * own, and where it is included stands a link to it: its words would be found twice, or on one page as long as the book.
 */
interface AsciidocBooks {
  /** How a page is read: a part as its book says, with the attributes of that. */
  placeOf(location: string): Promise<AsciidocPlace>;
  /** The text of a page: a part begins with a heading, which is the page's title, and of no kind of section. */
  textOf(location: string, text: string): Promise<string>;
}

interface Part {
  location: string;
  /** In AsciiDoc. */
  title: string;
  level: number;
  parents: string[];
}

/** A place that has an id. */
interface Named {
  location: string;
  title: string;
  /** Whether the section is the page itself, whose title has no id. */
  isPage: boolean;
}

/** What is known of all files in AsciiDoc together. */
interface Books {
  parts: ReadonlyMap<string, Part>;
  ids: ReadonlyMap<string, Named>;
  isPage: ReadonlySet<string>;
}

const INCLUDE = /^include::([^[\]\n]{1,500})\[([^\]\n]{0,500})\][ \t]*$/gm;
/** Only a part of the file is taken. */
const ASKS_FOR_LINES = /(?:^|,)\s*"?(?:lines|tags?)\s*=/;
/** What may stand before the heading of a part: blank lines, comments, attributes, ids and roles. */
const BEFORE_HEADING = /^(?:[ \t]*\n|\/\/[^\n]*\n|:[^\n:]+:[^\n]*\n|\[[^\n]*\][ \t]*\n)*/;
/** `[preface]`, `[appendix]`, `[.role]`. */
const STYLE = /^\[(?!\[)[^\n]*\][ \t]*\n/gm;
const HEADING = /^(={1,6})[ \t]+(\S[^\n]*)/;
const HEADINGS = /^={1,6}[ \t]+(\S[^\n]*)$/gm;
const IDS =
  /\[\[([\p{L}_:][\p{L}\p{N}_:.-]{0,200})(?:,[^\]\n]*)?\]\]|^\[(?:[^\]\n#]*#([\p{L}_:][\p{L}\p{N}_:.-]{0,200})|id=["']?([\p{L}_:][\p{L}\p{N}_:.-]{0,200}))/gmu;
const DEEP_MAX = 20;

export function asciidocBooks(locations: readonly string[], tree: IncludedFiles): AsciidocBooks {
  const include = (target: string, from: string) => includedFrom(tree, target, from);
  const headers = new Map<string, Promise<Record<string, string>>>();
  let read: Promise<Books> | undefined;
  const attributesOf = (root: string) => {
    const known = headers.get(root) ?? attributesIn(tree, root);
    headers.set(root, known);
    return known;
  };
  const readOnce = () => {
    read ??= readBooks(locations, tree);
    return read;
  };
  return {
    async textOf(location, text) {
      const { parts } = await readOnce();
      return parts.has(location) ? text.replace(BEFORE_HEADING, (before) => before.replace(STYLE, "")) : text;
    },
    async placeOf(location) {
      const books = await readOnce();
      if (books.parts.size === 0) return { location, include };
      const part = books.parts.get(location);
      const root = rootOf(books, location);
      const given = part === undefined ? {} : await attributesOf(root);
      const images = posix.join(posix.relative(folderOf(location), folderOf(root)), given["imagesdir"] ?? "");
      return {
        location,
        include: async (target, from, isWhole) => {
          const found = await include(target, from);
          const inner = typeof found === "string" || !isWhole ? undefined : books.parts.get(found.location);
          if (typeof found === "string" || inner === undefined || inner.location === location) return found;
          return { ...found, text: linkTo(inner, location) };
        },
        ...(part !== undefined && {
          attributes: {
            ...soft(given),
            imagesdir: `${images}@`,
            leveloffset: String(1 - part.level),
          },
        }),
        links: linksOf(books, { location, root }),
      };
    },
  };
}

const soft = (attributes: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(attributes).map(([name, value]) => [name, `${value}@`]));

/** The outermost file that a file is a part of. */
function rootOf({ parts }: Books, location: string): string {
  let root = location;
  for (let deep = 0; deep < DEEP_MAX; deep++) {
    const parent = parts.get(root)?.parents[0];
    if (parent === undefined) break;
    root = parent;
  }
  return root;
}

/** What the header of a book says, without what each document has. */
async function attributesIn(tree: IncludedFiles, root: string): Promise<Record<string, string>> {
  const include = (target: string, from: string) => includedFrom(tree, target, from);
  const header = async (text: string) => {
    const { attributes } = await readAsciidocHeader(text, { location: root, include });
    return attributes;
  };
  const usual = await header("= Title\n");
  const own = [...(await header((await tree.text(root)) ?? ""))];
  return Object.fromEntries(
    own.filter(([name, value]) => usual.get(name) !== value && !OF_ONE_DOCUMENT.test(name)),
  );
}

const OF_ONE_DOCUMENT =
  /^(?:doc(?!info)|title|author|email|first|last|middle|rev|local|description$|keywords$|navtitle$|reftext$|leveloffset$|toc|id$|manname|manpurpose)/;

async function readBooks(locations: readonly string[], tree: IncludedFiles): Promise<Books> {
  const isPage = new Set(locations);
  const parts = new Map<string, Part>();
  const ids = new Map<string, Named>();
  for (const location of locations) {
    const text = ((await tree.text(location)) ?? "").replace(/\r\n?/g, "\n");
    for (const [, target = "", asked = ""] of text.matchAll(INCLUDE)) {
      if (ASKS_FOR_LINES.test(asked) || target.includes("{")) continue;
      const found = await includedFrom(tree, target.trim(), location);
      if (typeof found === "string" || !isPage.has(found.location) || found.location === location) continue;
      const known = parts.get(found.location);
      const heading = headingOf(found.text);
      if (known !== undefined) known.parents.push(location);
      else if (heading !== undefined)
        parts.set(found.location, { location: found.location, ...heading, parents: [location] });
    }
    for (const [id, named] of idsIn(text, location)) if (!ids.has(id)) ids.set(id, named);
  }
  return { parts, ids, isPage };
}

function headingOf(text: string): { title: string; level: number } | undefined {
  const plain = text.replace(/\r\n?/g, "\n");
  const before = BEFORE_HEADING.exec(plain)?.[0].length ?? 0;
  const [, marks = "", title] = HEADING.exec(plain.slice(before)) ?? [];
  return title === undefined ? undefined : { title: title.trim(), level: marks.length };
}

/** The ids that a file says, and those that its headings get, with the heading that each is at or below. */
function* idsIn(text: string, location: string): Generator<[string, Named]> {
  let title = headingOf(text)?.title;
  let isPage = title !== undefined;
  let headings = 0;
  for (const line of text.split("\n")) {
    const heading = [...line.matchAll(HEADINGS)][0]?.[1];
    if (heading !== undefined) {
      headings += 1;
      title = heading.trim();
      yield [idOf(title), { location, title, isPage: isPage && headings === 1 }];
    }
    isPage &&= headings === 0;
    for (const [, inline, ofBlock, named] of line.matchAll(IDS)) {
      const id = inline ?? ofBlock ?? named;
      if (id !== undefined) yield [id, { location, title: title ?? id, isPage }];
    }
  }
}

/** The id that a heading gets where the document says nothing else. */
const idOf = (title: string) =>
  `_${title
    .replace(/<[^>]*>|&[\w#]+;/g, "")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}_ .-]/gu, "")
    .replace(/[ .-]+/g, "_")}`.replace(/(?<!_)_+$/, "");

/** What stands where a part is included. Blank lines keep it apart from what is around it. */
const linkTo = ({ location, title }: Part, from: string) =>
  `\n* link:${encodePath(posix.relative(folderOf(from), location))}[${title.replace(/\]/g, "\\]")}]\n`;

function linksOf(
  { ids, isPage }: Books,
  { location, root }: { location: string; root: string },
): AsciidocLinks {
  const to = (named: Named, id: string, text: string | undefined) => {
    const anchor = named.isPage ? "" : id;
    const file =
      named.location === location ? "" : encodePath(posix.relative(folderOf(location), named.location));
    return { href: `${file}${anchor === "" ? "" : `#${encodePath(anchor)}`}`, text: text ?? named.title };
  };
  const inBook = ({ target, anchor = "", text }: CrossReference) => {
    const named = ids.get(anchor);
    if (named !== undefined) return to(named, anchor, text);
    const stem = posix.join(folderOf(root), target.replace(/\.[^./]*$/, ""));
    const file = [".adoc", ".asc", ".asciidoc"].map((each) => stem + each).find((each) => isPage.has(each));
    return file === undefined ? undefined : to({ location: file, title: target, isPage: true }, "", text);
  };
  return {
    page: inBook,
    missing: (anchor, text) => inBook({ target: "", anchor, text }),
  };
}
