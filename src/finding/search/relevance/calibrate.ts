import { type Clock, SECOND_MS } from "@docent/kernel/lib/clock";
import { letOthersRun } from "@docent/kernel/lib/event-loop";
import { ANYBODY, type Audience, audienceKey } from "@docent/sites/pages/audience";
import { type IndexState, isEnriched } from "../search-store.ts";
import {
  CALIBRATED_PASSAGES_MIN,
  type Calibration,
  type CalibrationKey,
  type CalibrationStore,
  calibrationRevision,
  DEVIATION_MIN,
  type Spread,
} from "./calibration.ts";
import type { Evidence } from "./evidence.ts";
import foreignQuestions from "./foreign-questions.txt" with { type: "text" };

/** Calibrates sites. */
export interface Calibrator {
  /** Calibrates the generation that readers of a site see, unless that was done or the site is too small. */
  calibrate(siteId: number, signal: AbortSignal): Promise<void>;
  /** The same although it was done: what was written for passages makes it another one. */
  calibrateAnew(siteId: number, signal: AbortSignal): Promise<void>;
  /** Whether that has not been done for all that readers see, be it because the site is too small. */
  isUncalibrated(siteId: number): Promise<boolean>;
}

/** What a foreign question found. */
export interface Asked {
  /** What each passage says; what it says that there is none. */
  evidence: [Evidence, ...Evidence[]];
  /** Whether meaning was compared, too. */
  byMeaning: boolean;
}

/** A site's index, opened once for all that it is asked. */
export interface Survey {
  /** How many passages the site has. */
  passages: number;
  ask(question: string): Promise<Asked>;
}

interface CalibratorDeps {
  store: CalibrationStore;
  state(siteId: number): Promise<IndexState>;
  /** An audience by what of it matters to a generation. */
  audience(site: Pick<CalibrationKey, "siteId" | "generation">, asked: Audience): Promise<Audience>;
  /** How many pages of a generation an audience sees. */
  pages(scope: Pick<CalibrationKey, "siteId" | "generation" | "audience">): Promise<number>;
  survey(siteId: number, audience: Audience): Promise<Survey>;
  clock: Clock;
}

/** The longest that a calibration takes; what was asked by then counts, if it is enough. */
const TIME_MAX_MS = 60 * SECOND_MS;
const QUESTIONS_MIN = 60;
/** The share of the questions that must have a vector: where it is less, another time tells more. */
const VECTORS_SHARE_MIN = 0.9;
/** Questions about one subject stand together: they are asked in steps of this, so that a part of them is of all subjects. */
const STEP = 95;

export function createCalibrator(deps: CalibratorDeps): Calibrator {
  const { store, state } = deps;

  async function keyOf(siteId: number, audience: Audience): Promise<CalibrationKey> {
    const { generation, embedder, enrichment } = await state(siteId);
    const revision = calibrationRevision(isEnriched(enrichment));
    return { siteId, generation, audience, embedderId: embedder?.id, revision };
  }

  async function isDone(key: CalibrationKey): Promise<boolean> {
    return key.generation === 0 || (await store.nearest(key))?.generation === key.generation;
  }

  return {
    isUncalibrated: async (siteId) => !(await isDone(await keyOf(siteId, "everything"))),
    async calibrate(siteId, signal) {
      for (const audience of await audiencesOf(deps, siteId)) {
        const key = await keyOf(siteId, audience);
        if ((await isDone(key)) || (await takeOver(store, key)) || (await takeFromAnybody(deps, key)))
          continue;
        await calibrateOne(deps, key, signal);
      }
    },
    async calibrateAnew(siteId, signal) {
      for (const audience of await audiencesOf(deps, siteId)) {
        const key = await keyOf(siteId, audience);
        if (key.generation === 0 || (await takeFromAnybody(deps, key))) continue;
        await calibrateOne(deps, key, signal);
      }
    },
  };
}

/** So small a share of a site's pages says nothing else of foreign questions than it said before. */
const CHANGED_SHARE_MAX = 0.1;

/** Takes over the calibration of a generation before, where few pages have changed since it was measured. */
async function takeOver(store: CalibrationStore, key: CalibrationKey): Promise<boolean> {
  const { siteId, generation } = key;
  const known = await store.nearest(key);
  if (known === undefined || known.generation > generation) return false;
  const changes = await store.changes(siteId, known.generation, generation);
  if (changes === undefined) return false;
  const pagesChanged = known.pagesChanged + changes.changed;
  if (pagesChanged > changes.pages * CHANGED_SHARE_MAX) return false;
  await store.put(key, known.calibration, pagesChanged);
  return true;
}

