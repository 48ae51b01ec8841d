import type { Dump } from "./dump.ts";

/** The numbers of namespaces that all wikis have, by the names that are known everywhere, in small letters. */
const NAMESPACES: Readonly<Record<string, number>> = {
  media: -2,
  special: -1,
  talk: 1,
  user: 2,
  "user talk": 3,
  project: 4,
  "project talk": 5,
  file: 6,
  image: 6,
  "file talk": 7,
  mediawiki: 8,
  "mediawiki talk": 9,
  template: 10,
  "template talk": 11,
  help: 12,
  "help talk": 13,
  category: 14,
  "category talk": 15,
  module: 828,
  "module talk": 829,
};

export const MEDIA = -2;
export const SPECIAL = -1;
export const FILE = 6;
export const TEMPLATE = 10;
export const CATEGORY = 14;

/** A title, apart from its namespace. */
export interface Title {
  namespace: number;
  /** Without its namespace. */
  name: string;
  /** What titles are compared by. */
  key: string;
}

/** Reads titles as a wiki with these namespaces does. */
export interface Titles {
  /** `usual` is the namespace of a title that names none. */
  read(written: string, usual?: number): Title;
  nameOf(namespace: number): string;
}

export function createTitles({ namespaces }: Pick<Dump, "namespaces">): Titles {
  const numbers = new Map(Object.entries(NAMESPACES));
  for (const [number, name] of namespaces) if (name !== "") numbers.set(name.toLowerCase(), number);
  return {
    read(written, usual = 0) {
      const plain = spaced(written);
      const colon = plain.indexOf(":");
      const inMain = colon === 0;
      const named = colon > 0 ? numbers.get(spaced(plain.slice(0, colon)).toLowerCase()) : undefined;
      const namespace = named ?? (inMain ? 0 : usual);
      const name = capitalized(spaced(named === undefined && !inMain ? plain : plain.slice(colon + 1)));
      return { namespace, name, key: `${namespace}:${name}` };
    },
    nameOf: (namespace) =>
      namespaces.get(namespace) ??
      Object.entries(NAMESPACES).find(([, number]) => number === namespace)?.[0] ??
      "",
  };
}

const INVISIBLE = /[\u200E\u200F\u202A-\u202E]/g;
const spaced = (text: string) =>
  text
    .replace(INVISIBLE, "")
    .replace(/[\s_]+/g, " ")
    .trim();
/** The first letter of a title may be written small, in nearly all wikis. */
const capitalized = (name: string) => {
  const [first = ""] = name;
  return first.toUpperCase() + name.slice(first.length);
};

/** The anchor of a heading, as MediaWiki makes it of its words. */
export const anchorOf = (words: string) =>
  words
    .replace(/[\s_]+/g, " ")
    .trim()
    .replaceAll(" ", "_");
