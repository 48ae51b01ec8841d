import {
  gradeOf,
  type Hit,
  isSameSection,
  relevanceMinOf,
  type SearchResult,
} from "@docent/finding/search/search";
import { AppError } from "@docent/kernel/errors";
import { SECOND_MS } from "@docent/kernel/lib/clock";
import { reasonFields } from "@docent/kernel/lib/log";
import { keepLatest } from "@docent/kernel/lib/remember";
import { isForLanguage } from "@docent/sites/pages/pages";
import type { AnswerEvent } from "../events.ts";
import { isPleasantry } from "../follow-up/follow-up.ts";
import type { Responder, RewriteRequest } from "../responder.ts";
import { bestRelevance, findSections, sectionsMaxOf } from "../retrieval.ts";
import { type OpenAnswer, start } from "../turn.ts";
import { readQuestions } from "./read-questions.ts";
import { rewriteRequest } from "./wording.ts";

/** What was found by a question as asked, and by what a model made of it. */
interface FoundAnew {
  result: SearchResult;
  /** Whether no model could be asked, because all are busy: what was found says less of what the docs cover. */
  isBusy: boolean;
}

/**
 * Has a model say a question in the words of the docs, and searches for that too: in their language, a follow-up whole, each
 * of several questions by itself. What it writes is only searched for: neither the reader nor another model sees it as the
 * question. Where others are being answered, a question that the docs seem to cover does not wait for it.
 */
export async function* searchAnew(
  answer: OpenAnswer,
  query: string,
  asAsked: SearchResult,
): AsyncGenerator<AnswerEvent, FoundAnew> {
  const { turn, request, deps } = answer;
  const grade = gradeOf(bestRelevance(asAsked, request), relevanceMinOf(request.site, deps.settings));
  const waits = grade !== "answers";
  const { questions, isBusy } = yield* rewrite(answer, { query, near: asAsked.hits, waits });
  turn.rewritten = questions;
  if (questions.length === 0) return { result: asAsked, isBusy };
  const found: SearchResult[] = [];
  for (const question of questions) found.push(await findSections(answer, question));
  // Where search understands nothing of it, as in another language, what it finds is chance.
  const first = grade === "none" ? { ...asAsked, hits: [] } : asAsked;
  return { result: fuseResults(first, found, sectionsMaxOf(request)), isBusy };
}

interface Asking {
  query: string;
  /** What the question as asked found. */
  near: readonly Hit[];
  /** Whether it waits in line. */
  waits: boolean;
}

interface Rewritten {
  questions: string[];
  isBusy: boolean;
}

const NOTHING: Rewritten = { questions: [], isBusy: false };
const BUSY: Rewritten = { questions: [], isBusy: true };
/** What the model wrote; more is not read. */
const WRITTEN_CHARACTERS_MAX = 2000;
const LETTER = /\p{L}/u;

/** The questions that a model wrote in place of one: none where it could not be asked, or wrote none in time. */
async function* rewrite(
  answer: OpenAnswer,
  { query, near, waits }: Asking,
): AsyncGenerator<AnswerEvent, Rewritten> {
  const { deps, request, turn, signal } = answer;
  const { responder, settings, clock, log } = deps;
  const { model } = request.site.settings;
  if (responder.rewrite === undefined || settings.rewrite_seconds === 0) return NOTHING;
  if (!LETTER.test(query) || isPleasantry(query)) return NOTHING;
  const titles = await pageTitles(answer);
  const asked = rewriteRequest(request, { query, near, titles });
  const known = deps.rewrites.find(responder, asked);
  if (known !== undefined) return { questions: known, isBusy: false };
  const seconds = responder.rewriteSeconds?.(asked);
  if (seconds !== undefined && seconds > settings.rewrite_seconds) {
    log.info("a question was not written in other words", { reason: "the model is too slow", seconds });
    return NOTHING;
  }
  // The time in line is not the model's.
  const limit = startable(settings.rewrite_seconds * SECOND_MS);
  const inTime = AbortSignal.any([signal, limit.signal]);
  let servedAt: number | undefined;
  try {
    await responder.ready(inTime, model);
    yield* start(answer);
    let written = "";
    for await (const event of responder.rewrite(asked, inTime)) {
      if (event.type === "waiting" && !waits) return BUSY;
      if (event.type === "waiting") yield { type: "status", status: "waiting", position: event.position };
      if (event.type === "served") {
        servedAt ??= clock();
        limit.start();
      }
      if (event.type === "text-delta") written += event.text;
      if (written.length > WRITTEN_CHARACTERS_MAX) break;
    }
    const questions = readQuestions(written, [query, request.question.text]);
    deps.rewrites.keep(responder, asked, questions);
    return { questions, isBusy: false };
  } catch (error) {
    signal.throwIfAborted();
    if (!inTime.aborted && !(error instanceof AppError)) throw error;
    const why = inTime.aborted ? { reason: "it took too long" } : reasonFields(error);
    log.info("a question was not written in other words", why);
    const isThere = responder.model(model) !== undefined;
    return isThere && servedAt === undefined ? BUSY : NOTHING;
  } finally {
    limit.stop();
    if (servedAt !== undefined) turn.rewriteMs = clock() - servedAt;
  }
}

/** A limit of time that begins when it is started, and once only. */
function startable(ms: number) {
  const over = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  return {
    signal: over.signal,
    start() {
      timer ??= setTimeout(() => over.abort(new DOMException("the time is over", "TimeoutError")), ms);
    },
    stop: () => clearTimeout(timer),
  };
}

