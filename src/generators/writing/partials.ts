import { splitFrontMatter } from "../../markdown/front-matter.ts";
import type { DocsTree } from "../docs-tree.ts";

/** How a page finds the files that it imports. */
export interface PartialSource {
  tree: DocsTree;
  /** The file that an import means; undefined where it is none of the source's. */
  locate: (location: string, specifier: string) => string | undefined;
}

const IMPORT = /^import\s+(\w+)\s+from\s+["']([^"'\n]+\.(?:md|mdx|mdoc))["'];?[ \t]*$/gm;
const PARTIALS_DEEP_MAX = 5;
const PARTIALS_MAX = 500;
const CHARACTERS_MAX = 5_000_000;

interface PartialReading {
  /** Where imports that cannot be read are noted. */
  faults: string[];
  above?: string[];
  budget?: { partials: number };
}

/** Puts what `<Partial />` stands for in its place, where a page imports it from Markdown. */
export async function withPartials(
  source: PartialSource,
  location: string,
  body: string,
  { faults, above = [location], budget = { partials: PARTIALS_MAX } }: PartialReading,
): Promise<string> {
  let text = body;
  for (const [, name = "", specifier = ""] of body.matchAll(IMPORT)) {
    const target = source.locate(location, specifier);
    const isTooDeep = target !== undefined && (above.includes(target) || above.length > PARTIALS_DEEP_MAX);
    if (budget.partials-- <= 0) continue;
    const content = target === undefined || isTooDeep ? undefined : await source.tree.text(target);
    if (target === undefined || content === undefined) {
      const why = isTooDeep ? "imports itself, or is nested too deeply" : "is not in this source";
      faults.push(`${specifier}, which it imports, ${why}`);
      continue;
    }
    const inside = await withPartials(source, target, splitFrontMatter(content).body, {
      faults,
      above: [...above, target],
      budget,
    });
    const use = new RegExp(`^([ \\t]*)<${name}(?:\\s[^<>]*)?/>[ \\t]*$`, "gm");
    text = text.replace(use, (_, indent: string) => indented(inside, indent));
    if (text.length > CHARACTERS_MAX) return body;
  }
  return text;
}

const indented = (text: string, indent: string) =>
  indent === "" ? `\n${text}\n` : text.replace(/^(?=.)/gm, indent);
