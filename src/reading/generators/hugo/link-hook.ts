import { type DocsTree, joinLocation } from "../docs-tree.ts";
import { eachOutsideCode } from "../writing/writing.ts";

const HOOK = /(?:^|\/)_markup\/render-link(?:\.[\w.]+)?\.html$/;
const TEMPLATE_CHARACTERS_MAX = 50_000;
const VARIABLE = /(\$\w{1,60})\s*:=[^{}]{0,200}\.Destination\b/g;
const COMPARED = /\beq\s+(\$\w{1,60}|\$?\.Destination)(?:\.\w{1,30})?\s+["`]([\w-]{1,60})["`]/g;

/** Targets of links that the site's own templates take for something else than an address, such as `[a term](g)`. */
export async function readTargetsWithoutAddress(
  tree: DocsTree,
  layers: readonly string[],
): Promise<ReadonlySet<string>> {
  const files = layers.flatMap((layer) => tree.below(joinLocation(layer, "layouts")));
  const found = new Set<string>();
  for (const location of files.filter((file) => HOOK.test(file))) {
    const template = ((await tree.text(location)) ?? "").slice(0, TEMPLATE_CHARACTERS_MAX);
    const variables = [...template.matchAll(VARIABLE)].map(([, name]) => name);
    for (const [, name = "", target = ""] of template.matchAll(COMPARED))
      if (variables.includes(name) || name.endsWith(".Destination")) found.add(target);
  }
  return found;
}

const LINK = /(?<![!\\])\[((?:[^[\]\n]|\[[^[\]\n]{0,200}\]){1,500})\]\(([\w-]{1,60})\)/g;

/** Writes links with one of these targets as the words that they are. */
export const withoutLinksTo = (targets: ReadonlySet<string>, markdown: string): string =>
  targets.size === 0
    ? markdown
    : eachOutsideCode(markdown, (part) =>
        part.replace(LINK, (link, words: string, target: string) => (targets.has(target) ? words : link)),
      );
