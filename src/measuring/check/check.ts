import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { letOthersRun } from "@docent/kernel/lib/event-loop";
import { docentSystems } from "../eval/docent-system.ts";
import {
  type CheckDeps,
  type CheckedDocs,
  type CheckedPage,
  lookAtDocs,
  type ReadDocs,
} from "./checked-docs.ts";
import { type Changes, compareDocs, compareQuestions } from "./compare.ts";
import { findOrphans, findUnfindable } from "./findable.ts";
import {
  type Finding,
  type Found,
  RULE_NAMES,
  RULES,
  type RuleName,
  SEVERITIES,
  type Severity,
} from "./finding.ts";
import { createLineFinder } from "./lines.ts";
import { findInPages } from "./page-rules.ts";
import { type AskedQuestion, askQuestions, type KeptQuestions, questionFindings } from "./questions.ts";

export type { ReadDocs } from "./checked-docs.ts";
export {
  type Finding,
  isAsGrave,
  isRuleName,
  RULE_NAMES,
  RULES,
  type RuleName,
  SEVERITIES,
  type Severity,
} from "./finding.ts";
export type { KeptQuestions } from "./questions.ts";

interface CheckOptions {
  questions: KeptQuestions | undefined;
  /** Among so many pages the one must be that a question or a title asks for. */
  results: number;
  /** The relevance from which docs cover a question. */
  relevanceMin: number;
  ignored: ReadonlySet<RuleName>;
  signal: AbortSignal;
  onProgress(what: string): void;
}

/** One state of docs, with all that rules find in it. */
interface CheckedState {
  docs: CheckedDocs;
  asked: AskedQuestion[];
  found: Found[];
}

export interface CheckReport {
  /** The docs generator that was recognized. */
  generator: string | undefined;
  pages: number;
  /** Whether there are more pages than are looked at. */
  isPart: boolean;
  /** The gravest first; at most `FINDINGS_MAX`. */
  findings: Finding[];
  /** Of all findings, also those that are not listed. */
  counts: Record<Severity, number>;
  /** The kept questions as they were asked; undefined where there are none. */
  questions: AskedQuestion[] | undefined;
  changes: Changes | undefined;
}

/** What code hosts take of one report. */
const FINDINGS_MAX = 5_000;

/** Finds what rules find in docs that were read. */
export async function checkDocs(
  deps: CheckDeps,
  read: ReadDocs,
  options: CheckOptions,
): Promise<CheckedState> {
  const { questions, ignored, signal, onProgress } = options;
  onProgress("looking at the pages");
  const docs = await lookAtDocs(deps, read, signal);
  const index = { search: deps.search, siteId: docs.site.id, embedder: "builtin", places: undefined };
  const asking = (what: string) => ({
    ...options,
    system: docentSystems(index).fused,
    onProgress: (done: number, all: number) => onProgress(`${done} of ${all} ${what} asked`),
  });
  const found: Found[] = [];
  for (const each of findInPages(docs)) found.push(each);
  if (!ignored.has("orphan-page")) found.push(...(await findOrphans(docs, signal)));
  await letOthersRun();
  found.push(...(await findUntitled(docs, signal)));
  const asked = questions === undefined ? [] : await askQuestions(questions, asking("questions"));
  if (questions !== undefined) found.push(...questionFindings(questions, asked, options));
  if (!ignored.has("title-not-found")) found.push(...(await findUnfindable(docs, asking("titles"))));
  return { docs, asked, found: found.filter(({ rule }) => !ignored.has(rule)) };
}

interface Before {
  /** The revision, as it was named. */
  against: string;
  state: CheckedState;
}