/**
 * Takes over what was measured of the pages that anybody sees, for those who see hardly more of the same generation. Never the
 * other way round: it would tell of pages that are not for everyone.
 */
async function takeFromAnybody(
  { store, audience, pages }: CalibratorDeps,
  key: CalibrationKey,
): Promise<boolean> {
  const anybody = { ...key, audience: await audience(key, ANYBODY) };
  if (audienceKey(anybody.audience) === audienceKey(key.audience)) return false;
  const known = await store.nearest(anybody);
  if (known?.generation !== key.generation) return false;
  const [seen, all] = await Promise.all([pages(anybody), pages(key)]);
  const pagesChanged = known.pagesChanged + all - seen;
  if (pagesChanged > all * CHANGED_SHARE_MAX) return false;
  await store.put(key, known.calibration, pagesChanged);
  return true;
}

/** Each may take a second. */
const AUDIENCES_MAX = 10;

/** Those who see different pages of a site: whoever is not known, whoever sees all of them, and who asked most of late. */
async function audiencesOf({ store, state, audience }: CalibratorDeps, siteId: number): Promise<Audience[]> {
  const { generation } = await state(siteId);
  const asked = [ANYBODY, "everything" as const, ...(await store.askedBy(siteId, AUDIENCES_MAX))];
  const audiences = await Promise.all(asked.map((each) => audience({ siteId, generation }, each)));
  const distinct = new Map(audiences.map((each) => [audienceKey(each), each]));
  return [...distinct.values()].slice(0, AUDIENCES_MAX);
}

async function calibrateOne(deps: CalibratorDeps, key: CalibrationKey, signal: AbortSignal): Promise<void> {
  const { siteId, generation, audience, embedderId, revision } = key;
  const asked = await askAll(deps, { siteId, audience }, signal);
  if (asked.length < QUESTIONS_MIN || (embedderId !== undefined && isModelAway(asked))) return;
  // What was asked of two generations, or of two embedders' vectors, is of neither.
  const now = await deps.state(siteId);
  if (now.generation !== generation || now.embedder?.id !== embedderId) return;
  if (calibrationRevision(isEnriched(now.enrichment)) !== revision) return;
  await deps.store.put(key, calibrationOf(asked.map(({ evidence }) => bestOf(evidence))));
}

/** A few questions get no vector: the built-in model does not know their words. Without it, none does. */
const isModelAway = (asked: readonly Asked[]) =>
  asked.filter(({ byMeaning }) => byMeaning).length < asked.length * VECTORS_SHARE_MIN;

/** Asks the foreign questions, as many as there is time for; none where the site is too small. */
async function askAll(
  { survey, clock }: CalibratorDeps,
  { siteId, audience }: Pick<CalibrationKey, "siteId" | "audience">,
  signal: AbortSignal,
): Promise<Asked[]> {
  const { passages, ask } = await survey(siteId, audience);
  if (passages < CALIBRATED_PASSAGES_MIN) return [];
  const questions = inSteps(foreignQuestions.trim().split("\n"));
  const until = clock() + TIME_MAX_MS;
  const all: Asked[] = [];
  for (const question of questions) {
    signal.throwIfAborted();
    if (clock() >= until) break;
    await letOthersRun();
    all.push(await ask(question));
  }
  return all;
}

function inSteps(questions: readonly string[]): string[] {
  return questions.flatMap((_, index) => questions[(index * STEP) % questions.length] ?? []);
}

/** What a passage's words are worth beside its nearness, where one passage is chosen for both. */
const COVERED_SHARE = 0.5;

function bestOf(evidence: readonly [Evidence, ...Evidence[]]): Evidence {
  const worth = ({ covered, near = 0 }: Evidence) => COVERED_SHARE * covered + near;
  return evidence.reduce((best, each) => (worth(each) > worth(best) ? each : best));
}

function calibrationOf(best: readonly Evidence[]): Calibration {
  const near = best.flatMap(({ near }) => (near === undefined ? [] : [near]));
  return {
    covered: spreadOf(
      best.map(({ covered }) => covered),
      DEVIATION_MIN.covered,
    ),
    near: near.length < QUESTIONS_MIN ? undefined : spreadOf(near, DEVIATION_MIN.near),
    familiar: spreadOf(
      best.map(({ familiar }) => familiar),
      DEVIATION_MIN.familiar,
    ),
  };
}

function spreadOf(values: readonly number[], deviationMin: number): Spread {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length;
  return { mean, deviation: Math.max(deviationMin, Math.sqrt(variance)) };
}
