import type { Answer, AnswerDeps, AnswerRequest } from "@docent/answering/answer/answer";
import type { AnswerEvent } from "@docent/answering/answer/events";
import type { Hit, Search } from "@docent/finding/search/search";
import { AppError } from "@docent/kernel/errors";
import { readOutline } from "@docent/reading/markdown/md/md";
import type { SetPassages } from "../datasets/datasets.ts";
import { canonicalPath, type EvalQuestion } from "../question.ts";
import { citedSentences } from "./citations.ts";
import type { AnswerPassage, GivenAnswer } from "./scores.ts";

/** What clients get when they do not ask for a number. */
const PAGE_SIZE = 5;
/** A page has many passages: with its pages taken out, a question should still get as many as any other. */
const PAGE_SIZE_WITHOUT = 50;

type Site = AnswerRequest["site"];
type Threads = AnswerDeps["threads"];
type TurnEnd = Parameters<Threads["finish"]>[1];

/** The way from question to answer, with one responder. */
export interface AnswerLine {
  name: string;
  /** Answers a question; with `without`, as if its pages did not exist. */
  ask(question: EvalQuestion, options: { without: boolean; signal: AbortSignal }): Promise<GivenAnswer>;
}

interface AnswerLineParts {
  name: string;
  /** Opens the answering that readers get, with these parts replaced. */
  openAnswer: (changes: Pick<AnswerDeps, "threads" | "search" | "responder" | "fallback">) => Answer;
  /** The responder to measure. */
  responder: AnswerDeps["responder"];
  search: Search;
  site: Site;
  /** Where its passages stand in the set's files; undefined where the set has no spans. */
  places: SetPassages | undefined;
  nowMs: () => number;
}

/** An answer line that stores nothing: questions and answers end with the measurement. */
export function createAnswerLine(parts: AnswerLineParts): AnswerLine {
  const { name, openAnswer, responder, places, nowMs } = parts;
  // Suggestions are not part of an answer.
  const site: Site = { ...parts.site, settings: { ...parts.site.settings, suggestions: false } };
  const toPassage = ({ path, title, headings, anchor, markdown }: Hit): AnswerPassage => ({
    path: canonicalPath(path),
    title,
    headings,
    text: markdown,
    anchors: [anchor, ...readOutline(markdown).sections.map((section) => section.anchor)],
    ranges: places?.locate(path)?.(markdown) ?? [],
  });

  return {
    name,
    async ask(question, { without, signal }) {
      const search = recordSearch(parts.search, without ? [...question.pages.keys()] : []);
      const turn = createPassingTurn();
      const answer = openAnswer({ threads: turn.threads, search, responder, fallback: undefined });
      const startedAt = nowMs();
      let firstTextMs: number | undefined;
      let last: AnswerEvent | undefined;
      for await (const event of answer(requestOf(question, site), signal)) {
        if (event.type === "text-delta") firstTextMs ??= nowMs() - startedAt;
        last = event;
      }
      const end = turn.end();
      const hits = end.retrieved.flatMap(({ passageId }) => search.hits.get(passageId) ?? []);
      return {
        outcome: outcomeOf(last),
        passages: hits.map(toPassage),
        cited: end.cited.flatMap(({ passageId }) => search.hits.get(passageId) ?? []).map(toPassage),
        text: end.answer,
        sentences: citedSentences(end.answer, site.settings.language),
        promptTokens: end.promptTokens || undefined,
        firstTextMs,
      };
    },
  };
}

function outcomeOf(last: AnswerEvent | undefined): GivenAnswer["outcome"] {
  if (last?.type !== "finish") return "failed";
  return last.outcome === "unanswered" || last.outcome === "touched" ? "unanswered" : "answered";
}

function requestOf({ id, text, filter }: EvalQuestion, site: Site): AnswerRequest {
  return {
    requestId: "eval",
    reader: "eval",
    site,
    question: {
      questionMessageId: id,
      text,
      keyId: undefined,
      fp: "eval",
      caller: "cli",
      audience: "everything",
      currentPath: undefined,
      filter,
    },
    threadId: undefined,
    posted: [],
    contexts: [],
    images: [],
    pageSize: PAGE_SIZE,
  };
}

/** A search that leaves pages out of its results and remembers the rest. */
function recordSearch(search: Search, left: readonly string[]): Search & { hits: Map<number, Hit> } {
  const paths = new Set(left.map(canonicalPath));
  const hits = new Map<number, Hit>();
  return {
    hits,
    audience: search.audience,
    async find(query) {
      const pageSize = paths.size > 0 ? Math.max(PAGE_SIZE_WITHOUT, query.pageSize) : query.pageSize;
      const found = await search.find({ ...query, pageSize });
      const kept = found.hits.filter(({ path }) => !paths.has(canonicalPath(path))).slice(0, query.pageSize);
      for (const hit of kept) hits.set(hit.passageId, hit);
      return { ...found, hits: kept };
    },
  };
}

/** Threads that hold one turn until it is read. */
function createPassingTurn(): { threads: Threads; end(): TurnEnd } {
  let ended: TurnEnd | undefined;
  return {
    threads: {
      begin: async ({ threadId = "eval" }) => ({
        threadId,
        turnId: "eval",
        past: [],
        replaced: false,
        isNewThread: false,
      }),
      finish: async (_, end) => {
        ended = end;
      },
      flush: async () => {},
      unstored: () => undefined,
      unstoredTotal: () => 0,
      failUnfinished: async () => 0,
    },
    end() {
      if (ended) return ended;
      throw new AppError("internal", "An answer ended and was not stored.");
    },
  };
}
