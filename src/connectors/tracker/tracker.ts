import type { ListedPage, ServerLeftOut } from "../connector.ts";
import { isBot } from "./write.ts";

export { readList } from "./lists.ts";
export { menuOfQuestions } from "./menu.ts";
export { type AskedQuestion, type Comment, isBot, writeQuestion } from "./write.ts";

/*
 * What the connectors of issue trackers share: which issues and discussions become pages, how one is written, and how their
 * APIs hand out lists.
 */

/** What a tracker says of an issue before it is read. */
export interface ListedQuestion {
  page: ListedPage;
  author: string;
  labels: readonly string[];
  /** How many comments it has, its tracker's own notes apart; undefined where its list does not say it. */
  comments?: number | undefined;
  /** What it is one of, "confidential issues", where that speaks against it. */
  against?: string | undefined;
  /** It was closed without being done: a question may have been answered all the same. */
  isNotDone?: boolean | undefined;
}

/** Decides of listed issues which are to be read, and counts the others by what speaks against them. */
export interface QuestionChoice {
  take(question: ListedQuestion): void;
  /** Counts some that are not even listed. */
  leaveOut(count: number, what: string): void;
  /** How many are to be read. */
  readonly taken: number;
  pages(): ListedPage[];
  leftOut(): ServerLeftOut[];
}

const NOT_DONE = /\b(?:won'?t ?fix|duplicate|invalid|spam|not planned|off topic|rejected|declined)\b/i;
const IS_QUESTION = /\b(?:question|questions|support|faq|how ?to|usage|answered|help)\b/i;

/** Labels are written "resolution::won't-fix", "type: question", "kind/support". */
const wordsOfLabel = (label: string) => label.replace(/[-_:/]+/g, " ");
const isQuestionLabel = (label: string) =>
  IS_QUESTION.test(wordsOfLabel(label)) && !/\bwanted\b/i.test(label);

/** `place` is where people see the issues: each line of what was left out leads there. */
export function createChoice(place: string): QuestionChoice {
  const pages = new Map<string, ListedPage>();
  const counts = new Map<string, number>();
  const leaveOut = (count: number, what: string) => {
    if (count > 0) counts.set(what, (counts.get(what) ?? 0) + count);
  };
  return {
    take(question) {
      const what = whatSpeaksAgainst(question);
      if (what !== undefined) leaveOut(1, what);
      // What is new shifts the parts of a list, so that one issue may come twice.
      else pages.set(question.page.address, { ...question.page, title: question.page.title.trim() });
    },
    leaveOut,
    get taken() {
      return pages.size;
    },
    pages: () => [...pages.values()],
    leftOut: () =>
      [...counts].map(([what, count], index) => ({
        // A line has an address of its own.
        address: `${place}#left-out-${index + 1}`,
        detail: `has ${what}: ${count} left out`,
      })),
  };
}

function whatSpeaksAgainst({
  author,
  labels,
  comments,
  against,
  isNotDone = false,
}: ListedQuestion): string | undefined {
  if (against !== undefined) return against;
  if (labels.some((label) => NOT_DONE.test(wordsOfLabel(label))))
    return "issues marked as a duplicate, invalid, spam, or not to be done";
  if (isNotDone && !labels.some(isQuestionLabel)) return "issues closed without being done";
  if (isBot(author)) return "issues opened by a bot";
  return comments === 0 ? "issues that nobody has commented on" : undefined;
}
