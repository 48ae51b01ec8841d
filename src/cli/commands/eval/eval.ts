import { basename } from "node:path";
import { AppError } from "@docent/kernel/errors";
import { answersTables } from "@docent/measuring/eval/answers/answers";
import {
  DATASET_HINT,
  type Dataset,
  dataFolder,
  findDataset,
  parseQuestions,
  readDataset,
  type Task,
} from "@docent/measuring/eval/datasets/datasets";
import { docentSystems } from "@docent/measuring/eval/docent-system";
import { evaluate, type Loss, type Miss, type TaskResult } from "@docent/measuring/eval/evaluate";
import { calibrate, type GateReport } from "@docent/measuring/eval/gate/gate";
import { identifierTables, readIdentifierSet } from "@docent/measuring/eval/identifiers/identifiers";
import { keepKnownPlaces } from "@docent/measuring/eval/known-places";
import { type EvalQuestion, type System, sampleOf } from "@docent/measuring/eval/question";
import { choicesTable, gateTable, type Table, tablesOf } from "@docent/measuring/eval/tables";
import { measureTypos, type TypoReport, typosTable } from "@docent/measuring/eval/typos/typos";
import type { Parts } from "@docent/running/app/parts";
import { z } from "zod";
import { type Command, type Context, textOption, word } from "../../command.ts";
import { isStandard, readTextFile } from "../../files.ts";
import { createProgress, printJson, printNote, printTable } from "../../output.ts";
import { type AnsweringSite, measureAnswers } from "./answers.ts";
import { openSet } from "./set.ts";

const UNKNOWN_SHOWN = 10;
const QUESTIONS_BYTES_MAX = 1024 ** 3;

/** The fields depend on what was measured; the documentation describes them. */
const MEASURED_SHAPE = z.object({
  name: z.string(),
  pages: z.int().optional(),
  passages: z.int().optional(),
  silent: z.array(z.string()).optional(),
  reports: z.array(z.looseObject({})).optional(),
  misses: z.array(z.looseObject({})).optional(),
  losses: z.array(z.looseObject({})).optional(),
  gate: z.looseObject({}).optional(),
  typos: z.looseObject({}).optional(),
  answers: z.array(z.looseObject({})).optional(),
});

/** Questions, and a site that should answer them. */
interface Prepared {
  name: string;
  parts: Parts;
  siteId: number;
  tasks: Task[];
  /** Ways of searching; the first is the one that the others are compared with. */
  systems: System[];
  /** The search that readers get. */
  own: System;
  /** The same without corrections of misspelled words. */
  uncorrected: System;
  answering: AnsweringSite;
  asks: "set" | "owner's file" | "identifiers";
  close(): void;
}

export const evaluation: Command = {
  words: [1, 1],
  json: { shape: MEASURED_SHAPE },
  options: {
    site: { type: "string" },
    identifiers: { type: "boolean" },
    gate: { type: "boolean" },
    answers: { type: "boolean" },
    typos: { type: "boolean" },
    subset: { type: "string" },
    sample: { type: "string" },
    fresh: { type: "boolean" },
  },
  optionHelp: {
    site: "the site that a questions file asks; its lines are {question, expected, subset?, language?, version?}",
    identifiers:
      "asks a folder of Markdown for names and phrases of its own that only a few of its pages contain",
    gate: "measures, instead, the threshold below which the docs do not cover a question",
    answers:
      "measures what answers say and cite instead: of the quoting responder, and of a model that --model names",
    typos: "measures, instead, what is still found with one and two misspelled words in each question",
    subset: "only questions of these kinds, separated by commas",
    sample: "at most this many questions, evenly spread over all of them",
    fresh: "reads all pages of the dataset again",
  },
  async run(context) {
    const prepared = await prepare(context);
    try {
      if (context.options["gate"] === true) await runGate(context, prepared);
      else if (context.options["answers"] === true) await runAnswers(context, prepared);
      else if (context.options["typos"] === true) await runTypos(context, prepared);
      else await runScores(context, prepared);
    } finally {
      prepared.close();
    }
  },
};

