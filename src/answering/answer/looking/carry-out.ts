import { type Hit, isSameSection, relevanceMinOf } from "@docent/finding/search/search";
import type { QuestionFilter } from "../../threads/threads.ts";
import { addHits, type Draft } from "../draft.ts";
import type { AnswerEvent } from "../events.ts";
import { harmlessLine } from "../harmless.ts";
import type { AskedCall, ToolCall, ToolResult } from "../responder.ts";
import { bestRelevance, findSections, readPassages, toFound } from "../retrieval.ts";
import { type Call, readCall } from "./tools.ts";

/** What was looked for in an answer so far. */
export interface Lookups {
  draft: Draft;
  /** How many calls there were: each has a number of its own. */
  calls: number;
  /** The calls that were carried out, so that none is carried out twice. */
  made: Set<string>;
  /** The numbers of what calls have brought. */
  brought: Set<number>;
}

/** What came of one call: for the model, and for the reader where something was looked for. */
interface CarriedOut {
  result: ToolResult;
  event: AnswerEvent | undefined;
  /** Whether it brought what no call before did. */
  isFruitful: boolean;
}

type Found = Omit<CarriedOut, "isFruitful">;

const INPUT_CHARACTERS_MAX = 300;
const NOTHING_FOUND = "The documentation has nothing about this.";
const NO_SUCH_PAGE = "The documentation has no such page. Take the path of a passage, or search.";
const MADE_BEFORE = "You made this call before: its result is above.";
const CHANGED = "The documentation has just changed: answer from what you have.";
/** How much of a page is read at once, before it is cut to what a prompt has room for. */
const PAGE_PASSAGES = 12;

/** Carries out what a model asked for, whatever it wrote. Notes it in the turn. */
export async function carryOut(lookups: Lookups, asked: AskedCall): Promise<CarriedOut> {
  const { draft } = lookups;
  const call = readCall(asked);
  const id = `look_${draft.request.turnId}_${++lookups.calls}`;
  if (typeof call === "string") {
    note(draft, { tool: "unknown", asked: harmlessLine(asked.name, 100), found: 0 });
    const result = { call: { id, name: harmlessLine(asked.name, 40) || "search", input: {} }, about: "" };
    return {
      result: { ...result, passages: [], isPage: false, note: call },
      event: undefined,
      isFruitful: false,
    };
  }
  const { tool, ...input } = call;
  const written: ToolCall = { id, name: tool, input: safeInput(input) };
  const key = JSON.stringify(call).toLowerCase();
  if (lookups.made.has(key)) {
    note(draft, { tool, asked: wordsOf(call), found: 0 });
    return {
      result: { call: written, about: "", passages: [], isPage: false, note: MADE_BEFORE },
      event: undefined,
      isFruitful: false,
    };
  }
  lookups.made.add(key);
  const found = await (call.tool === "search"
    ? search(draft, call, written)
    : readPage(draft, call, written));
  const numbers = found.result.passages.map(({ number }) => number);
  const isFruitful = numbers.some((number) => !lookups.brought.has(number));
  for (const number of numbers) lookups.brought.add(number);
  return { ...found, isFruitful };
}

/** What a call asks for, as people read it. */
const wordsOf = (call: Call) =>
  call.tool === "search" ? call.query : [call.path, call.heading].filter(Boolean).join(" # ");

async function search(
  draft: Draft,
  call: Extract<Call, { tool: "search" }>,
  written: ToolCall,
): Promise<Found> {
  const { query, filter = {} } = call;
  const { request, deps, turn } = draft;
  const found = await findSections(draft, query, {
    filter: narrowed(request.question.filter, filter),
  });
  const isRelevant = bestRelevance(found, request) >= relevanceMinOf(request.site, deps.settings);
  const isSame = found.generation === turn.generation;
  const hits = isRelevant && isSame ? found.hits : [];
  const passages = addHits(draft, withFurther(draft, hits));
  note(draft, { tool: "search", asked: query, found: hits.length });
  return {
    result: {
      call: written,
      about: query,
      passages,
      isPage: false,
      note: noteOn(hits, isSame ? NOTHING_FOUND : CHANGED),
    },
    event: {
      type: "search",
      callId: written.id,
      query,
      results: hits.slice(0, request.pageSize).map(toFound),
    },
  };
}

