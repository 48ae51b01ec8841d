import { readOutline } from "@docent/reading/markdown/md/md";
import { findByWrittenPath, type Page, type PageStore } from "@docent/sites/pages/pages";
import { canonicalPath, type EvalQuestion } from "./question.ts";

/** What questions expect, as far as the index contains it. */
interface KnownPlaces {
  questions: EvalQuestion[];
  /** Expected pages and sections that the site does not have. */
  unknown: string[];
}

/** Looks up the expected places. A section that its page lacks is not scored; a missing page is a miss. */
export async function keepKnownPlaces(
  questions: readonly EvalQuestion[],
  pages: PageStore,
  siteId: number,
): Promise<KnownPlaces> {
  const anchors = new Map<string, Set<string> | undefined>();
  for (const path of new Set(questions.flatMap((question) => [...question.pages.keys()]))) {
    anchors.set(path, anchorsOf(await findPages(pages, siteId, path)));
  }
  const sections = [...new Set(questions.flatMap((question) => [...question.sections.keys()]))];
  const hasSection = (id: string) => {
    const [path = "", anchor = ""] = id.split("#", 2);
    return anchors.get(canonicalPath(path))?.has(anchor) ?? false;
  };
  const unknownPages = [...anchors].filter(([, known]) => known === undefined).map(([path]) => path);
  return {
    questions: questions.map((question) => ({
      ...question,
      sections: new Map([...question.sections].filter(([id]) => hasSection(id))),
    })),
    unknown: [...unknownPages, ...sections.filter((id) => !hasSection(id))],
  };
}

/** A README stands for its folder, unless the folder also has an index. */
async function findPages(pages: PageStore, siteId: number, path: string): Promise<Page[]> {
  const found = await findByWrittenPath(pages, siteId, path, "everything");
  if (found.length > 0) return found;
  return pages.findPages(siteId, path === "" ? "README" : `${path}/README`, "everything");
}

function anchorsOf(pages: Page[]): Set<string> | undefined {
  if (pages.length === 0) return undefined;
  return new Set(pages.flatMap(({ markdown }) => readOutline(markdown).sections.map(({ anchor }) => anchor)));
}