// Chosen on four sites with questions in readers' words, and what a capable model made of each: the section that answers is
// among the first three for .91 of them; for .88 where both wordings count alike, and .65 by the question as asked.

/** How much the question as asked counts beside what it was rewritten to. */
const ASKED_SHARE = 0.5;
/** The same where several questions were asked at once: what is near to all of them answers none. */
const ASKED_SHARE_OF_SEVERAL = 0.125;
/** Added to each rank: the first few differ most. */
const RANK_OFFSET = 3;

/**
 * One list of what was found by a question as asked and by what it was rewritten to, of at most so many sections. One that
 * both find counts for both, and is as relevant as to the wording that it answers best; of several questions, it counts for
 * that in whose list it stands highest, so that a section on all of them hides none on one.
 */
export function fuseResults(
  asAsked: SearchResult,
  rewritten: readonly SearchResult[],
  sectionsMax: number,
): SearchResult {
  // A list of an earlier state of the index has what may not be there any more.
  const generation = Math.max(asAsked.generation, ...rewritten.map((result) => result.generation));
  const hitsOf = (result: SearchResult) => (result.generation === generation ? result.hits : []);
  const share = rewritten.length > 1 ? ASKED_SHARE_OF_SEVERAL : ASKED_SHARE;
  let fused: Hit[] = [];
  for (const result of rewritten) fused = merged(fused, hitsOf(result), 1, Math.max);
  fused = merged(fused, hitsOf(asAsked), share, (score, more) => score + more);
  const hits = fused.toSorted((a, b) => b.score - a.score).slice(0, sectionsMax);
  return { ...asAsked, generation, hits };
}

/** A list with another one added to it, by the ranks in that. */
function merged(
  list: readonly Hit[],
  others: readonly Hit[],
  share: number,
  together: (score: number, more: number) => number,
): Hit[] {
  const all = [...list];
  for (const [rank, hit] of others.entries()) {
    const more = share / (RANK_OFFSET + rank);
    const at = all.findIndex((known) => isSameSection(known, hit));
    const known = all[at];
    if (known === undefined) all.push({ ...hit, score: more });
    else all[at] = { ...(hit.relevance > known.relevance ? hit : known), score: together(known.score, more) };
  }
  return all;
}

/**
 * What models wrote in place of questions. Answers are cached; a question that stays uncovered has none, and would be put
 * in other words each time that somebody asks it, in the same ones: a model does that without chance.
 */
export interface RewriteMemory {
  /** The titles that were read for this, or are read now. */
  titles(key: string, read: () => Promise<string[]>): Promise<string[]>;
  find(responder: Responder, request: RewriteRequest): string[] | undefined;
  keep(responder: Responder, request: RewriteRequest, questions: string[]): void;
}

const REWRITES_KEPT = 2000;
const TITLES_KEPT = 200;

export function createRewriteMemory(): RewriteMemory {
  const kept = new Map<string, string[]>();
  const keptTitles = new Map<string, string[]>();
  return {
    async titles(key, read) {
      const titles = keptTitles.get(key) ?? (await read());
      keepLatest(keptTitles, key, titles, TITLES_KEPT);
      return titles;
    },
    find(responder, request) {
      const key = keyOf(responder, request);
      const questions = kept.get(key);
      if (questions !== undefined) keepLatest(kept, key, questions, REWRITES_KEPT);
      return questions;
    },
    keep: (responder, request, questions) =>
      keepLatest(kept, keyOf(responder, request), questions, REWRITES_KEPT),
  };
}

/** Everything that a model's words depend on. A hash, because questions can be long. */
function keyOf(responder: Responder, { system, background, text, model, asker }: RewriteRequest): string {
  const writer = [responder.name, responder.model(model), responder.modelVersion?.(model)];
  return new Bun.CryptoHasher("sha256")
    .update(JSON.stringify([asker.siteId, writer, system, background, text]))
    .digest("base64url");
}

/** Of more, a reader's question is about few, and the headings that are nearest to it name those. */
const PAGES_MAX = 60;
/** Of all titles together: some 400 tokens. */
const CHARACTERS_MAX = 1600;

/**
 * The titles of a site's pages, for the words that the docs use: those that the reader may see, in the version and language
 * asked for. In the order of their paths, so that a prompt that begins with them stays the same. None of a larger site.
 */
function pageTitles({ deps, request }: OpenAnswer): Promise<string[]> {
  const { site, question } = request;
  const { defaultVersion, defaultLanguage, language } = site.settings;
  const { version, language: asked } = question.filter ?? {};
  const list = {
    siteId: site.id,
    generation: site.generation,
    audience: question.audience,
    version: version ?? defaultVersion,
    language: asked ?? (defaultLanguage || language),
    under: "",
    docsOnly: true,
    limit: PAGES_MAX + 1,
  };
  // Within a generation, nothing of it changes.
  return deps.rewrites.titles(JSON.stringify([list, version, asked]), async () => {
    const listed = await deps.listing.listPages(list);
    if (listed.length > PAGES_MAX) return [];
    const read = listed.filter(
      (page) => isForLanguage(page, asked) && (!version || page.version === "" || page.version === version),
    );
    const titles = [...new Set(read.map(({ title }) => title))];
    return titles.join("").length > CHARACTERS_MAX ? [] : titles;
  });
}
