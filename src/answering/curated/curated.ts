import { AppError } from "@docent/kernel/errors";
import { type Clock, SECOND_MS } from "@docent/kernel/lib/clock";
import type { Log } from "@docent/kernel/lib/log";
import { NOBODY } from "@docent/kernel/text/groups/groups";
import type { Embedder } from "@docent/kernel/vectors/embedder";
import { pageGroups, splitFrontMatter } from "@docent/reading/markdown/front-matter";
import { readQuestions } from "@docent/reading/page/answer-file";
import { candidatesOf, linkTargets, pathsOf } from "./answer-links.ts";
import type { CuratedStore, HandWrittenAnswer, LinkedPage, StoredAnswer } from "./curated-store.ts";
import { type AskedQuestion, type CuratedMatch, matchAnswer } from "./match.ts";
import { createQuestionVectors } from "./questions/questions.ts";
import { ANSWERS_MAX, type AskedSite, createSiteAnswers, pagesByPath, readAll } from "./site-answers.ts";

export { type CitedPage, citedPages, withLinks } from "./answer-links.ts";
export type { CuratedMatch } from "./match.ts";

/** A curated answer as its owner looks after it. */
export interface ReviewedAnswer {
  name: string;
  /** Where the source is that it came from; undefined where it was added by hand. */
  source: string | undefined;
  version: string;
  language: string;
  questions: string[];
  markdown: string;
  /** What else its file says of it: tags, groups, whether it is a draft. */
  frontMatter: Record<string, unknown>;
  /** The paths of the site's pages that it leads to. */
  pages: string[];
  /** What should be looked at, for people; empty where nothing is wrong. */
  concerns: string[];
}

/** The settings it reads, under their own names. */
interface CuratedSettings {
  /** How near a question must be to one of an answer's, from 0 to 1, unless a site has its own measure. */
  curated_min: number;
  /** How long a question may wait for its vector. */
  question_vector_seconds: number;
  /** The most bytes of an answer that is added by hand. */
  page_bytes: number;
}

interface CuratedDeps {
  settings: CuratedSettings;
  store: CuratedStore;
  embedder: Embedder;
  clock: Clock;
  log: Log;
}

/** Answers that people wrote: finds the one that a question asks for, and looks after them. */
export interface Curated {
  match(asked: AskedQuestion, signal: AbortSignal): Promise<CuratedMatch | undefined>;
  /** All answers of a site, with what should be looked at. */
  review(site: Pick<AskedSite, "id" | "url">): Promise<ReviewedAnswer[]>;
  /** Adds an answer by hand, or puts it in the place of the one of that name. */
  add(site: Pick<AskedSite, "id">, answer: HandWrittenAnswer): Promise<void>;
  /** Removes one that was added by hand. Raises `not_found` where there is none of that name. */
  remove(site: Pick<AskedSite, "id">, name: string): Promise<void>;
}

const NAME = /^[\p{L}\p{N}][\p{L}\p{N}._/-]{0,99}$/u;

export function createCurated({ settings, store, embedder, clock, log }: CuratedDeps): Curated {
  const answersOf = createSiteAnswers(store);
  const measure = createQuestionVectors({
    embedder,
    log,
    questionMs: settings.question_vector_seconds * SECOND_MS,
  });

  async function review({ id, url }: Pick<AskedSite, "id" | "url">): Promise<ReviewedAnswer[]> {
    const { generation } = await store.state(id);
    const answers = await readAll(store, id, generation);
    const pages = await pagesByPath(store, id, generation, pathsToReview(answers, url));
    return answers.map((answer) => reviewAnswer(answer, url, pages));
  }

  return {
    review,

    async match(asked, signal) {
      const strengthMin = asked.site.settings.curatedMin ?? settings.curated_min;
      return matchAnswer(await answersOf(asked.site), asked, { strengthMin, measure, signal });
    },

    async add({ id }, answer) {
      check(answer, settings.page_bytes);
      const others = await store.byHand(id, ANSWERS_MAX);
      const isNew = !others.some((other) => isSame(other, answer));
      if (isNew && others.length >= ANSWERS_MAX)
        throw new AppError("too_large", `A site has at most ${ANSWERS_MAX} answers that were added by hand.`);
      await store.put(id, answer, clock());
    },

    async remove({ id }, name) {
      if ((await store.remove(id, name)) > 0) return;
      const { generation } = await store.state(id);
      const own = (await readAll(store, id, generation)).find((answer) => answer.name === name);
      throw own === undefined
        ? new AppError("not_found", `There is no curated answer ${name}.`, {
            hint: "docent answers list <domain>",
          })
        : new AppError("invalid_request", `${name} comes from a source, ${own.source}.`, {
            hint: `Remove the file ${own.location} there, and read the source again.`,
          });
    },
  };
}

