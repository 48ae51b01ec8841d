import { AppError } from "@docent/kernel/errors";
import { type ZodType, z } from "zod";
import type {
  ListedPage,
  ServerAccess,
  ServerLeftOut,
  ServerMenuEntry,
  ServerRequest,
} from "../connector.ts";
import { createOnward } from "../onward.ts";
import { jsonSaid } from "../said.ts";
import { isBot } from "./write.ts";

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
  /** Whether the issue was closed without being done: a question may have been answered all the same. */
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

/** A hundred thousand issues, where a hundred come at once. */
const PARTS_MAX = 1_000;
const NEXT = /<([^<>]{1,2000})>\s*;\s*rel="?next"?/;

/**
 * The parts of a list that says in its header where the next one is. A tracker may call itself by another name than the
 * one by which it is reached: it is asked where the first part was.
 */
export async function* readList<T>(
  server: ServerAccess,
  address: string,
  { item, request }: { item: ZodType<T>; request?: ServerRequest },
): AsyncGenerator<T[]> {
  const list = z.array(item);
  const isNew = createOnward(address);
  let next: string | undefined = address;
  for (let part = 0; next !== undefined && part < PARTS_MAX; part++) {
    const asked: string = next;
    isNew(asked);
    const accept = { accept: "application/json", ...request?.headers };
    const { status, headers, body } = await server.ask(asked, { ...request, headers: accept });
    if (status >= 400)
      throw new AppError("not_found", `There is nothing at ${asked}.`, {
        hint: "Look at the address of the source, and whether what it signs in with may read it.",
      });
    const parsed = list.safeParse(jsonSaid(body));
    if (!parsed.success)
      throw new AppError("unavailable", `${asked} answers with something that cannot be read.`, {
        hint: "Look at the address and the kind of the source, and at what the server answers there.",
        cause: parsed.error,
      });
    yield parsed.data;
    const link = NEXT.exec(headers.get("link") ?? "")?.[1];
    const url = link === undefined ? null : URL.parse(link, asked);
    const following = url === null ? undefined : new URL(asked).origin + url.pathname + url.search;
    next = following === asked ? undefined : following;
  }
}

/** One group with all questions, by the year in which they last changed, the newest first. */
export function menuOfQuestions(pages: readonly ListedPage[]): ServerMenuEntry[] {
  if (pages.length === 0) return [];
  const newest = pages.toSorted((a, b) => b.changedAt.localeCompare(a.changedAt));
  const byYear = Map.groupBy(newest, ({ changedAt }) => changedAt.slice(0, 4));
  const entries = (some: readonly ListedPage[]) =>
    some.map(({ title, address }) => ({ label: title, address, children: [] }));
  const children = [...byYear].map(([label, some]) => ({ label, children: entries(some) }));
  return [{ label: "Questions", children }];
}