async function prepare(context: Context): Promise<Prepared> {
  const named = word(context, 0);
  if (isStandard(named) || named.endsWith(".jsonl")) return prepareQuestions(context, named);
  const cache = dataFolder(context.surroundings.config.eval_data);
  if (context.options["identifiers"] === true) {
    return prepareSet(context, await readIdentifierSet(named, cache), cache, "identifiers");
  }
  const folder = findDataset(named, cache);
  if (folder === undefined) {
    throw new AppError("not_found", `There is no set of questions ${named}, here or in ${cache}.`, {
      hint: DATASET_HINT,
    });
  }
  return prepareSet(context, await readDataset(folder), cache, "set");
}

async function prepareSet(
  context: Context,
  dataset: Dataset,
  cache: string,
  asks: "set" | "identifiers",
): Promise<Prepared> {
  const set = await openSet(context, dataset, cache, { baseline: asks === "set" });
  try {
    const tasks = await Promise.all(
      dataset.tasks.filter(hasAsked(context)).map(async ({ name, questions }) => {
        const known = await keepKnownPlaces(choose(context, questions), set.parts.content.pages, set.siteId);
        return { name, questions: known.questions };
      }),
    );
    return { name: dataset.name, ...set, tasks, asks };
  } catch (error) {
    set.close();
    throw error;
  }
}

async function prepareQuestions(context: Context, file: string): Promise<Prepared> {
  const domain = textOption(context, "site");
  if (domain === undefined) {
    throw new AppError("invalid_request", "A questions file asks one of your sites.", {
      hint: `docent eval ${file} --site <domain>`,
    });
  }
  const text = await readTextFile(context, file, QUESTIONS_BYTES_MAX);
  const parts = await context.openParts();
  const site = await parts.people.sites.get(domain);
  const asked = choose(context, parseQuestions(text, file, site.url));
  const { questions, unknown } = await keepKnownPlaces(asked, parts.content.pages, site.id);
  for (const place of unknown.slice(0, UNKNOWN_SHOWN)) {
    printNote(context, `expected, and not in ${domain}: ${place || "/"}`);
  }
  const more = unknown.length - UNKNOWN_SHOWN;
  if (more > 0) printNote(context, `expected, and not in ${domain}: ${more} more`);
  const embedder = context.surroundings.config.embedding_model;
  const index = { search: parts.content.search, siteId: site.id, embedder, places: undefined };
  const { keyword, nearest, fused, uncorrected, enriched, unenriched } = docentSystems(index);
  const { written } = await parts.storage.content.enrichments.counts(site.id);
  return {
    name: basename(file),
    parts,
    siteId: site.id,
    tasks: [{ name: "", questions }],
    systems: [keyword, nearest, ...(written > 0 ? [unenriched, enriched] : [fused])],
    own: fused,
    uncorrected,
    answering: { parts, domain, places: undefined },
    asks: "owner's file",
    close: () => {},
  };
}

/** Names the options that only some tasks take, for the first task to check. */
function hasAsked(context: Context) {
  const asked = textOption(context, "subset")?.split(",");
  return ({ questions }: Task, index: number) =>
    index === 0 || asked === undefined || questions.some(({ subset }) => asked.includes(subset));
}

function choose(context: Context, questions: EvalQuestion[]): EvalQuestion[] {
  const asked = textOption(context, "subset")?.split(",");
  const chosen = questions.filter(({ subset }) => asked === undefined || asked.includes(subset));
  if (chosen.length > 0) return sampleOf(chosen, sampleSize(context));
  const kinds = [...new Set(questions.map(({ subset }) => subset))].filter(Boolean).join(", ");
  throw new AppError("invalid_request", `No question is of the kind ${asked?.join(", ")}.`, {
    hint: kinds === "" ? "These questions are not divided into kinds." : `There are: ${kinds}.`,
  });
}

function sampleSize(context: Context): number {
  const given = textOption(context, "sample");
  if (given === undefined) return Number.POSITIVE_INFINITY;
  if (/^[1-9]\d*$/.test(given)) return Number(given);
  throw new AppError("invalid_request", `--sample is a number from 1, not ${given}.`);
}

