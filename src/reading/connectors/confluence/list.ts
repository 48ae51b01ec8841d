import { AppError } from "@docent/kernel/errors";
import type { ServerBounds, ServerLeftOut, ServerListing, ServerMenuEntry } from "../connector.ts";
import type { ListedSpace } from "./known-pages.ts";
import { menuOf } from "./menu.ts";
import type { Named } from "./names.ts";
import { type Confluence, type Content, pageIdOf, type SpaceContents } from "./spaces-and-contents.ts";

/** A listing, with what of each space is in it. */
interface Listed extends ServerListing {
  spaces: ListedSpace[];
}

/** Lists what a source names: a page with all below it, a space, or all spaces that are for everyone. */
export async function listPages(
  confluence: Confluence,
  named: Named,
  { pagesMax }: ServerBounds,
): Promise<Listed> {
  if (named.id !== undefined || named.title !== undefined) return listPart(confluence, named);
  const { spaces, leftOut } = await spacesNamed(confluence, named);
  const listed: ListedSpace[] = [];
  const all: ServerLeftOut[] = [...leftOut];
  let pages = 0;
  let isCut = false;
  for (const space of spaces) {
    if (isCut || pages > pagesMax) break;
    const found = await confluence.contents(space, pagesMax - pages);
    const { readable, leftOut: hidden } = readableOf(unique(found.contents));
    listed.push({ space, contents: readable });
    all.push(...hidden, ...found.leftOut);
    pages += readable.filter(isPage).length;
    isCut = found.isCut;
  }
  // What is missing in half of a list would be taken for removed.
  if (isCut && pages <= pagesMax) throw tooMany(confluence.base, pagesMax);
  return listingOf(listed, all);
}

async function spacesNamed(confluence: Confluence, { space: key }: Named) {
  if (key === undefined) return confluence.spaces();
  const space = await confluence.space(key);
  if (space === undefined) throw noSuch(`${confluence.base} has no space ${key}`);
  return { spaces: [space], leftOut: [] };
}

/** A page with all below it. The whole space is listed, as only its tree tells what is restricted by what stands above. */
async function listPart(confluence: Confluence, { space: key, id, title }: Named): Promise<Listed> {
  const space = key === undefined ? await confluence.spaceOf(id ?? "") : await confluence.space(key);
  const found: SpaceContents =
    space === undefined
      ? { contents: [], leftOut: [], isCut: false }
      : await confluence.contents(space, Number.POSITIVE_INFINITY);
  const contents = unique(found.contents);
  const root = contents.find((each) => (id === undefined ? isTitled(each, title ?? "") : each.id === id));
  if (space === undefined || root === undefined)
    throw noSuch(
      `${confluence.base} has no page ${title ?? id ?? ""}${key === undefined ? "" : ` in ${key}`}`,
    );
  const part = belowOf(contents, root);
  const { readable, leftOut } = readableOf(contents);
  const addresses = new Set(part.map(({ address }) => address));
  const inPart = readable
    .filter(({ address }) => addresses.has(address))
    .map((each) => (each.id === root.id ? { ...each, parent: undefined } : each));
  return listingOf(
    [{ space: { ...space, home: root.id }, contents: inPart }],
    leftOut.filter(({ address }) => addresses.has(address)),
  );
}

const isPage = ({ kind }: Content) => kind !== "heading";
const isTitled = (content: Content, title: string) => content.title.toLowerCase() === title.toLowerCase();

/** A list that changes while it is asked for may say a page twice. */
const unique = (contents: readonly Content[]) => [
  ...new Map(contents.map((each) => [each.id, each])).values(),
];

function belowOf(contents: readonly Content[], root: Content): Content[] {
  const below = Map.groupBy(contents, ({ parent }) => parent);
  const part = new Set([root]);
  // A set that grows is gone through to its end.
  for (const each of part) for (const child of below.get(each.id) ?? []) part.add(child);
  return [...part];
}

function listingOf(spaces: ListedSpace[], leftOut: ServerLeftOut[]): Listed {
  const pages = spaces.flatMap(({ contents }) => contents).filter(isPage);
  return {
    spaces,
    pages: pages.map((page) => {
      const { address, title, changedAt, revision } = page;
      return { id: pageIdOf(page), address, title, changedAt, revision };
    }),
    leftOut,
    menu: menuOfAll(spaces),
    redirects: [],
  };
}

function menuOfAll(spaces: readonly ListedSpace[]): ServerMenuEntry[] {
  const [only, ...others] = spaces.filter(({ contents }) => contents.some(isPage));
  if (only !== undefined && others.length === 0) return menuOf(only.contents, only.space);
  return (only === undefined ? [] : [only, ...others])
    .toSorted((a, b) => a.space.name.localeCompare(b.space.name, "en"))
    .map(({ space, contents }) => ({ label: space.name, children: menuOf(contents, space) }));
}

const noSuch = (what: string) =>
  new AppError("not_found", `${what}, for whoever signed in.`, {
    hint: "Look at the address, and whether what the source signs in with may read it.",
  });

const tooMany = (what: string, pagesMax: number) =>
  new AppError("too_large", `${what} has more than ${pagesMax} pages.`, {
    hint: "Nothing was changed: readers still see what was there before. Name a part of it, or raise pages_per_source.",
  });

const RESTRICTED = "is restricted to some people: it is left out";
const BELOW = "stands below something that is restricted to some people: it is left out";
const UNSAID = "is left out: the Confluence does not say who may read it";
const BELOW_UNSAID = "is left out: it stands below something that cannot be seen";

/** Parts what everyone may read who sees the space from what only some may: a restriction is of all that is below, too. */
function readableOf(contents: readonly Content[]): { readable: Content[]; leftOut: ServerLeftOut[] } {
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
