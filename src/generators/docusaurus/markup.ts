import { createSlugger } from "../../markdown/anchors.ts";
import { splitFrontMatter } from "../../markdown/front-matter.ts";
import { unwrapMdx } from "../../markdown/mdx/mdx.ts";
import { type DocsTree, folderOf, resolveLocation } from "../docs-tree.ts";
import type { NameHeading } from "../writing/writing.ts";

/** What reading a page takes from its surroundings. */
interface MarkupSource {
  tree: DocsTree;
  /** The folder that `@site/` stands for. */
  root: string;
}

const IMPORT = /^import\s+(\w+)\s+from\s+["']([^"'\n]+\.mdx?)["'];?[ \t]*$/gm;
const PARTIALS_DEEP_MAX = 5;
const CHARACTERS_MAX = 5_000_000;

/** A page's body with the partials that it imports in it, as Markdown. */
export async function readMarkup(
  source: MarkupSource,
  location: string,
  { body, data }: { body: string; data: Record<string, unknown> },
): Promise<{ markdown: string; faults: string[] }> {
  const faults: string[] = [];
  const whole = await withPartials(source, location, body, { faults, above: [location] });
  const { markdown, faults: tangles } = unwrapMdx(withoutFenceComments(whole), data);
  return { markdown, faults: [...faults, ...tangles] };
}

/** Puts what `<Partial />` stands for in its place. */
async function withPartials(
  source: MarkupSource,
  location: string,
  body: string,
  { faults, above }: { faults: string[]; above: string[] },
): Promise<string> {
  let text = body;
  for (const [, name = "", specifier = ""] of body.matchAll(IMPORT)) {
    const target = locate(source, location, specifier);
    const isTooDeep = target !== undefined && (above.includes(target) || above.length > PARTIALS_DEEP_MAX);
    const content = target === undefined || isTooDeep ? undefined : await source.tree.text(target);
    if (target === undefined || content === undefined) {
      const why = isTooDeep ? "imports itself, or is nested too deeply" : "is not in this source";
      faults.push(`${specifier}, which it imports, ${why}`);
      continue;
    }
    const inside = await withPartials(source, target, splitFrontMatter(content).body, {
      faults,
      above: [...above, target],
    });
    const use = new RegExp(`^([ \\t]*)<${name}(?:\\s[^<>]*)?/>[ \\t]*$`, "gm");
    text = text.replace(use, (_, indent: string) => indented(inside, indent));
    if (text.length > CHARACTERS_MAX) return body;
  }
  return text;
}

function locate({ root }: MarkupSource, location: string, specifier: string): string | undefined {
  if (specifier.startsWith("@site/")) return resolveLocation(root, specifier.slice("@site/".length));
  return specifier.startsWith(".") ? resolveLocation(folderOf(location), specifier) : undefined;
}

const indented = (text: string, indent: string) =>
  indent === "" ? `\n${text}\n` : text.replace(/^(?=.)/gm, indent);

/** Comments that only say which lines of code are marked. A list of lines in the fence's own line switches them off. */
const FENCE = /^([ \t]*)(`{3,}|~{3,})([^\n]*)\n([\s\S]*?)^\1\2[ \t]*$/gm;
const MARKING =
  /^[ \t]*(?:\/\/|#|--|%|\/\*|<!--|\{\/\*)[ \t]*highlight-(?:next-line|start|end)[ \t]*(?:\*\/\}?|-->)?[ \t]*\n/gm;

function withoutFenceComments(markdown: string): string {
  if (!markdown.includes("highlight-")) return markdown;
  return markdown.replace(FENCE, (whole, indent: string, fence: string, info: string, code: string) =>
    /\{[\d,\s-]+\}/.test(info)
      ? whole
      : `${indent}${fence}${info}\n${code.replace(MARKING, "")}${indent}${fence}`,
  );
}

/** Ids as Docusaurus makes them: GitHub's, and one that an author gave does not count for the others. A title has none. */
export function createHeadingNames(): NameHeading {
  const slugger = createSlugger("github");
  return ({ level, words, given }) => {
    const id = given ?? slugger.unique(words);
    return level === 1 ? "" : id;
  };
}
