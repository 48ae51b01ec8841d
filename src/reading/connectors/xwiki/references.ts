/** The page of a space that stands for it. */
export const HOME = "WebHome";

/** The names of a space and those around it, from the outermost: dots in them are escaped. */
export const spacesIn = (space: string): string[] =>
  (space.match(/(?:\\.|[^.\\])+/gs) ?? []).map((name) => name.replace(/\\(.)/gs, "$1"));

const encoded = (names: readonly string[]) => names.map(encodeURIComponent).join("/");

/** The address of a page in the API, below the wiki's. */
export const pagePath = (spaces: readonly string[], page: string) =>
  `${spaces.map((space) => `spaces/${encodeURIComponent(space)}`).join("/")}/pages/${encodeURIComponent(page)}`;

/** What the addresses of a wiki's pages look like: "https://example.com/xwiki/bin/view/". */
export interface Addresses {
  prefix: string;
  of(spaces: readonly string[], page: string): string;
  /** The names in an address, without those of a space's first page; undefined for what is no page. */
  namesIn(address: string): string[] | undefined;
}

/** `shown` is the whole address of Main.WebHome, as the wiki gives it. */
export function createAddresses(shown: string | undefined, base: string): Addresses {
  const [whole = "", prefix = ""] = /^(https?:\/\/.*\/)Main\/(?:WebHome)?$/.exec(shown ?? "") ?? [];
  const begin = whole !== "" && URL.canParse(prefix) ? prefix : `${base}/bin/view/`;
  const inside = `${base}${/\/(?:bin|wiki)\/.*$/.exec(begin)?.[0] ?? "/bin/view/"}`;
  return {
    prefix: begin,
    of: (spaces, page) => `${begin}${encoded(spaces)}/${page === HOME ? "" : encodeURIComponent(page)}`,
    namesIn(address) {
      const own = [begin, inside].find((each) => address.startsWith(each));
      if (own === undefined) return undefined;
      const [path = ""] = address.slice(own.length).split(/[?#]/, 1);
      const names = path.split("/").filter((name) => name !== "");
      const isHome = names.at(-1) === HOME;
      return (isHome ? names.slice(0, -1) : names).map(decoded);
    },
  };
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
