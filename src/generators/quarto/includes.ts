import { expandIncludes, splitPandoc } from "../../markdown/pandoc/pandoc.ts";
import { type DocsTree, folderOf, resolveLocation } from "../docs-tree.ts";
import { createInclusions, type Inclusions, readIncluded } from "../writing/writing.ts";

interface Including {
  inclusions: Inclusions;
  /** The folder that `/part.qmd` is written from. */
  root: string;
  faults: Set<string>;
}

/** The text of a page of Quarto or R Markdown with the files that it takes in, and what could not be taken. */
export async function withQuartoIncludes(
  tree: Pick<DocsTree, "has" | "text" | "unread">,
  { location, text, root = "" }: { location: string; text: string; root?: string },
): Promise<{ text: string; faults: string[] }> {
  const including: Including = { inclusions: createInclusions(tree), root, faults: new Set() };
  const expanded = await expand(including, text, [location]);
  return { text: expanded, faults: [...including.faults] };
}

/** What a file takes in is written from that file's folder. */
async function expand(including: Including, text: string, above: readonly string[]): Promise<string> {
  const folder = folderOf(above.at(-1) ?? "");
  return expandIncludes(text, async (path) => {
    const from = path.startsWith("/") ? including.root : folder;
    const location = resolveLocation(from, `./${path.replace(/^\/+/, "")}`);
    const file = await readIncluded(including.inclusions, location, above);
    if (file.fault !== undefined) {
      including.faults.add(`${path}, which it includes, ${file.fault}`);
      return "";
    }
    const { body } = splitPandoc(file.text);
    return expand(including, body.replace(/\n+$/, ""), [...above, file.location]);
  });
}
