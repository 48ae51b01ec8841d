const CANDIDATE = /\[((?:[^[\]\n]|\[[^[\]\n]*\]){1,300})\]\[([^[\]\n]{0,300})\]/g;

/** Where an object of a program is described. */
export interface ObjectPlace {
  path: string;
  /** The name that is its id there. */
  id: string;
}

/** The places of objects by their names: those that pages ask for, and those by which their modules define them. */
export type ObjectPages = ReadonlyMap<string, ObjectPlace>;

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
    const place = placeOf(objects, name);
    if (place !== undefined) return `[${text}](/${place.path}#${place.id})`;
    // What is described on another site.
    const isName = /^[\w-]+(?:\.[\w-]+)+$/.test(name);
    const isLabel =
      describesPrograms && /^[\w-]{3,}$/.test(written) && !/[\w\]]/.test(markdown[at - 1] ?? "");
    return isName || isLabel ? text : whole;
  });
}

/** The place of an object; one that is not described is looked for on the page of what it is a part of. */
function placeOf(objects: ObjectPages, name: string): ObjectPlace | undefined {
  for (let part = name; part !== ""; part = part.slice(0, Math.max(0, part.lastIndexOf(".")))) {
    const place = objects.get(part);
    if (place !== undefined) return { path: place.path, id: place.id + name.slice(part.length) };
  }
  return undefined;
}
