import { letOthersRun } from "@docent/kernel/lib/event-loop";
import { pageLabels } from "@docent/reading/markdown/front-matter";
import { readQuestions } from "@docent/reading/page/answer-file";
import { redirectTargetOf } from "@docent/reading/page/redirects";
import { type Audience, maySee } from "@docent/sites/pages/audience";
import type { LinkTarget } from "@docent/sites/pages/page-link";
import { spellingsOf } from "@docent/sites/pages/pages";
import {
  candidatesOf,
  type LinkScope,
  linkTargets,
  pathsOf,
  type ResolvedLink,
  resolveTarget,
} from "./answer-links.ts";
import type { AnswersState, CuratedStore, LinkedPage, StoredAnswer } from "./curated-store.ts";
import { createQuestionIndex, type QuestionIndex } from "./match.ts";

/** The site that is asked: what of it decides how its answers are read. */
export interface AskedSite {
  id: number;
  name: string;
  url: string | undefined;
  settings: {
    defaultVersion: string;
    defaultLanguage: string;
    /** How near a question must be to one of an answer's; null where the server decides. */
    curatedMin: number | null;
  };
}

/** A curated answer that can be given. */
export interface UsableAnswer {
  stored: StoredAnswer;
  questions: string[];
  tags: string[];
  groups: string[];
  /** Whether it is for them, and so is every page that it leads to: it says something of those, too. */
  isFor(audience: Audience): boolean;
  /** Where each of its links leads, by what is written, for readers of a version and a language. */
  links(scope: LinkScope, audience: Audience): ReadonlyMap<string, ResolvedLink>;
}

/** The curated answers of a site, read and ready to be matched. */
export interface SiteAnswers {
  generation: number;
  answers: UsableAnswer[];
  index: QuestionIndex<UsableAnswer>;
}

/** How many answers of one site are looked at. */
export const ANSWERS_MAX = 5000;
const SITES_KEPT = 100;
/** How many are read before something else has its turn. */
const ANSWERS_AT_ONCE = 20;

/**
 * The answers of each site, read once for each generation and each change by hand. A site without answers costs a
 * question two look-ups in an index.
 */
export function createSiteAnswers(store: CuratedStore): (site: AskedSite) => Promise<SiteAnswers> {
  const kept = new Map<number, { key: string; answers: Promise<SiteAnswers> }>();
  return async (site) => {
    const state = await store.state(site.id);
    const key = JSON.stringify([state, site.name, site.url]);
    const known = kept.get(site.id);
    const own = known?.key === key ? known : { key, answers: read(store, site, state) };
    kept.delete(site.id);
    kept.set(site.id, own);
    // A failure is not kept: the next question tries again.
    own.answers.catch(() => kept.get(site.id) === own && kept.delete(site.id));
    for (const oldest of kept.keys()) {
      if (kept.size <= SITES_KEPT) break;
      kept.delete(oldest);
    }
    return own.answers;
  };
}

async function read(
  store: CuratedStore,
  site: AskedSite,
  { generation }: AnswersState,
): Promise<SiteAnswers> {
  const all = await readAll(store, site.id, generation);
  const given = all.filter(({ hidden, markdown }) => !hidden && markdown.trim() !== "");
  const targets = new Map<StoredAnswer, ReadonlyMap<string, LinkTarget>>();
  for (const [index, stored] of given.entries()) {
    if (index % ANSWERS_AT_ONCE === ANSWERS_AT_ONCE - 1) await letOthersRun();
    targets.set(stored, linkTargets(stored, site.url));
  }
  const paths = pathsOf([...targets.values()].flatMap((each) => [...each.values()]));
  const pages = await pagesByPath(store, site.id, generation, paths);
  const answers = given.flatMap((stored) => usable(stored, targets.get(stored) ?? new Map(), pages));
  return { generation, answers, index: await createQuestionIndex(answers, site.name) };
}

function usable(
  stored: StoredAnswer,
  targets: ReadonlyMap<string, LinkTarget>,
  pages: ReadonlyMap<string, LinkedPage[]>,
): UsableAnswer[] {
  const { questions } = readQuestions(stored.frontMatter);
  if (questions.length === 0) return [];
  const linked = [...targets].map(([href, target]) => ({
    href,
    target,
    candidates: target.kind === "page" ? candidatesOf(target.path, stored, pages) : [],
  }));
  return [
    {
      stored,
      questions,
      tags: pageLabels(stored.frontMatter).tags,
      groups: stored.groups,
      isFor: (audience) =>
        maySee(audience, stored.groups) &&
        linked.every(
          ({ candidates }) =>
            candidates.length === 0 || candidates.some(({ groups }) => maySee(audience, groups)),
        ),
      links: (scope, audience) =>
        new Map(
          linked.map(({ href, target, candidates }) => {
            const seen = candidates.filter(({ groups }) => maySee(audience, groups));
            return [href, resolveTarget(target, seen, scope)];
          }),
        ),
    },
  ];
}

/** All answers of a site as they are stored; those that were added by hand first. */
export async function readAll(
  store: CuratedStore,
  siteId: number,
  generation: number,
): Promise<StoredAnswer[]> {
  const byHand = await store.byHand(siteId, ANSWERS_MAX);
  const left = ANSWERS_MAX - byHand.length;
  return left <= 0 ? byHand : [...byHand, ...(await store.fromSources(siteId, generation, left))];
}

/** The pages that links lead to, by path; also by the old address of one that has moved. */
export async function pagesByPath(
  store: CuratedStore,
  siteId: number,
  generation: number,
  paths: string[],
): Promise<ReadonlyMap<string, LinkedPage[]>> {
  const pages = paths.length === 0 ? [] : await store.pages(siteId, generation, paths);
  const found = Map.groupBy(pages, ({ path }) => path);
  const asked = new Set(paths.filter((path) => !spellingsOf(path).some((each) => found.has(each))));
  const redirects = asked.size === 0 ? [] : await store.redirects(siteId, generation);
  const moved = redirects
    .filter(({ from }) => asked.has(from))
    .map(({ from, to }) => ({ from, to: redirectTargetOf(to).path }));
  if (moved.length === 0) return found;
  const targets = [...new Set(moved.map(({ to }) => to))];
  const there = Map.groupBy(await store.pages(siteId, generation, targets), ({ path }) => path);
  return new Map([...moved.flatMap(({ from, to }) => pairOf(from, there.get(to))), ...found]);
}

const pairOf = (path: string, pages: LinkedPage[] | undefined): [string, LinkedPage[]][] =>
  pages === undefined ? [] : [[path, pages]];
