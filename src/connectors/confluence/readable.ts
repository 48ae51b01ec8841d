import type { ServerLeftOut } from "../connector.ts";
import type { Content } from "./content.ts";

const RESTRICTED = "is restricted to some people: it is left out";
const BELOW = "stands below something that is restricted to some people: it is left out";
const UNSAID = "is left out: the Confluence does not say who may read it";
const BELOW_UNSAID = "is left out: it stands below something that cannot be seen";

/** Parts what everyone may read who sees the space from what only some may: a restriction is of all that is below, too. */
export function readableOf(contents: readonly Content[]): { readable: Content[]; leftOut: ServerLeftOut[] } {
  const byId = new Map(contents.map((each) => [each.id, each]));
  const why = new Map<string, string | undefined>();
  for (const each of contents) {
    const way: Content[] = [];
    let above: Content | undefined = each;
    const met = new Set<string>();
    while (above !== undefined && !why.has(above.id) && !met.has(above.id)) {
      met.add(above.id);
      way.push(above);
      above = above.parent === undefined ? undefined : byId.get(above.parent);
    }
    for (const one of way.reverse()) why.set(one.id, whyLeftOut(one, why));
  }
  return {
    readable: contents.filter(({ id }) => why.get(id) === undefined),
    leftOut: contents.flatMap(({ id, address }) => {
      const detail = why.get(id);
      const isRestricted = detail === RESTRICTED || detail === BELOW;
      return detail === undefined ? [] : [{ address, detail, isRestricted }];
    }),
  };
}

/** What stands above has been decided before; where it has not, it is missing, or the way goes round. */
function whyLeftOut(
  { isRestricted, parent }: Content,
  decided: ReadonlyMap<string, string | undefined>,
): string | undefined {
  if (isRestricted !== false) return isRestricted === undefined ? UNSAID : RESTRICTED;
  if (parent === undefined) return undefined;
  if (!decided.has(parent)) return BELOW_UNSAID;
  const above = decided.get(parent);
  if (above === undefined) return undefined;
  return above === RESTRICTED || above === BELOW ? BELOW : BELOW_UNSAID;
}
