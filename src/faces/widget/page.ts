const NAME_CHARACTERS_MAX = 200;
const VERSION_METAS = ["docsearch:version", "docusaurus_version"];

/** What a question is told about the page it is asked on. */
export interface PageFacts {
  currentPath: string;
  version: string | undefined;
  language: string | undefined;
}

/** What the page's author says of it in the script's tag. */
interface PageHints {
  version: string | undefined;
  language: string | undefined;
}

/** Where the site's pages are, and the versions and languages that they have. */
export interface SiteContents {
  url?: string | undefined;
  versions: string[];
  languages: string[];
}

/**
 * Where the reader is now. What the page says of its version and language narrows the search only where the site has
 * pages of them: a filter that nothing matches finds nothing.
 */
export function readPage(told: PageHints, { url, versions, languages }: SiteContents): PageFacts {
  return {
    currentPath: pathHere(url),
    version: nameOf(told.version ?? metaVersions().find((version) => versions.includes(version))),
    language: nameOf(told.language ?? languageAmong(languages)),
  };
}

/** The page's path as people write it: of one that is escaped, the room that there is for it would hold a ninth. */
export function pathHere(siteUrl?: string): string {
  const { pathname, hash, protocol } = location;
  // Where a file lies on a disk is nobody's business, and says whose it is.
  if (protocol === "file:") return "/";
  // Some sites have all pages behind the # of one address.
  const path = siteUrl?.endsWith("#") ? pathname + hash : pathname;
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}

/** The docs' version, as makers of docs write it for search engines. */
function metaVersions(): string[] {
  return VERSION_METAS.flatMap((name) => {
    const meta = document.querySelector(`meta[name="${name}"]`);
    return (meta?.getAttribute("content") ?? "").split(",").map((version) => version.trim());
  });
}

/** `de-CH` is read in `de` where there is no page in `de-CH`. */
function languageAmong(languages: string[]): string | undefined {
  const said = document.documentElement.lang.toLowerCase();
  if (said === "") return undefined;
  const named = (tag: string) => languages.find((language) => language.toLowerCase() === tag);
  return named(said) ?? named(said.split("-")[0] ?? "");
}

const nameOf = (text: string | undefined) => text?.trim().slice(0, NAME_CHARACTERS_MAX) || undefined;

const PARAMETER = "assistant";
const QUESTION_CHARACTERS_MAX = 2000;

/**
 * What the page's address asks of the widget: `?assistant=` that it opens, `?assistant=<text>` that it asks. It is read
 * once: where the page may change its address, the parameter is taken out, so that a reload does not ask again.
 */
export function takeQuestionFromAddress(): { question: string } | undefined {
  const url = new URL(location.href);
  const question = url.searchParams.get(PARAMETER);
  if (question === null) return undefined;
  url.searchParams.delete(PARAMETER);
  try {
    history.replaceState(history.state, "", url);
  } catch {
    // A page without an origin of its own, in a sandbox or out of a file, keeps its address.
  }
  return { question: question.trim().slice(0, QUESTION_CHARACTERS_MAX) };
}
