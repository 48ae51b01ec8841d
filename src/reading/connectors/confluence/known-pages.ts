import { decodePercent } from "@docent/kernel/text/decode-percent";
import { childrenOf } from "./menu.ts";
import { type Named, readNamed } from "./names.ts";
import type { Content, Space } from "./spaces-and-contents.ts";

/** A space with what of it is listed. */
export interface ListedSpace {
  space: Space;
  contents: readonly Content[];
}

/** The pages that are listed, by all their names. */
export interface KnownPages {
  /** Where a page is listed, for any address of it, and for the id that a link has beside its address. */
  find(address: string, linkedId?: string): string | undefined;
  /** The title of the page at any address of it. */
  titleAt(address: string): string | undefined;
  /** The pages directly below another, in their order. */
  below(id: string): readonly Content[];
}

/** `roots` are all addresses of the Confluence: how people reach it, and how it is reached here. */
export function createKnownPages(roots: readonly string[], spaces: readonly ListedSpace[]): KnownPages {
  const places = [...new Set(roots)].map((root) => new URL(root));
  const pages = spaces.flatMap(({ contents }) => contents).filter(({ kind }) => kind !== "heading");
  const byId = new Map(pages.map(({ id, address }) => [id, address]));
  const titles = new Map(pages.map(({ address, title }) => [address, title]));
  const byPath = new Map(pages.map(({ address }) => [pathOf(new URL(address)), address]));
  const byTitle = new Map<string, string>();
  const homes = new Map<string, string | undefined>();
  for (const { space, contents } of spaces)
    for (const name of [space.key, space.alias ?? space.key]) {
      homes.set(name.toLowerCase(), byId.get(space.home ?? ""));
      for (const { kind, title, address } of contents)
        if (kind === "page") byTitle.set(titleKey(name, title), address);
    }
  const below = childrenOf(spaces.flatMap(({ contents }) => contents));

  function named(url: URL, { space, id, title }: Named): string | undefined {
    // Others show a page's history, its files, or its editor.
    if (/\.action$/.test(url.pathname) && !url.pathname.endsWith("/viewpage.action")) return undefined;
    if (id !== undefined) return byId.get(id);
    if (space === undefined) return undefined;
    if (title !== undefined) return byTitle.get(titleKey(space, title));
    return SPACE_ITSELF.test(url.pathname) ? homes.get(space.toLowerCase()) : undefined;
  }

  function pageAt(url: URL | null, linkedId?: string): string | undefined {
    const place = places.find(
      (each) => each.origin === url?.origin && url.pathname.startsWith(each.pathname),
    );
    if (url === null || place === undefined) return undefined;
    const read = readNamed(url, place.pathname.replace(/\/$/, ""));
    return byPath.get(pathOf(url)) ?? (read && named(url, read)) ?? byId.get(linkedId ?? "");
  }

  return {
    find(address, linkedId) {
      const url = URL.parse(address);
      const found = pageAt(url, linkedId);
      return found === undefined ? undefined : found + (url?.hash ?? "");
    },
    titleAt: (address) => titles.get(pageAt(URL.parse(address)) ?? ""),
    below: (id) => (below.get(id) ?? []).filter(({ kind }) => kind === "page"),
  };
}

const SPACE_ITSELF = /\/(?:display|spaces)\/[^/]+(?:\/overview)?\/?$/;
const titleKey = (space: string, title: string) => `${space}/${title}`.toLowerCase();
const pathOf = ({ pathname, search }: URL) => decodePercent(pathname) + search;
