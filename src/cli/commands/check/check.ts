import { mkdirSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { isAbsolute, join, relative, sep } from "node:path";
import { relevanceMinOfServer } from "@docent/finding/search/search";
import { AppError } from "@docent/kernel/errors";
import { SECOND_MS } from "@docent/kernel/lib/clock";
import { VERSION } from "@docent/kernel/version";
import {
  type CheckReport,
  checkDocs,
  type Finding,
  isAsGrave,
  isRuleName,
  RULE_NAMES,
  type RuleName,
  reportOn,
  SEVERITIES,
  type Severity,
} from "@docent/measuring/check/check";
import { type Reported, writeJunit, writeSarif } from "@docent/measuring/check/formats/formats";
import { ANCHOR_STYLES } from "@docent/reading/markdown/anchors";
import { z } from "zod";
import { type Command, type Context, textOption, textsOption, word } from "../../command.ts";
import { createProgress, printJson } from "../../output.ts";
import { QUESTIONS_NAME, readKeptQuestions } from "./kept-questions.ts";
import { folderOf, openEmpty, readDocs } from "./read-docs.ts";
import { show } from "./show.ts";

/** The exit code where something was found: 1 says that nothing could be checked. */
const FOUND = 2;
const RESULTS = 5;
const SHOWN = 10;
const SECONDS = 900;
const SECONDS_MAX = 24 * 3600;
const FORMATS = ["text", "junit", "sarif"] as const;

const FINDING_SHAPE = z.object({
  rule: z.enum(RULE_NAMES),
  severity: z.enum(SEVERITIES),
  file: z.string(),
  line: z.int().nullable(),
  message: z.string(),
  isNew: z
    .boolean()
    .nullable()
    .meta({ description: "It is not in the revision of --against; null without one." }),
});

const rank = z.int().nullable().meta({ description: "From 1; null where it would not be answered." });

const REPORT_SHAPE = z.object({
  generator: z.string().nullable().meta({ description: "The docs generator that was recognized." }),
  pages: z.int(),
  isPart: z.boolean().meta({ description: "There are more pages than are looked at." }),
  counts: z.object({ error: z.int(), warning: z.int(), note: z.int() }),
  findings: z.array(FINDING_SHAPE),
  questions: z
    .array(
      z.object({
        question: z.string(),
        line: z.int(),
        expected: z.array(z.string()),
        rank: z.int().nullable().meta({ description: "From 1; null where no expected page is found." }),
        before: z.array(z.string()),
        relevance: z.number(),
        isAnswered: z.boolean(),
      }),
    )
    .nullable(),
  changes: z
    .object({
      against: z.string(),
      added: z.array(z.string()),
      removed: z.array(z.string()),
      moved: z.array(z.object({ from: z.string(), to: z.string(), isRedirected: z.boolean() })),
      questions: z.array(z.object({ question: z.string(), before: rank, now: rank, isBetter: z.boolean() })),
    })
    .nullable(),
});

export const check: Command = {
  words: [1, 1],
  json: { shape: REPORT_SHAPE },
  options: {
    questions: { type: "string" },
    results: { type: "string" },
    against: { type: "string" },
    "new-only": { type: "boolean" },
    "fail-on": { type: "string" },
    ignore: { type: "string", multiple: true },
    format: { type: "string" },
    junit: { type: "string" },
    sarif: { type: "string" },
    show: { type: "string" },
    seconds: { type: "string" },
    url: { type: "string" },
    anchors: { type: "string" },
  },
  optionHelp: {
    questions: `a file of kept questions, with lines of {question, expected, language?, version?}; ${QUESTIONS_NAME} in the folder otherwise, where there is one`,
    results: `among so many pages the one must be that a question or a title asks for; ${RESULTS} otherwise`,
    against: "a git revision of the folder's repository, such as origin/main, to say what has changed since",
    "new-only": "with --against: only findings that are new count, and only they are shown",
    "fail-on": "the least severity that counts: error, warning or note; or never. error otherwise",
    ignore: "a rule that is not looked at; may be given several times",
    format: "what is printed: text, junit or sarif",
    junit: "also write a report in JUnit's XML to this file",
    sarif: "also write a report in SARIF to this file",
    show: `how many findings of each rule are printed as text; ${SHOWN} otherwise`,
    seconds: `how long it may take; ${SECONDS} otherwise`,
    url: "where the docs are published, so that links to that address are looked at too",
    anchors: `how the site's headings get their anchors: ${ANCHOR_STYLES.join(", ")}`,
  },
  async run(context) {
    const asked = readOptions(context);
    const folder = await folderOf(word(context, 0));
    const report = await makeReport(context, folder, asked);
    const { failsOn } = asked;
    const counts = (finding: Finding) => !asked.isNewOnly || finding.isNew === true;
    const placeOf = (file: string) => fromHere(isAbsolute(file) ? file : join(folder, file));
    const reported: Reported = { report, version: VERSION, failsOn, counts, placeOf };
    if (asked.junit !== undefined) await write(asked.junit, writeJunit(reported));
    if (asked.sarif !== undefined) await write(asked.sarif, writeSarif(reported));
    print(context, reported, asked);
    const fails = (finding: Finding) =>
      failsOn !== undefined && isAsGrave(finding.severity, failsOn) && counts(finding);
    return report.findings.some(fails) ? FOUND : 0;
  },
};

type Asked = ReturnType<typeof readOptions>;

/** Reads the options. Raises `invalid_request` before anything is read. */
function readOptions(context: Context) {
  const against = textOption(context, "against");
  const isNewOnly = context.options["new-only"] === true;
  if (isNewOnly && against === undefined)
    throw new AppError("invalid_request", "--new-only needs a revision to compare with.", {
      hint: "docent check <folder> --against origin/main --new-only",
    });
  const format = choice(context, "format", FORMATS) ?? "text";
  if (format !== "text" && context.options["json"] === true)
    throw new AppError("invalid_request", `--json and --format ${format} cannot both be printed.`, {
      hint: `--${format} <file> writes it to a file besides.`,
    });
  const failOn = choice(context, "fail-on", [...SEVERITIES, "never"] as const) ?? "error";
  return {
    against,
    isNewOnly,
    format,
    failsOn: failOn === "never" ? undefined : (failOn satisfies Severity),
    ignored: new Set((textsOption(context, "ignore") ?? []).map(ruleOf)),
    results: number(context, "results", 1, 50) ?? RESULTS,
    shown: number(context, "show", 1, 100_000) ?? SHOWN,
    seconds: number(context, "seconds", 1, SECONDS_MAX) ?? SECONDS,
    junit: textOption(context, "junit"),
    sarif: textOption(context, "sarif"),
    readAs: { url: textOption(context, "url"), anchors: choice(context, "anchors", ANCHOR_STYLES) },
  };
}

function choice<Name extends string>(
  context: Context,
  option: string,
  names: readonly Name[],
): Name | undefined {
  const given = textOption(context, option);
  const found = names.find((name) => name === given);
  if (given === undefined || found !== undefined) return found;
  throw new AppError("invalid_request", `--${option} is one of ${names.join(", ")}, not ${given}.`);
}

function number(context: Context, option: string, least: number, most: number): number | undefined {
  const given = textOption(context, option);
  if (given === undefined) return undefined;
  const value = /^\d{1,9}$/.test(given) ? Number(given) : Number.NaN;
  if (value >= least && value <= most) return value;
  throw new AppError("invalid_request", `--${option} is a number from ${least} to ${most}, not ${given}.`);
}

function ruleOf(name: string): RuleName {
  if (isRuleName(name)) return name;
  throw new AppError("invalid_request", `There is no rule ${name}.`, {
    hint: `The rules are ${RULE_NAMES.join(", ")}.`,
  });
}

/** Reads the folder, and the same folder of the revision, into a temporary directory, and compares them. */
async function makeReport(context: Context, folder: string, asked: Asked): Promise<CheckReport> {
  using temporary = context.temporaryFolder();
  const progress = createProgress(context.terminal, context.surroundings.clock);
  const late = AbortSignal.timeout(asked.seconds * SECOND_MS);
  const signal = AbortSignal.any([context.signal, late]);
  const parts = await openEmpty(context, temporary.path);
  try {
    const deps = { pages: parts.content.pages, search: parts.content.search };
    const reading = { signal, progress };
    const read = await readDocs(parts, { domain: "now", folder }, asked.readAs, reading);
    const options = {
      questions: await readKeptQuestions(context, parts.content, read),
      results: asked.results,
      relevanceMin: relevanceMinOfServer(context.surroundings.config),
      ignored: asked.ignored,
      signal,
      onProgress: progress.show,
    };
    const now = await checkDocs(deps, read, options);
    if (asked.against === undefined) return await reportOn(now, undefined, options);
    const earlier = await readRevision(context, {
      folder,
      revision: asked.against,
      into: temporary.path,
      signal,
    });
    const before = await readDocs(parts, { domain: "before", folder: earlier }, asked.readAs, {
      ...reading,
      mayBeEmpty: true,
    });
    const state = await checkDocs(deps, before, options);
    return await reportOn(now, { against: asked.against, state }, options);
  } catch (error) {
    if (late.aborted && !context.signal.aborted) throw tooLate(asked.seconds);
    throw error;
  } finally {
    progress.clear();
    await parts.close();
  }
}

async function readRevision(
  context: Context,
  { into, ...revision }: { folder: string; revision: string; into: string; signal: AbortSignal },
): Promise<string> {
  const { checkOut } = await import("@docent/reading/sources/git/git");
  const own = join(into, "revision");
  mkdirSync(own);
  return checkOut({ ...revision, into: own, environment: context.surroundings.environment });
}

const tooLate = (seconds: number) =>
  new AppError("unavailable", `The docs were not checked within ${seconds} seconds.`, {
    hint: "Name a smaller folder, leave rules out with --ignore, or give it longer with --seconds.",
  });

/** A file as people here and code hosts name it: from where the command runs, if it is below. */
function fromHere(file: string): string {
  const near = relative("", file);
  return near === ".." || near.startsWith(`..${sep}`) || isAbsolute(near)
    ? file
    : near.replaceAll(sep, "/") || ".";
}

async function write(file: string, text: string): Promise<void> {
  try {
    await writeFile(file, text);
  } catch (cause) {
    throw new AppError("invalid_request", `The report could not be written to ${file}.`, {
      hint: "Does its folder exist, and may it be written to?",
      cause,
    });
  }
}

function print(context: Context, reported: Reported, { format, shown }: Asked): void {
  const { report, counts, placeOf } = reported;
  if (context.options["json"] === true) printJson(context, toJson(report, placeOf));
  else if (format === "junit") context.terminal.data(writeJunit(reported));
  else if (format === "sarif") context.terminal.data(writeSarif(reported));
  else context.terminal.out(show(report, { findings: report.findings.filter(counts), most: shown, placeOf }));
}

function toJson(report: CheckReport, placeOf: Reported["placeOf"]): z.infer<typeof REPORT_SHAPE> {
  const { generator, findings, questions, changes, ...rest } = report;
  return {
    ...rest,
    generator: generator ?? null,
    findings: findings.map(({ file, line, isNew, ...finding }) => ({
      ...finding,
      file: placeOf(file),
      line: line ?? null,
      isNew: isNew ?? null,
    })),
    questions: questions?.map((asked) => ({ ...asked, rank: asked.rank ?? null })) ?? null,
    changes:
      changes === undefined
        ? null
        : {
            ...changes,
            questions: changes.questions.map(({ before, now, ...question }) => ({
              ...question,
              before: before ?? null,
              now: now ?? null,
            })),
          },
  };
}
