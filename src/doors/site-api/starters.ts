import { keepLatest } from "@docent/kernel/lib/remember";
import { questionOfHeading } from "@docent/kernel/text/heading-question";
import { readOutline } from "@docent/reading/markdown/md/md";
import { type Audience, audienceKey } from "@docent/sites/pages/audience";
import { findPage, type PageStore } from "@docent/sites/pages/pages";
import type { Site } from "@docent/sites/site/sites";
import { pathWithin } from "../messages/question.ts";

export interface StartersDeps {
  pages: Pick<PageStore, "findPages" | "listPages">;
  /** What several of the site's readers ask, and are answered. */
  sharedQuestions: (siteId: number) => Promise<string[]>;
}

/** Gives questions to begin with: the owner's, or else what the page at a path answers and what readers ask. */
type Starters = (site: Site, path: string | undefined, audience: Audience) => Promise<string[]>;

const QUESTIONS_MAX = 4;
/** Of those, from the reader's page; what it has more fills up what readers leave. */
const OF_PAGE = 2;
/** Sections of the text behind this are not read: a long page has enough of them before. */
const CHARACTERS_READ = 30_000;
/** Sections within sections are details. */
const LEVEL_MAX = 3;
const TITLES_READ = 60;
const PAGES_KEPT = 500;

export function createStarters({ pages, sharedQuestions }: StartersDeps): Starters {
  const kept = new Map<string, Promise<string[]>>();

  /** Remembers what pages answer, for a generation. */
  function ofPage(site: Site, path: string, audience: Audience): Promise<string[]> {
    const key = JSON.stringify([site.id, site.generation, audienceKey(audience), path]);
    const questions = kept.get(key) ?? questionsOfPage(pages, site, path, audience);
    keepLatest(kept, key, questions, PAGES_KEPT);
    questions.catch(() => kept.delete(key));
    return questions;
  }

  return async (site, path, audience) => {
    const { starterQuestions } = site.settings;
    if (starterQuestions.length > 0) return starterQuestions;
    const [own, shared] = await Promise.all([
      ofPage(site, path === undefined ? "" : pathWithin(site, path), audience),
      sharedQuestions(site.id),
    ]);
    return unique([...own.slice(0, OF_PAGE), ...shared, ...own.slice(OF_PAGE)]).slice(0, QUESTIONS_MAX);
  };
}

/** What the sections of a page answer; of a page that has none, what the titles of the site's pages say. */
async function questionsOfPage(
  pages: StartersDeps["pages"],
  site: Site,
  path: string,
  audience: Audience,
): Promise<string[]> {
  const { defaultVersion: version, defaultLanguage } = site.settings;
  const defaults = { version, language: defaultLanguage };
  const page = await findPage(pages, site.id, path, { asked: {}, defaults, audience });
  const own =
    page === undefined ? [] : questionsOfSections(page.markdown, page.language || site.settings.language);
  if (own.length > 0) return own;
  const { id: siteId, generation } = site;
  const listed = await pages.listPages({
    siteId,
    generation,
    audience,
    ...defaults,
    under: "",
    docsOnly: true,
    limit: TITLES_READ,
  });
  return unique(
    listed.flatMap(
      ({ title, language }) => questionOfHeading(title, language || site.settings.language) ?? [],
    ),
  ).slice(0, QUESTIONS_MAX);
}

function questionsOfSections(markdown: string, language: string): string[] {
  const { sections } = readOutline(markdown.slice(0, CHARACTERS_READ));
  const headings = sections
    .filter(({ level, blocks }) => level > 1 && level <= LEVEL_MAX && blocks.length > 0)
    .toSorted((a, b) => a.level - b.level);
  return unique(headings.flatMap(({ heading }) => questionOfHeading(heading, language) ?? [])).slice(
    0,
    QUESTIONS_MAX,
  );
}

/** Keeps of questions that differ only in case and their mark the first. */
const unique = (questions: readonly string[]): string[] =>
  [
    ...new Map(
      questions.toReversed().map((each) => [each.toLowerCase().replace(/[?？؟]$/, ""), each]),
    ).values(),
  ].toReversed();
