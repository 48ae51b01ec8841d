import { encodePath } from "../../pages/page-path.ts";

interface Suggestible {
  path: string;
  title: string;
  relevance: number;
}

const SUGGESTIONS_MAX = 3;

/**
 * The fenced block of suggested pages that ready-made chat clients render as links; empty where every page
 * found is cited already.
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

/** A title must not close its parenthesis, nor the block. */
const label = (title: string) => title.replace(/[()[\]`\s]+/g, " ").trim();
