import type { CheckedDocs, CheckedPage } from "./checked-docs.ts";
import { pathShown } from "./findable.ts";
import type { Found } from "./finding.ts";
import { SAME_MIN } from "./page-rules.ts";
import type { AskedQuestion } from "./questions.ts";
import { createTwins } from "./sketch.ts";

/** What has changed between two states of docs. */
export interface Changes {
  /** The revision that the docs were compared with, as it was named. */
  against: string;
  /** Paths. */
  added: string[];
  removed: string[];
  moved: { from: string; to: string; isRedirected: boolean }[];
  questions: { question: string; before: number | undefined; now: number | undefined; isBetter: boolean }[];
}

type Place = Pick<CheckedPage, "path" | "version" | "language">;
const keyOf = ({ path, version, language }: Place) => JSON.stringify([path, version, language]);

interface Compared {
  changes: Omit<Changes, "against">;
  findings: Found[];
  /** The file that a file of the earlier state is now. */
  fileNow(file: string): string;
}

/** Compares docs with an earlier state of them. */
export function compareDocs(before: CheckedDocs, now: CheckedDocs): Compared {
  const [known, kept] = [new Set(before.pages.map(keyOf)), new Set(now.pages.map(keyOf))];
  const added = now.pages.filter((page) => !known.has(keyOf(page)));
  const gone = before.pages.filter((page) => !kept.has(keyOf(page)));
  const findTwins = createFindTwins(added);
  const files = new Map<string, string>();
  const isTaken = new Set<CheckedPage>();
  const changes: Compared["changes"] = { added: [], removed: [], moved: [], questions: [] };
  const findings: Found[] = [];
  for (const page of gone) {
    const to = findTwins(page).find((each) => !isTaken.has(each));
    const { version, language } = page;
    const isRedirected = now.menus.redirect(page.path, { version, language }) !== undefined;
    if (to !== undefined) {
      isTaken.add(to);
      files.set(page.file, to.file);
      changes.moved.push({ from: page.path, to: to.path, isRedirected });
    } else changes.removed.push(page.path);
    if (!isRedirected) findings.push(goneFinding(page, to));
  }
  changes.added = added.filter((page) => !isTaken.has(page)).map(({ path }) => path);
  return { changes, findings, fileNow: (file) => files.get(file) ?? file };
}

/** Finds the pages that say what another one says, of its version and language. */
function createFindTwins(pages: readonly CheckedPage[]) {
  const twins = createTwins<CheckedPage>();
  for (const page of pages) twins.add(page);
  const exact = Map.groupBy(pages, ({ contentHash }) => contentHash);
  return (page: CheckedPage): CheckedPage[] =>
    [
      ...(exact.get(page.contentHash) ?? []),
      ...twins.find(page.sketch, SAME_MIN).map(({ twin }) => twin),
    ].filter(({ version, language }) => version === page.version && language === page.language);
}

function goneFinding({ path, file }: CheckedPage, to: CheckedPage | undefined): Found {
  const key = path;
  if (to === undefined)
    return {
      rule: "page-removed",
      file,
      key,
      message: `The page ${pathShown(path)} is no more, and its address leads nowhere. Add a redirect to the page that says what readers look for there.`,
    };
  return {
    rule: "page-moved",
    file: to.file,
    key,
    line: 1,
    message: `The page has moved from ${pathShown(path)} to ${pathShown(to.path)}, and its old address leads nowhere. Add a redirect from the old address.`,
  };
}

/** Beyond every rank: a question that would not be answered. */
const UNANSWERED = Number.POSITIVE_INFINITY;
const standing = ({ rank, isAnswered }: AskedQuestion) => (isAnswered ? (rank ?? UNANSWERED) : UNANSWERED);
const shownRank = (rank: number) => (rank === UNANSWERED ? undefined : rank);

/** The questions that find their page earlier or later than before. */
export function compareQuestions(
  before: readonly AskedQuestion[],
  now: readonly AskedQuestion[],
  file: string,
): { questions: Changes["questions"]; findings: Found[] } {
  const questions: Changes["questions"] = [];
  const findings: Found[] = [];
  for (const [index, asked] of now.entries()) {
    const earlier = before[index];
    if (earlier === undefined) continue;
    const [was, is] = [standing(earlier), standing(asked)];
    if (was === is) continue;
    const { question, line } = asked;
    questions.push({ question, before: shownRank(was), now: shownRank(is), isBetter: is < was });
    if (is < was) continue;
    const instead =
      asked.before.length === 0 ? "" : ` Before it comes ${asked.before.map(pathShown).join(", ")}.`;
    const now = is === UNANSWERED ? "is not answered now" : `finds it at place ${is} now`;
    findings.push({
      rule: "question-worse",
      file,
      key: question,
      line,
      message: `"${question}" found its page at place ${was} before, and ${now}.${instead} Look at what changed in these pages.`,
    });
  }
  return { questions, findings };
}
