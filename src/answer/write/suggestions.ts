import { encodePath } from "../../pages/page-path.ts";

interface Suggestible {
  path: string;
  title: string;
  relevance: number;
}

const SUGGESTIONS_MAX = 3;

/**
 * The fenced block of pages worth reading next that ready-made chat clients render as links, or nothing where every
 * page that was found is cited already.
 */
export function suggestionsBlock(
  found: Suggestible[],
  citedPaths: ReadonlySet<string>,
  relevanceMin: number,
): string {
  const pages = new Map(
    found
      .filter((page) => !citedPaths.has(page.path) && page.relevance >= relevanceMin)
      .map((page) => [page.path, page.title]),
  );
  const lines = [...pages]
    .slice(0, SUGGESTIONS_MAX)
    .map(([path, title]) => `(${label(title)})[/${encodePath(path)}]`);
  return lines.length === 0 ? "" : `\n\n\`\`\`suggestions\n${lines.join("\n")}\n\`\`\``;
}

/** A title cannot close the parenthesis it stands in, nor the block. */
const label = (title: string) => title.replace(/[()[\]`\s]+/g, " ").trim();
