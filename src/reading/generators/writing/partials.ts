import { splitFrontMatter } from "../../markdown/front-matter.ts";
import type { DocsTree } from "../docs-tree.ts";
import { createInclusions, type Inclusions, readIncluded, takenIn } from "./included-files.ts";
import { eachOutsideCode } from "./outside-code.ts";

/** How a page finds the files that it imports. */
interface PartialSource {
  tree: DocsTree;
  /** The file that an import means; undefined where it is none of the source's. */
  locate: (location: string, specifier: string) => string | undefined;
  /** What a page's or partial's body is read as, where that is not what is written. */
  prepare?: (body: string) => string;
}

const IMPORT = /^import\s+(\w+)\s+from\s+["']([^"'\n]+\.(?:md|mdx|mdoc))["'];?[ \t]*$/gm;
const LOOP = "imports itself, or is nested too deeply";

interface PartialReading {
  /** Where imports that cannot be read are noted. */
  faults: string[];
  above?: string[];
  inclusions?: Inclusions;
}

/** Puts what `<Partial />` stands for in its place, where a page imports it from Markdown. Code that shows such stays. */
export async function withPartials(
  source: PartialSource,
  location: string,
  body: string,
  {
    faults,
    above = [location],
    inclusions = createInclusions(source.tree, { loop: LOOP, deep: LOOP }),
  }: PartialReading,
): Promise<string> {
  let text = source.prepare?.(body) ?? body;
  for (const { name, written } of importsIn(text)) {
    // A string of JavaScript: formatters of Markdown write `./\_note.mdx`.
    const specifier = written.replace(/\\(.)/g, "$1");
    const file = await readIncluded(inclusions, source.locate(location, specifier), above);
    if (file.fault !== undefined) {
      faults.push(`${specifier}, which it imports, ${file.fault}`);
      continue;
    }
    const inside = await withPartials(source, file.location, splitFrontMatter(file.text).body, {
      faults,
      above: [...above, file.location],
      inclusions,
    });
    const use = new RegExp(`^([ \\t]*)<${name}(?:\\s[^<>]*)?/>[ \\t]*$`, "gm");
    text = eachOutsideCode(text, (part) =>
      part.replace(use, (_, indent: string) => takenIn(inclusions, indented(inside, indent))),
    );
  }
  return text;
}

function importsIn(text: string): { name: string; written: string }[] {
  const found: { name: string; written: string }[] = [];
  eachOutsideCode(text, (part) => {
    for (const [, name = "", written = ""] of part.matchAll(IMPORT)) found.push({ name, written });
    return part;
  });
  return found;
}

const indented = (text: string, indent: string) =>
  indent === "" ? `\n${text}\n` : text.replace(/^(?=.)/gm, indent);
