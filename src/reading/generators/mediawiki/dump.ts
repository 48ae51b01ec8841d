import { withoutReserved } from "../wiki-writing/wiki-writing.ts";
import { readXml } from "../xml/xml.ts";

/** A page of a dump, in its last revision. */
export interface DumpPage {
  /** With its namespace, as it is shown: "Help:Editing". */
  title: string;
  namespace: number;
  id: string;
  /** The title that a redirect leads to. */
  redirect: string | undefined;
  /** What its text is written in: "wikitext". */
  model: string;
  text: string;
}

/** What MediaWiki's `dumpBackup.php` and the page Special:Export write. */
export interface Dump {
  siteName: string;
  /** The address of the main page, which ends in its title. */
  base: string;
  /** The names of namespaces by their numbers. */
  namespaces: Map<number, string>;
  pages: DumpPage[];
  /** Why the rest is not read. */
  fault: string | undefined;
}

const PAGES_MAX = 500_000;

/** Whether a file begins as a dump does. */
export const isDump = (text: string) => /^\uFEFF?\s*(?:<\?xml[^>]{0,200}\?>\s*)?<mediawiki[\s>]/.test(text);

/** Reads a dump, as far as it can be read. Entities that it defines are not expanded. */
export async function readDump(text: string): Promise<Dump> {
  const dump: Dump = { siteName: "", base: "", namespaces: new Map(), pages: [], fault: undefined };
  const fault = await readXml(text, createReading(dump));
  dump.fault ??= fault;
  return dump;
}

const emptyPage = (): DumpPage => ({
  title: "",
  namespace: 0,
  id: "",
  redirect: undefined,
  model: "wikitext",
  text: "",
});

/** Takes what is in the elements that are known, by where they are. */
function createReading(dump: Dump) {
  const path: string[] = [];
  let words: string[] | undefined;
  let page = emptyPage();
  let space = Number.NaN;

  const take = (place: string, said: string) => {
    if (place === "siteinfo/sitename") dump.siteName = said;
    else if (place === "siteinfo/base") dump.base = said;
    else if (place === "siteinfo/namespaces/namespace") dump.namespaces.set(space, said);
    else if (place === "page/title") page.title = said;
    else if (place === "page/ns") page.namespace = Number(said);
    else if (place === "page/id") page.id = said;
    else if (place === "page/revision/model") page.model = said;
    // A dump of all revisions has the last one last.
    else if (place === "page/revision/text") page.text = withoutReserved(said);
  };

  return {
    open(name: string, attributes: Readonly<Record<string, string>>) {
      path.push(name);
      const place = path.slice(1).join("/");
      if (place === "page") page = emptyPage();
      if (place === "page/redirect") page.redirect = attributes["title"];
      if (place === "siteinfo/namespaces/namespace") space = Number(attributes["key"]);
      words = [];
    },
    words(text: string) {
      words?.push(text);
    },
    close() {
      const place = path.slice(1).join("/");
      if (words !== undefined) take(place, words.join(""));
      words = undefined;
      if (place === "page" && page.title !== "" && dump.pages.length < PAGES_MAX) dump.pages.push(page);
      else if (place === "page" && page.title !== "") dump.fault ??= `it has more than ${PAGES_MAX} pages`;
      path.pop();
    },
  };
}
