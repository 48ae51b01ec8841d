const CANDIDATE = /\[((?:[^[\]\n]|\[[^[\]\n]*\]){1,300})\]\[([^[\]\n]{0,300})\]/g;

/** The pages that describe an object of a program, by its name. */
export type ObjectPages = ReadonlyMap<string, string>;

export const hasReferences = (markdown: string) => /\]\[[^[\]\n]{0,300}\]/.test(markdown);

/** Links by an object's name: `[text][package.name]` and `[package.name][]`. */
export function linkReferences(
  markdown: string,
  objects: ObjectPages,
  { describesPrograms }: { describesPrograms: boolean },
): string {
  const defined = new Set(
    [...markdown.matchAll(/^ {0,3}\[([^\]\n]{1,300})\]:/gm)].map(([, label = ""]) => label.toLowerCase()),
  );
  return markdown.replace(CANDIDATE, (whole, text: string, written: string, at: number) => {
    const name = written === "" ? text.replace(/^`|`$/g, "") : written;
    if (defined.has((written === "" ? text : written).toLowerCase())) return whole;
    const path = pageOf(objects, name);
    if (path !== undefined) return `[${text}](/${path}#${name})`;
    // What is described on another site.
    const isName = /^[\w-]+(?:\.[\w-]+)+$/.test(name);
    const isLabel =
      describesPrograms && /^[\w-]{3,}$/.test(written) && !/[\w\]]/.test(markdown[at - 1] ?? "");
    return isName || isLabel ? text : whole;
  });
}

/** The page of an object, or of the one that it is a part of. */
function pageOf(objects: ObjectPages, name: string): string | undefined {
  for (let part = name; part !== ""; part = part.slice(0, Math.max(0, part.lastIndexOf(".")))) {
    const path = objects.get(part);
    if (path !== undefined) return path;
  }
  return undefined;
}