const isSame = (a: HandWrittenAnswer, b: HandWrittenAnswer) =>
  a.name === b.name && a.version === b.version && a.language === b.language;

function check({ name, markdown }: HandWrittenAnswer, bytesMax: number): void {
  if (!NAME.test(name) || name.split("/").some((part) => part === "" || part === "." || part === ".."))
    throw new AppError("invalid_request", `${name} is not a name for an answer.`, {
      hint: "It has up to 100 letters, digits, dots, hyphens and slashes, such as reset-password.",
    });
  if (Buffer.byteLength(markdown) > bytesMax)
    throw new AppError("too_large", `The answer has more than ${bytesMax} bytes.`, {
      hint: "Make it shorter, or raise the setting page_bytes.",
    });
  const { data, body, fault } = splitFrontMatter(markdown);
  const { fault: groupsFault } = pageGroups(data);
  const faults = [fault, groupsFault].filter((each) => each !== undefined).concat(readQuestions(data).faults);
  if (body.trim() === "") faults.push("a curated answer needs words");
  if (faults.length > 0)
    throw new AppError("invalid_request", `The answer cannot be used: ${faults.join("; ")}.`, {
      hint: "Begin the file with ---, a list of questions, and --- again: see docs/curated-answers.md.",
    });
}

/** The paths of all pages that answers may lead to. */
function pathsToReview(answers: StoredAnswer[], siteUrl: string | undefined): string[] {
  return pathsOf(answers.flatMap((answer) => [...linkTargets(answer, siteUrl).values()]));
}

/** Looks whether an answer is given at all, and whether the pages that it leads to are still as they were. */
function reviewAnswer(
  answer: StoredAnswer,
  siteUrl: string | undefined,
  pages: ReadonlyMap<string, LinkedPage[]>,
): ReviewedAnswer {
  const { name, source, version, language, markdown, frontMatter } = answer;
  const { questions, faults } = readQuestions(frontMatter);
  const concerns = new Set(answer.hidden ? ["kept back by its author"] : []);
  for (const fault of faults) concerns.add(fault);
  if (answer.groups.includes(NOBODY)) concerns.add(pageGroups(frontMatter).fault ?? "is for nobody");
  if (markdown.trim() === "") concerns.add("a curated answer needs words");
  const ledTo = new Set<string>();
  for (const target of linkTargets(answer, siteUrl).values()) {
    if (target.kind !== "page") continue;
    const candidates = candidatesOf(target.path, answer, pages);
    const path = target.path || "/";
    if (candidates[0] !== undefined) ledTo.add(candidates[0].path);
    if (candidates.length === 0) concerns.add(`leads to no page: ${path}`);
    else if (candidates.some((page) => page.generation > answer.generation))
      concerns.add(`page changed: ${path}`);
  }
  const found = { pages: [...ledTo], concerns: [...concerns] };
  return { name, source, version, language, questions, markdown, frontMatter, ...found };
}

/** A curated answer as the CLI and the admin API show it. */
export function answerJson({ source, pages: _, ...answer }: ReviewedAnswer) {
  return { ...answer, source: source ?? null };
}
