import { encodePath } from "@docent/reading/page/page-path";
import type { Site } from "@docent/sites/site/sites";

/** Colours that a reader chose. Sandboxed pages can keep nothing in the browser, so the choice travels in links. */
export type ReaderTheme = "light" | "dark";

/** What a reader sees of a site: a version, a language, in which colours. */
export interface ReaderChoice {
  version?: string | undefined;
  language?: string | undefined;
  theme?: ReaderTheme | undefined;
}

/** The addresses of a site's reader, which keep what was chosen. */
export interface ReaderAddresses {
  page(path: string, change?: ReaderChoice): string;
  /** The page's Markdown. */
  markdown(path: string): string;
  /** The list of what is in a folder, from its nth entry. */
  list(path: string, from: number): string;
  /** Where the search form leads, and what has to go with it. */
  form: { action: string; hidden: Record<string, string> };
  /** Where search as you type asks. */
  searchAsYouType: string;
}

export function createReaderAddresses(
  {
    basePath,
    site,
    usual,
  }: { basePath: string; site: Site; usual: Pick<ReaderChoice, "version" | "language"> },
  choice: ReaderChoice,
): ReaderAddresses {
  const root = `${basePath}/sites/${site.domain}/`;

  function parameters(change: ReaderChoice): Record<string, string> {
    const { version, language, theme } = { ...choice, ...change };
    return {
      // What is shown anyhow needs no saying: a page has one address.
      ...(version && version !== usual.version && { version }),
      ...(language && language !== usual.language && { language }),
      ...(theme && { theme }),
    };
  }

  const address = (path: string, query: Record<string, string>) => {
    const written = new URLSearchParams(query).toString();
    return `${root}${encodePath(path)}${written === "" ? "" : `?${written}`}`;
  };

  return {
    page: (path, change = {}) => address(path, parameters(change)),
    markdown: (path) => address(`${path || "index"}.md`, parameters({ theme: undefined })),
    list: (path, from) => address(path, { ...parameters({}), list: String(from) }),
    form: { action: root, hidden: parameters({}) },
    searchAsYouType: address("search.json", parameters({})),
  };
}

/** The theme that an address names. */
export function themeIn(query: URLSearchParams): ReaderTheme | undefined {
  const theme = query.get("theme");
  return theme === "light" || theme === "dark" ? theme : undefined;
}
