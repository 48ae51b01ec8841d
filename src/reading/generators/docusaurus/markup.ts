import { replaceEnclosed } from "@docent/kernel/text/code-spans";
import { createSlugger } from "../../markdown/anchors.ts";
import { unwrapMdx } from "../../markdown/mdx/mdx.ts";
import { type DocsTree, folderOf, resolveLocation } from "../docs-tree.ts";
import { type NameHeading, withPartials } from "../writing/writing.ts";

/** What reading a page takes from its surroundings. */
interface MarkupSource {
  tree: DocsTree;
  /** The folder that `@site/` stands for. */
  root: string;
}

/** A page's body with the partials that it imports in it, as Markdown. */
export async function readMarkup(
  source: MarkupSource,
  location: string,
  { body, data }: { body: string; data: Record<string, unknown> },
): Promise<{ markdown: string; faults: string[] }> {
  const faults: string[] = [];
  const whole = await withPartials(
    {
      tree: source.tree,
      locate: (from, specifier) => locate(source, from, specifier),
      prepare: withoutMdxFences,
    },
    location,
    body,
    { faults },
  );
  const { markdown, faults: tangles } = unwrapMdx(withoutFenceComments(whole), data);
  return { markdown, faults: [...faults, ...tangles] };
}

function locate({ tree, root }: MarkupSource, location: string, specifier: string): string | undefined {
  if (specifier.startsWith("@site/")) return resolveLocation(root, specifier.slice("@site/".length));
  if (specifier.startsWith("/")) {
    // As Docusaurus tells webpack: first among the static files.
    const places = ["static/", ""].map((folder) => resolveLocation(root, folder + specifier.slice(1)));
    return places.find((place) => place !== undefined && tree.has(place));
  }
  return specifier.startsWith(".") ? resolveLocation(folderOf(location), specifier) : undefined;
}

/** Comments that only say which lines of code are marked. A list of lines in the fence's own line switches them off. */
const FENCE = /^([ \t]*)(`{3,}|~{3,})([^\n]*)\n/m;
const closingOf = ([, indent = "", fence = ""]: RegExpExecArray) => `^${indent}${fence}[ \\t]*$`;
const MARKING =
  /^[ \t]*(?:\/\/|#|--|%|\/\*|<!--|\{\/\*)[ \t]*highlight-(?:next-line|start|end)[ \t]*(?:(?:\*\/\}?|-->)[ \t]*)?\n/gm;

/** MDX in a fence, which hides it from programs that know only Markdown: Docusaurus takes the fence off. */
function withoutMdxFences(body: string): string {
  if (!body.includes("mdx-code-block")) return body;
  return replaceEnclosed(body, FENCE, closingOf, ({ whole, opened: [, , , info = ""], inside }) =>
    info.trim() === "mdx-code-block" ? inside : whole,
  );
}

function withoutFenceComments(markdown: string): string {
  if (!markdown.includes("highlight-")) return markdown;
  return replaceEnclosed(markdown, FENCE, closingOf, ({ whole, opened, inside }) => {
    const [, indent = "", fence = "", info = ""] = opened;
    return /\{[\d,\s-]+\}/.test(info)
      ? whole
      : `${indent}${fence}${info}\n${inside.replace(MARKING, "")}${indent}${fence}`;
  });
}

/** Ids as Docusaurus makes them: GitHub's, and one that an author gave does not count for the others. A title has none. */
export function createHeadingNames(): NameHeading {
  const slugger = createSlugger("github");
  return ({ level, words, given }) => {
    const id = given ?? slugger.unique(words);
    return level === 1 ? "" : id;
  };
}