/** Puts together what was found, and what has changed since an earlier state. */
export async function reportOn(
  now: CheckedState,
  before: Before | undefined,
  { questions, ignored }: Pick<CheckOptions, "questions" | "ignored">,
): Promise<CheckReport> {
  const { docs, asked } = now;
  const compared = before && compareDocs(before.state.docs, docs);
  const ofQuestions = before && compareQuestions(before.state.asked, asked, questions?.file ?? "");
  const ofChange = [...(compared?.findings ?? []), ...(ofQuestions?.findings ?? [])];
  const found = [...now.found, ...ofChange.filter(({ rule }) => !ignored.has(rule))];
  const isNew = newsOf(before?.state.found, compared?.fileNow ?? ((file) => file));
  const counts = { error: 0, warning: 0, note: 0 };
  for (const { rule } of found) counts[RULES[rule].severity] += 1;
  const lineOf = createLineFinder(docs.folder);
  const findings: Finding[] = [];
  for (const each of found.toSorted(byGravity).slice(0, FINDINGS_MAX)) {
    const { rule, file, message } = each;
    const { severity } = RULES[rule];
    findings.push({ rule, severity, file, line: await lineOf(each), message, isNew: isNew(each) });
  }
  findings.sort(byGravity);

  return {
    generator: docs.report.docs?.generator,
    pages: docs.pages.length,
    isPart: docs.isPart,
    findings,
    counts,
    questions: questions && asked,
    changes: before && {
      against: before.against,
      added: [],
      removed: [],
      moved: [],
      ...compared?.changes,
      questions: ofQuestions?.questions ?? [],
    },
  };
}

type Placed = Pick<Finding, "rule" | "file"> & { line?: number | undefined };

const rankOf = ({ rule }: Placed) =>
  SEVERITIES.indexOf(RULES[rule].severity) * RULE_NAMES.length + RULE_NAMES.indexOf(rule);

const byGravity = (a: Placed, b: Placed) =>
  rankOf(a) - rankOf(b) || (a.file < b.file ? -1 : a.file > b.file ? 1 : 0) || (a.line ?? 0) - (b.line ?? 0);

const identity = ({ rule, file, key }: Found) => JSON.stringify([rule, file, key]);

/** Tells whether a finding was not there before. Of several alike, as many are old as there were. */
function newsOf(before: readonly Found[] | undefined, fileNow: (file: string) => string) {
  if (before === undefined) return () => undefined;
  const old = new Map<string, number>();
  for (const each of before) {
    const key = identity({ ...each, file: fileNow(each.file) });
    old.set(key, (old.get(key) ?? 0) + 1);
  }
  return (each: Found): boolean => {
    const left = old.get(identity(each)) ?? 0;
    if (left > 0) old.set(identity(each), left - 1);
    return left === 0;
  };
}

/** The pages that are called by their file's name alone. */
async function findUntitled({ pages, folder }: CheckedDocs, signal: AbortSignal): Promise<Found[]> {
  const found: Found[] = [];
  for (const { file, title } of pages.filter(isCalledByItsName)) {
    signal.throwIfAborted();
    const text = await readFile(join(folder, file), "utf8").catch(() => "");
    // The name may be what its author chose as the title.
    if (TITLE_GIVEN.test(text.slice(0, HEAD_CHARACTERS))) continue;
    found.push({
      rule: "missing-title",
      file,
      key: "",
      line: 1,
      message: `The page has no title: its file's name, "${title}", stands in for it. Begin it with a heading of the first level, or give it a title in its front matter.`,
    });
  }
  return found;
}

const TITLE_GIVEN =
  /^\s{0,8}"?(?:title|sidebarTitle|sidebar_label|linkTitle|nav_title)"?\s*[:=]|<title|<h1|^:?=+ \S|^=head1 +name\b|^#\+title:/im;
const HEAD_CHARACTERS = 20_000;
/** A manual page is called by its name and section, and no title would be better. */
const MANUAL_FILE = /\.[1-9][a-z0-9+]{0,12}(?:\.gz)?$/i;
/** HTML without a heading is a part of other pages. */
const PART_FILE = /\.html?$/i;

function isCalledByItsName({ path, title, file, headings }: CheckedPage): boolean {
  if (headings.some(({ level, words }) => level === 1 && words !== "")) return false;
  if (MANUAL_FILE.test(file)) return false;
  if (PART_FILE.test(file) && headings.length === 0) return false;
  return (
    letters(title) ===
    letters(
      path
        .replace(/\.html$/, "")
        .split("/")
        .at(-1) || "Home",
    )
  );
}

const letters = (name: string) => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