async function readPage(
  draft: Draft,
  call: Extract<Call, { tool: "read_page" }>,
  written: ToolCall,
): Promise<Found> {
  const { request, deps, turn } = draft;
  const { path, heading } = placeOf(draft, call);
  const read = await readPassages(draft, { path, heading, passages: PAGE_PASSAGES });
  // A page that was asked for by its path is as relevant as what was found of it.
  const relevanceMin = relevanceMinOf(request.site, deps.settings);
  const relevance = Math.max(
    relevanceMin,
    ...draft.hits.filter((hit) => hit.pageId === read.passages[0]?.pageId).map((hit) => hit.relevance),
  );
  const isSame = read.generation === turn.generation;
  const hits = isSame ? read.passages.map((passage) => ({ ...passage, score: 0, relevance })) : [];
  const passages = addHits(draft, hits);
  note(draft, { tool: "read_page", asked: wordsOf({ ...call, path, heading }), found: hits.length });
  const about = [heading ?? "", request.question.text].join("\n");
  return {
    result: {
      call: written,
      about,
      passages,
      isPage: true,
      note: noteOn(hits, isSame ? NO_SUCH_PAGE : CHANGED),
    },
    event: { type: "read", callId: written.id, path, heading, results: hits.map(toFound) },
  };
}

/**
 * The best results, and for each that the draft has already a further one that it has not: what a prompt shows once brings
 * nothing a second time.
 */
function withFurther({ hits, request: { pageSize } }: Draft, found: readonly Hit[]): Hit[] {
  const isKnown = (hit: Hit) => hits.some((known) => isSameSection(known, hit));
  const best = found.slice(0, pageSize);
  const further = found.slice(pageSize).filter((hit) => !isKnown(hit));
  return [...best, ...further.slice(0, best.filter(isKnown).length)];
}

/** Models give a path, an address with an anchor, or the number of a passage. */
function placeOf(
  { hits, request: { site } }: Draft,
  { path: written, heading }: Extract<Call, { tool: "read_page" }>,
): { path: string; heading: string | undefined } {
  const number = /^\[?(\d{1,3})\]?$/.exec(written)?.[1];
  const numbered = number === undefined ? undefined : hits[Number(number) - 1];
  if (numbered !== undefined) return { path: numbered.path, heading: heading ?? numbered.headings.at(-1) };
  const [address = "", anchor] = written.split("#");
  const isOwn = site.url !== undefined && address.startsWith(site.url);
  const path = isOwn ? address.slice(site.url?.length) : address.replace(/^https?:\/\/[^/]*/i, "");
  return { path: path.replace(/[?].*$/, ""), heading: heading || anchor || undefined };
}

const noteOn = (hits: readonly Hit[], none: string): string => (hits.length === 0 ? none : "");

/** A model may narrow what the reader asked for, and never widen it. Groups are the reader's alone. */
function narrowed(own: QuestionFilter = {}, asked: QuestionFilter): QuestionFilter {
  return {
    version: own.version || asked.version,
    language: own.language || asked.language,
    tag: own.tag || asked.tag,
    groups: own.groups,
  };
}

/** A call goes back to the model in its own words, of which none may pass for another part of the prompt. */
const safeInput = (input: Record<string, unknown>) =>
  Object.fromEntries(
    Object.entries(input).flatMap(([name, value]) =>
      typeof value === "string" ? [[name, harmlessLine(value, INPUT_CHARACTERS_MAX)]] : [],
    ),
  );

function note({ turn }: Draft, look: Draft["turn"]["looks"][number]): void {
  turn.looks.push(look);
}
