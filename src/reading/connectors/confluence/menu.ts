import type { ServerMenuEntry } from "../connector.ts";
import type { Content, Space } from "./spaces-and-contents.ts";

const DEEP_MAX = 50;
const byTitle = new Intl.Collator("en", { numeric: true });

/** The pages below each, in the order that Confluence shows: as they were arranged, or else by title. */
export function childrenOf(contents: readonly Content[]): Map<string | undefined, Content[]> {
  const below = new Map<string | undefined, Content[]>();
  for (const each of contents.filter(({ kind }) => kind !== "blogpost").sort(inOrder)) {
    const siblings = below.get(each.parent);
    if (siblings === undefined) below.set(each.parent, [each]);
    else siblings.push(each);
  }
  return below;
}

const inOrder = (a: Content, b: Content) =>
  (a.position ?? Number.MAX_SAFE_INTEGER) - (b.position ?? Number.MAX_SAFE_INTEGER) ||
  byTitle.compare(a.title, b.title);

/** The menu of a space: its home page, the pages below that, and all others at the top. The blog is at its end. */
export function menuOf(contents: readonly Content[], space: Pick<Space, "home">): ServerMenuEntry[] {
  const below = childrenOf(contents);
  const top = below.get(undefined) ?? [];
  const home = top.find(({ id, kind }) => kind === "page" && (id === space.home || top.length === 1));
  const entryOf = (content: Content, depth: number): ServerMenuEntry[] => {
    const inside = depth > DEEP_MAX ? [] : (below.get(content.id) ?? []);
    const children = inside.flatMap((child) => entryOf(child, depth + 1));
    if (content.kind !== "heading") return [{ label: content.title, address: content.address, children }];
    return children.length === 0 ? [] : [{ label: content.title, children }];
  };
  const belowHome = home === undefined ? [] : (below.get(home.id) ?? []);
  const others = top.filter((each) => each !== home);
  return [
    ...(home === undefined ? [] : [{ label: home.title, address: home.address, children: [] }]),
    ...[...belowHome, ...others].flatMap((each) => entryOf(each, 0)),
    ...blogOf(contents),
  ];
}

/** The newest first. */
function blogOf(contents: readonly Content[]): ServerMenuEntry[] {
  const posts = contents
    .filter(({ kind }) => kind === "blogpost")
    .sort((a, b) => (a.createdAt < b.createdAt ? 1 : -1));
  if (posts.length === 0) return [];
  return [
    { label: "Blog", children: posts.map(({ title, address }) => ({ label: title, address, children: [] })) },
  ];
}
