import type { Block } from "./blocks.ts";

/** Targets of a page's reference links, by label. */
export type Definitions = Map<string, string>;

/** Collects `[label]: target` lines, the first of a label winning as in Markdown. */
export function collectDefinitions(blocks: Block[]): Definitions {
  const found: Definitions = new Map();
  for (const block of blocks) {
    if (block.kind !== "definition") continue;
    const label = normalizeLabel(block.text.slice(1, block.text.indexOf("]:")));
    if (!found.has(label)) found.set(label, block.text);
  }
  return found;
}

/** The lines that a piece of a page needs, so that its reference links still lead somewhere when it stands alone. */
export function definitionsUsedIn(markdown: string, definitions: Definitions): string[] {
  if (definitions.size === 0) return [];
  const used = new Set<string>();
  for (const match of markdown.matchAll(/\[([^[\]]{1,500})\]/g)) {
    const line = definitions.get(normalizeLabel(match[1] ?? ""));
    if (line) used.add(line);
  }
  return [...used];
}

function normalizeLabel(label: string): string {
  return label.trim().replace(/\s+/g, " ").toLowerCase();
}
