import type { Curated } from "@docent/answering/curated/curated";
import { AppError } from "@docent/kernel/errors";
import type { Clock } from "@docent/kernel/lib/clock";
import type { Ids } from "@docent/kernel/lib/ids";
import { groupsOf } from "@docent/sites/pages/audience";
import { findByWrittenPath, type PageStore } from "@docent/sites/pages/pages";
import { readWrittenPlace } from "@docent/sites/pages/written-place";
import type { Site } from "@docent/sites/site/sites";
import type { Analytics } from "../analytics.ts";
import type { GoldenOrigin, GoldenQuestion, GoldenStore } from "./stores.ts";

/** All of them are asked twice before a run is published. */
export const GOLDEN_QUESTIONS_MAX = 200;
/** The newest liked answers that are looked at. */
const LIKED_MAX = 500;
/** The most questions that could not be taken and are named. */
const UNUSABLE_NAMED = 20;

type GoldenSite = Pick<Site, "id" | "url">;

/** What Docent keeps already that golden questions can be taken from. */
export const IMPORTABLE = ["evaluation", "liked", "curated"] as const satisfies readonly GoldenOrigin[];
type Importable = (typeof IMPORTABLE)[number];

/** A question as somebody writes it. */
interface WrittenQuestion {
  question: string;
  /** Paths, with anchors or without, or addresses of the site. */
  expected: readonly string[];
  version?: string | undefined;
  language?: string | undefined;
  groups?: readonly string[] | undefined;
}

interface OfferedQuestion extends WrittenQuestion {
  turnId?: string | undefined;
}

/** What came of taking questions. */
export interface Imported {
  added: number;
  /** The number of questions that are kept already. */
  known: number;
  /** The number of questions for which there is no room. */
  left: number;
  /** How many name no page that the site has, and some of them. */
  unusable: number;
  named: { question: string; why: string }[];
}

export interface QuestionsDeps {
  store: GoldenStore;
  pages: Pick<PageStore, "findPages">;
  analytics: Pick<Analytics, "evaluation" | "turns">;
  curated: Pick<Curated, "review">;
  clock: Clock;
  ids: Pick<Ids, "ulid">;
}

/** Keeps the golden questions of sites. */
export function createQuestions(deps: QuestionsDeps) {
  const { store } = deps;
  return {
    list: (siteId: number) => store.list(siteId, GOLDEN_QUESTIONS_MAX),

    /** Raises `invalid_request` for one that names no page of the site, and `conflict` for one that is kept already. */
    async add(site: GoldenSite, written: WrittenQuestion): Promise<GoldenQuestion> {
      const expected = await knownPlaces(deps, site, written.expected);
      if (expected.length === 0) throw noSuchPage(written.expected);
      const kept = await store.list(site.id, GOLDEN_QUESTIONS_MAX);
      const added = toQuestion(deps, { ...written, expected }, "hand");
      if (kept.some((each) => keyOf(each) === keyOf(added)))
        throw new AppError("conflict", "This question is kept already.");
      if (kept.length >= GOLDEN_QUESTIONS_MAX) throw noRoom();
      await store.add(site.id, [added]);
      return added;
    },

    /** Raises `not_found` where the site has none of that id. */
    async remove(siteId: number, id: string): Promise<void> {
      if (!(await store.remove(siteId, id)))
        throw new AppError("not_found", "There is no such golden question.");
    },

    /** Takes the questions of a file, as `docent eval` reads them. */
    addAll: (site: GoldenSite, written: readonly WrittenQuestion[]) => take(deps, site, written, "file"),

    /** Takes questions that are kept for another end: those that are new, as long as there is room. */
    importFrom: async (site: GoldenSite, from: Importable) =>
      take(deps, site, await offered(deps, site, from), from),
  };
}

const noRoom = () =>
  new AppError("too_large", `A site keeps at most ${GOLDEN_QUESTIONS_MAX} golden questions.`);

const noSuchPage = (expected: readonly string[]) =>
  new AppError("invalid_request", `expected: this site has no page ${expected.join(" or ")}.`, {
    hint: "Name a page by its path, as docent search shows it, or by its address below the site's URL.",
    details: [{ path: "expected", message: "names no page of the site" }],
  });

/** The places whose pages the site has, by the paths that they are stored under. */
async function knownPlaces(
  { pages }: Pick<QuestionsDeps, "pages">,
  { id, url }: GoldenSite,
  written: readonly string[],
): Promise<string[]> {
  const known: string[] = [];
  for (const each of written) {
    const { path, anchor } = readWrittenPlace(each, url);
    const [page] = await findByWrittenPath(pages, id, path, "everything");
    if (page !== undefined) known.push(anchor === "" ? page.path : `${page.path}#${anchor}`);
  }
  return [...new Set(known)];
}

function toQuestion(
  { clock, ids }: Pick<QuestionsDeps, "clock" | "ids">,
  { question, expected, version = "", language = "", groups, turnId }: OfferedQuestion,
  origin: GoldenOrigin,
): GoldenQuestion {
  const asked = groups === undefined || groups.length === 0 ? undefined : groupsOf(groups);
  const words = question.replace(/\s+/g, " ").trim();
  const fields = { version, language, groups: asked, turnId, at: clock() };
  return { id: ids.ulid(), question: words, expected: [...expected], origin, ...fields };
}

/** The same for the same question of the same asker. */
const keyOf = ({ question, version, language, groups }: GoldenQuestion) =>
  JSON.stringify([question.toLowerCase(), version, language, groups ?? null]);

async function take(
  deps: QuestionsDeps,
  site: GoldenSite,
  questions: readonly OfferedQuestion[],
  origin: GoldenOrigin,
): Promise<Imported> {
  const kept = await deps.store.list(site.id, GOLDEN_QUESTIONS_MAX);
  const keys = new Set(kept.map(keyOf));
  const added: GoldenQuestion[] = [];
  const imported: Imported = { added: 0, known: 0, left: 0, unusable: 0, named: [] };
  for (const offer of questions) {
    const expected = await knownPlaces(deps, site, offer.expected);
    const one = toQuestion(deps, { ...offer, expected }, origin);
    if (expected.length === 0) noteUnusable(imported, offer);
    else if (keys.has(keyOf(one))) imported.known++;
    else if (kept.length + added.length >= GOLDEN_QUESTIONS_MAX) imported.left++;
    else {
      keys.add(keyOf(one));
      added.push(one);
    }
  }
  await deps.store.add(site.id, added);
  return { ...imported, added: added.length };
}

function noteUnusable(imported: Imported, { question, expected }: OfferedQuestion): void {
  imported.unusable++;
  if (imported.named.length >= UNUSABLE_NAMED) return;
  const why = expected.length === 0 ? "it names no page" : `there is no page ${expected.join(" or ")}`;
  imported.named.push({ question, why });
}

/** The questions that something else of the site would make. */
async function offered(
  { store, analytics, curated }: QuestionsDeps,
  site: GoldenSite,
  from: Importable,
): Promise<OfferedQuestion[]> {
  switch (from) {
    case "evaluation":
      return (await analytics.evaluation.list(site.id)).map(({ messageId, ...kept }) => ({
        ...kept,
        turnId: messageId ?? undefined,
      }));
    case "liked": {
      const liked: OfferedQuestion[] = [];
      for (const turnId of await store.liked(site.id, LIKED_MAX))
        liked.push({ ...(await analytics.evaluation.draft(site.id, turnId)), turnId });
      return liked;
    }
    case "curated":
      return (await curated.review(site)).flatMap(({ questions, pages, version, language }) =>
        questions.map((question) => ({ question, expected: pages, version, language })),
      );
  }
}
