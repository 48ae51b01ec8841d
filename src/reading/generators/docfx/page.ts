import { decodePercent } from "@docent/kernel/text/decode-percent";
import { splitFrontMatter } from "../../markdown/front-matter.ts";
import type { DocsTree } from "../docs-tree.ts";
import {
  createInclusions,
  eachOutsideCode,
  type Inclusions,
  type NameHeading,
  readIncluded,
  rewriteLinks,
  splitHref,
  takenIn,
  writeCode,
  writeHeadingIds,
} from "../writing/writing.ts";
import { type CodePart, linesOfPart, partIn } from "./code.ts";
import { readMarkup } from "./markup.ts";
import { placeFrom } from "./menu.ts";
import type { DocfxPages } from "./pages.ts";
import type { DocfxSettings } from "./settings.ts";

export interface Reading {
  tree: DocsTree;
  settings: DocfxSettings;
  pages: DocfxPages;
}

interface OpenPage extends Reading {
  inclusions: Inclusions;
  faults: Set<string>;
}

/** An article as Docent's Markdown. */
export async function readArticle(
  reading: Reading,
  location: string,
  body: string,
): Promise<{ markdown: string; faults: string[] }> {
  const open: OpenPage = { ...reading, inclusions: createInclusions(reading.tree), faults: new Set() };
  const markdown = await readPart(open, location, body, [location]);
  return { markdown, faults: [...open.faults] };
}

/** A page, or a file that it includes: each counts the ids of its own headings, and its links are meant from it. */
async function readPart(
  open: OpenPage,
  location: string,
  body: string,
  above: readonly string[],
): Promise<string> {
  const plain = body.replace(/^\uFEFF/, "");
  const parts: string[] = [];
  // Marked places stand for what is put in when the page's own headings have their ids.
  const whole = await replaceEach(plain, async (directive) => {
    const text = await taking(open, location, directive, above);
    return text === undefined ? directive.whole : `\uE012${parts.push(text) - 1}\uE013`;
  });
  const named = writeHeadingIds(whole, createHeadingNames());
  const linked = rewriteLinks(named, (href) => publishedHref(open, location, href));
  const marked = readMarkup(linked, open.settings, (uid) => open.pages.byUid.get(uid));
  return marked.replace(/\uE012(\d+)\uE013/g, (_, index: string) => parts[Number(index)] ?? "");
}

type Directive = { whole: string; indent: string; isAlone: boolean } & (
  | { kind: "include"; target: string }
  | { kind: "code"; target: string; language: string; part: CodePart }
);

const INCLUDE =
  /\[!INCLUDE\s{0,10}\[[^\]\n]{0,500}\]\(\s{0,10}<?([^)\s>]{1,1000})>?(?:\s+["'][^"'\n]*["'])?\s{0,10}\)\s{0,10}\]/gi;
