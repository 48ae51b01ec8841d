import { createSlugger } from "../../markdown/anchors.ts";
import { unwrapMdc } from "../../markdown/containers/containers.ts";
import { splitFrontMatter } from "../../markdown/front-matter.ts";
import type { ReadDocsPage } from "../docs-site.ts";
import { type DocsTree, folderOf, resolveLocation, stemOf } from "../docs-tree.ts";
import {
  codeAt,
  type NameHeading,
  rewriteLinks,
  shownCode,
  splitHref,
  writeCode,
  writeHeadingIds,
} from "../writing/writing.ts";
import { addressOf } from "./addresses.ts";
import type { ContentPage } from "./pages.ts";

/** What reading a page takes from its site. */
interface Surroundings {
  tree: DocsTree;
  byPath: ReadonlyMap<string, ContentPage>;
  byLocation: ReadonlyMap<string, ContentPage>;
}

export async function readPage(surroundings: Surroundings, page: ContentPage): Promise<ReadDocsPage> {
  const { data, body, fault } = splitFrontMatter((await surroundings.tree.text(page.location)) ?? "");
  const linked = rewriteLinks(plainCode(unwrapMdc(body)), (href) => publishedHref(surroundings, page, href));
  const markdown = writeHeadingIds(linked, createHeadingNames());
  const title = page.title === "" ? {} : { title: page.title };
  return { data: { ...data, ...title }, markdown, faults: fault === undefined ? [] : [fault] };
}

/** GitHub's ids without dashes beside each other, and none begins with a digit. Ids in braces are words. */
function createHeadingNames(): NameHeading {
  const slugger = createSlugger("github");
  return ({ words, given }) =>
    slugger
      .unique(given === undefined ? words : `${words} {#${given}}`)
      .replace(/-+/g, "-")
      .replace(/^-|-$/g, "")
      .replace(/^(\d)/, "_$1");
}

/** Code with its language alone; the name of its file is written above it. */
function plainCode(markdown: string): string {
  const lines = markdown.split("\n");
  const written: string[] = [];
  for (let at = 0; at < lines.length; ) {
    const code = codeAt(lines, at);
    if (code === undefined) {
      written.push(lines[at] ?? "");
      at += 1;
      continue;
    }
    const language = /^[\w+#.-]+/.exec(code.info)?.[0] ?? "";
    const name = /\[([^\]]*)\]/.exec(code.info)?.[1] ?? "";
    const shown = shownCode(language, code.lines);
    if (name !== "") written.push("", `${code.indent}**${name.replaceAll("*", "\\*")}**`, "");
    written.push(...writeCode(shown.language, shown.lines, code.indent));
    at += code.length;
  }
  return written.join("\n");
}

/** Where a link leads: as browsers resolve it, or else to the file that it means. */
function publishedHref(
  { byPath, byLocation }: Surroundings,
  page: ContentPage,
  href: string,
): string | undefined {
  const { target, rest } = splitHref(href);
  if (target === "") return undefined;
  const isFile = /\.md$/i.test(target);
  const written = isFile
    ? target
        .split("/")
        .map((name) => (/^\.{1,2}$/.test(name) ? name : addressOf(stemOf(name))))
        .join("/")
    : target;
  const published = resolveLocation(folderOf(page.path), written)?.replace(/\/$/, "");
  if (published !== undefined && byPath.has(published)) return `/${published}${rest}`;
  const place = target.startsWith("/") ? undefined : resolveLocation(folderOf(page.location), target);
  const meant = place === undefined ? undefined : (byLocation.get(place) ?? byLocation.get(`${place}.md`));
  if (meant !== undefined) return `/${meant.path}${rest}`;
  const inside = target.startsWith("/") ? undefined : resolveLocation(page.path, written);
  if (inside !== undefined && byPath.has(inside)) return `/${inside}${rest}`;
  return published === undefined || target.startsWith("/") ? undefined : `/${published}${rest}`;
}