async function runScores(context: Context, prepared: Prepared): Promise<void> {
  const { systems } = prepared;
  const results: TaskResult[] = [];
  for (const task of prepared.tasks) results.push(await ask(context, prepared, task, systems));
  const reports = results.flatMap((result) => result.reports);
  const silent = [...new Set(results.flatMap((result) => result.silent))];
  const misses = prepared.asks === "owner's file" ? results.flatMap((result) => result.misses) : [];
  const losses = prepared.asks === "identifiers" ? results.flatMap((result) => result.losses) : [];
  if (context.options["json"] === true) {
    const counts = await prepared.parts.content.pages.countPages(prepared.siteId);
    return printJson(context, { name: prepared.name, ...counts, reports, silent, misses, losses });
  }
  const tables = prepared.asks === "identifiers" ? identifierTables : tablesOf;
  for (const table of reports.flatMap((report) => tables(report, losses))) printScores(context, table);
  for (const name of silent)
    context.terminal.err(`${name}: found nothing for any question, and is left out.\n`);
  for (const miss of misses) context.terminal.out(describeMiss(miss));
  for (const loss of losses) context.terminal.out(describeLoss(loss));
}

async function ask(context: Context, { name }: Prepared, task: Task, systems: System[]): Promise<TaskResult> {
  const all = task.questions.length * systems.length;
  const progress = createProgress(context.terminal, context.surroundings.clock);
  return evaluate(task, systems, {
    nowMs: () => performance.now(),
    signal: context.signal,
    onProgress: (done) => progress.show(`${name}: ${done} of ${all} questions asked`),
  }).finally(progress.clear);
}

async function runGate(context: Context, prepared: Prepared): Promise<void> {
  const { own } = prepared;
  const questions = prepared.tasks[0]?.questions ?? [];
  const progress = createProgress(context.terminal, context.surroundings.clock);
  const gate: GateReport = await calibrate(own, questions, {
    signal: context.signal,
    onProgress: (done) => progress.show(`${prepared.name}: ${done} of ${questions.length} questions asked`),
  }).finally(progress.clear);
  if (context.options["json"] === true) printJson(context, { name: prepared.name, gate });
  else for (const table of [choicesTable(gate), gateTable(gate)]) printScores(context, table);
}

async function runTypos(context: Context, prepared: Prepared): Promise<void> {
  const { name, tasks } = prepared;
  const questions = tasks[0]?.questions ?? [];
  const progress = createProgress(context.terminal, context.surroundings.clock);
  const typos: TypoReport = await measureTypos(prepared, questions, {
    signal: context.signal,
    onProgress: (done) => progress.show(`${name}: ${done} of ${questions.length} questions asked`),
  }).finally(progress.clear);
  if (context.options["json"] === true) printJson(context, { name, typos });
  else printScores(context, typosTable(typos));
}

async function runAnswers(context: Context, prepared: Prepared): Promise<void> {
  const { name, tasks, answering } = prepared;
  const answers = await measureAnswers(context, answering, tasks[0]?.questions ?? []);
  if (context.options["json"] === true) printJson(context, { name, answers });
  else for (const table of answersTables(answers)) printScores(context, table);
}

function printScores({ terminal }: Context, { title, heads, rows }: Table): void {
  terminal.out(`${title}\n`);
  const columns = heads.map((head, index) => [head, (row: string[]) => row[index] ?? ""] as const);
  if (rows.length > 0) printTable(terminal, rows, Object.fromEntries(columns));
  terminal.out("\n");
}

function describeLoss({ question, subset, expected, rank, rankBefore, first }: Loss): string {
  const place = rank === undefined ? "not found" : `at rank ${rank}`;
  return `lost (${subset}): ${question}\n  ${expected.join(" or ")}: ${place}, by keywords alone at ${rankBefore}; first was ${first ?? "nothing"}\n`;
}

function describeMiss({ question, expected, rank, first }: Miss): string {
  const place = rank === undefined ? "not found" : `at rank ${rank}`;
  const instead = first === undefined ? "nothing" : first || "/";
  return `missed: ${question}\n  expected ${expected.map((each) => each || "/").join(" or ")}: ${place}; first was ${instead}\n`;
}