const CODE =
  /^([ \t]*)\[!(?:code|notebook)(?:-([\w+#.-]{0,40}))?\s{0,10}\[[^\]\n]{0,500}\]\(\s{0,10}<?([^)\s>]{1,1000})>?(?:\s+["'][^"'\n]*["'])?\s{0,10}\)\s{0,10}\][ \t]*$/i;
const TRIPLE = /^([ \t]*):::\s*code\s+(.{1,2000}?):::[ \t]*$/;

/** Replaces what takes in other files, outside of code. */
async function replaceEach(
  body: string,
  replace: (directive: Directive) => Promise<string>,
): Promise<string> {
  if (!/\[!(?:include|code|notebook)|:::\s*code/i.test(body)) return body;
  const found: Directive[] = [];
  const marked = eachOutsideCode(body, (part) =>
    part
      .split("\n")
      .map((line) => {
        const code = codeIn(line);
        if (code !== undefined) return `\uE014${found.push(code) - 1}\uE015`;
        return line.replace(INCLUDE, (whole, target: string) => {
          const isAlone = line.trim() === whole.trim();
          const indent = /^[ \t]*/.exec(line)?.[0] ?? "";
          return `\uE014${found.push({ kind: "include", whole, target, indent, isAlone }) - 1}\uE015`;
        });
      })
      .join("\n"),
  );
  const made: string[] = [];
  for (const directive of found) made.push(await replace(directive));
  return marked.replace(/\uE014(\d+)\uE015/g, (_, index: string) => made[Number(index)] ?? "");
}

function codeIn(line: string): Directive | undefined {
  const [whole, indent = "", language = "", address = ""] = CODE.exec(line) ?? [];
  if (whole !== undefined) {
    const { target, rest } = splitHref(address);
    const [, query = "", fragment = ""] = /^(\?[^#]*)?(?:#(.*))?$/.exec(rest) ?? [];
    const usual = /\.(\w+)$/.exec(target)?.[1] ?? "";
    return {
      kind: "code",
      whole,
      indent,
      isAlone: true,
      target,
      language: language || usual,
      part: partIn(query, fragment),
    };
  }
  const [triple, space = "", attributes = ""] = TRIPLE.exec(line) ?? [];
  if (triple === undefined) return undefined;
  const of = (name: string) => new RegExp(`\\b${name}\\s*=\\s*"([^"]*)"`).exec(attributes)?.[1];
  const part = { range: of("range"), tag: of("id") ?? of("name") };
  return {
    kind: "code",
    whole: triple,
    indent: space,
    isAlone: true,
    target: of("source") ?? "",
    language: of("language") ?? "",
    part,
  };
}

async function taking(
  open: OpenPage,
  location: string,
  directive: Directive,
  above: readonly string[],
): Promise<string> {
  const { target, indent } = directive;
  const written = decodePercent(target);
  const place = placeFrom(open.settings, location, written.replace(/[?#].*$/, ""));
  const included = await readIncluded(open.inclusions, place, above);
  const fail = (why: string) => {
    open.faults.add(`${target}, which it includes, ${why}`);
    return "";
  };
  if (included.fault !== undefined) return fail(included.fault);
  if (directive.kind === "code") {
    const lines = linesOfPart(included.text, directive.part);
    if (lines === undefined) return fail(`has no part called ${directive.part.tag}`);
    return writeCode(directive.language.toLowerCase(), lines, indent).join("\n");
  }
  const { body } = splitFrontMatter(included.text);
  const text = await readPart(open, included.location, body.trim(), [...above, included.location]);
  const placed = directive.isAlone ? text : text.replace(/(?<!\s)\s*\n\s*/g, " ");
  return takenIn(open.inclusions, placed.replaceAll("\n", `\n${indent}`));
}

/** A link to a file leads to its page. */
function publishedHref(
  { settings, pages, tree }: Reading,
  location: string,
  href: string,
): string | undefined {
  const { target, rest } = splitHref(href);
  // On Microsoft Learn many sites share a host.
  if (target.startsWith("/")) return settings.isPlain ? `https://learn.microsoft.com${href}` : undefined;
  if (target === "") return undefined;
  const place = placeFrom(settings, location, target);
  const path =
    place === undefined ? undefined : (pages.byLocation.get(place)?.path ?? pages.replaced.get(place));
  if (path !== undefined) return `/${encodeURI(path)}${rest.replace(/^[^#]*/, "")}`;
  if (place === undefined || tree.has(place)) return undefined;
  // Some write the address in place of the file.
  const article =
    pages.byLocation.get(settings.fileOf(place.replace(/\.html$/i, ".md"))) ??
    pages.byLocation.get(settings.fileOf(`${place}.md`));
  return article === undefined ? undefined : `/${encodeURI(article.path)}${rest.replace(/^[^#]*/, "")}`;
}

/** GitHub's ids as Markdig makes them; one on a tag before a heading's words wins. */
function createHeadingNames(): NameHeading {
  const used = new Set<string>();
  /** The first number that may be free. */
  const numbers = new Map<string, number>();
  return ({ words, source, given }) => {
    const usual = slug(words);
    let id = usual;
    let number = numbers.get(usual) ?? 1;
    for (; used.has(id); number++) id = `${usual}-${number}`;
    numbers.set(usual, number);
    used.add(id);
    return /^<a +(?:name|id)="[\w .-]+" *><\/a>/.test(source) && given !== undefined ? given : id;
  };
}

function slug(words: string): string {
  const plain = words.replace(/:[a-z0-9_+-]{1,40}:/g, "");
  const id = plain
    .toLowerCase()
    .replace(/[^\p{L}\p{Nd} _-]/gu, "")
    .replaceAll(" ", "-");
  return id === "" ? "section" : id;
}
