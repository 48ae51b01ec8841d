import { joinPieces, segmenterFor } from "@docent/kernel/text/sentences/sentences";
import { analyze, analyzeQuestion } from "../analyze.ts";
import { withoutAsking, withoutOwnThings } from "../asking/asking.ts";
import type { OrdinaryWords } from "../relevance/relevance.ts";
import type { Frequencies } from "../search-store.ts";
import { averagingOne, type TermShares, type TermWeights } from "../term-weights.ts";
import { type Block, blocksIn, ERROR } from "./pasted-lines.ts";

// Readers tell a story: who they are, what they set up, what they want now, and what a program said. No page has all of
// it. What a story is about comes up again, and what is asked stands near the question mark: both hold in every language.
// Beside these, to know greetings and thanks, or what wants and complains, by the words of twenty languages finds no more
// right pages.

/** A question of several sentences, line by line: what the reader says in order, and then what was pasted. */
export interface Story {
  lines: { text: string; kind: "said" | "error" | "code" }[];
}

const ERRORS_MAX = 3;
/** Where fewer words say something, the log tells what it is about. */
const TELLING_MIN = 5;
/** Shorter pieces are numbers of a list, no sentences. */
const SENTENCE_CHARACTERS_MIN = 3;
/** Where one line goes on in the next, as in an e-mail. */
const GOES_ON = /(?<=[\p{Ll},])[ \t]*\n[ \t]*(?=\p{Ll})/gu;
const SAYS_SOMETHING = /[\p{L}\p{N}]/u;

/**
 * Reads a question of several sentences, or with something pasted into it. What a program wrote besides its errors is left
 * out: there is much of it, and it says little. Undefined for a single sentence, and where the reader says nothing.
 */
export function readStory(question: string): Story | undefined {
  const blocks = blocksIn(question);
  const said = blocks.flatMap((block) => (block.pasted === undefined ? sentencesIn(block.lines) : []));
  const pasted = (kind: Block["pasted"]) =>
    blocks.flatMap((block) => (block.pasted === kind ? block.lines : [])).filter(saysSomething);
  const [code, log] = [pasted("code"), pasted("log")];
  if (said.length === 0 || said.length + code.length + log.length < 2) return undefined;
  const errors = [...new Set([...log, ...code].filter((line) => ERROR.test(line)))].slice(0, ERRORS_MAX);
  const others = (lines: readonly string[]) => lines.filter((line) => !errors.includes(line));
  const told = [...said, ...errors, ...code].join("\n");
  const isTold = analyzeQuestion(told).length >= TELLING_MIN;
  const ofKind = (kind: Story["lines"][number]["kind"], lines: readonly string[]) =>
    lines.map((line) => ({ kind, text: line.trim() }));
  return {
    lines: [
      ...ofKind("said", said.map(withoutAsking)),
      ...ofKind("error", errors),
      ...ofKind("code", others(isTold ? code : [...code, ...log])),
    ],
  };
}

/** The same of a question that begins with what its conversation is about, and a colon: that is told first. */
export function readContinued(question: string, topic: string): Story {
  const rest = question.slice(topic.length).replace(/^:\s*/, "");
  const lines = readStory(rest)?.lines ?? [{ text: withoutAsking(rest), kind: "said" as const }];
  return { lines: [{ text: topic, kind: "said" }, ...lines] };
}

/** A continued question's text in one line again. */
export const asContinued = (text: string): string => text.replace("\n", ": ").replaceAll("\n", " ");

/** A story whose sentences tell nothing of the reader's own that no passage has; what a program said stays as it is. */
export async function withoutOwnThingsTold(
  { lines }: Story,
  docs: Parameters<typeof withoutOwnThings>[1],
): Promise<Story> {
  const said = lines.filter(({ kind }) => kind === "said");
  const texts = await withoutOwnThings(
    said.map(({ text }) => text),
    docs,
  );
  const told = new Map(said.map((line, index) => [line, { ...line, text: texts[index] ?? line.text }]));
  return { lines: lines.map((line) => told.get(line) ?? line) };
}

const saysSomething = (text: string) => SAYS_SOMETHING.test(text);

function sentencesIn(lines: readonly string[]): string[] {
  const text = lines.join("\n").replace(GOES_ON, " ");
  // The rules that tell an end are the same in nearly all languages.
  const segments = [...segmenterFor("en").segment(text)].map(({ segment }) => segment);
  return joinPieces(segments, SENTENCE_CHARACTERS_MIN)
    .map((sentence) => sentence.replace(/\s+/g, " ").trim())
    .filter(saysSomething);
}

/** A story as it is searched for. Its lines stay lines when it is translated or corrected. */
export const textOf = ({ lines }: Story): string => lines.map(({ text }) => text).join("\n");

/** What the reader says in a story's text, apart from what was pasted. */
export const saidIn = (text: string, { lines }: Story): string =>
  text
    .split("\n")
    .slice(0, lines.filter(({ kind }) => kind === "said").length)
    .join("\n");

/** How much more a term counts with the logarithm of its number. */
const REPEATED = 2;
/** How much more the sentences that ask count than those that are farthest from them. */
const NEAR = 1.5;
/** So much of a story is near to the sentence that asks; of what comes after it, half as much. */
const NEAR_SHARE = 0.7;
const AFTER = 2;
/** A program's error is as good as what asks, and code is half as good as what is far from it. */
const OF_PASTED = { error: 1 + NEAR, code: 0.5 };
/** How near to the sentence that asks something is that says what is asked. */
const ASKED_NEARNESS_MIN = 0.6;
/** How questions end; a reader may leave the mark out, and then most ask last. */
const ASKS = /(?:[?？؟]|[か吗嗎呢][。.！!]*)["'»”’)\]*_]*$/u;

/** What a story's text says of its terms. */
interface StoryTerms {
  /** How much each counts beside the others: 1 on average. */
  shares: TermShares;
  /** Those of the sentences that ask, of the ones just before, and of errors. */
  asked: ReadonlySet<string>;
}

/** Weighs the terms of a story's text: what comes again counts more, and what is near to a sentence that asks. */
export function termsOf(text: string, { lines }: Story): StoryTerms {
  const texts = text.split("\n");
  const nearness = nearnessOf(texts, lines);
  const counts = new Map<string, number>();
  const worths = new Map<string, number>();
  const asked = new Set<string>();
  for (const [index, line] of texts.entries()) {
    const kind = lines[index]?.kind ?? "code";
    const near = nearness[index] ?? 0;
    const worth = kind === "said" ? 1 + NEAR * near : OF_PASTED[kind];
    const isAsked = kind === "said" ? near >= ASKED_NEARNESS_MIN : kind === "error";
    for (const term of analyze(line)) {
      worths.set(term, Math.max(worth, worths.get(term) ?? 0));
      // Code repeats its names however little they are asked about.
      if (kind === "said") counts.set(term, (counts.get(term) ?? 0) + 1);
      if (isAsked) asked.add(term);
    }
  }
  const shares = new Map(
    [...worths].map(([term, worth]) => [term, worth * (1 + REPEATED * Math.log(counts.get(term) ?? 1))]),
  );
  return { shares: averagingOne(shares), asked };
}

/** A question as an answer is chosen by it. */
export interface Asked {
  /** Without what a program wrote besides its errors. */
  text: string;
  /** How much each term counts beside the others; undefined where all count alike. */
  shares: TermShares | undefined;
  /** The sentences that ask, those just before, and errors. */
  near: string;
  /** The sentences that ask. */
  asking: string;
}

/** A longer question, or a file that was attached to it, is read to here. */
const CHARACTERS_MAX = 10_000;

/** Finds what is asked in a question. */
export function askedIn(question: string): Asked {
  const story = readStory(question.slice(0, CHARACTERS_MAX).toWellFormed());
  if (story === undefined) return { text: question, shares: undefined, near: question, asking: question };
  const text = textOf(story);
  const lines = text.split("\n");
  const nearness = nearnessOf(lines, story.lines);
  const kindOf = (index: number) => story.lines[index]?.kind;
  const isNear = (index: number, least: number) =>
    kindOf(index) === "said" && (nearness[index] ?? 0) >= least;
  const near = lines.filter((_, index) => isNear(index, ASKED_NEARNESS_MIN) || kindOf(index) === "error");
  const asking = lines.filter((_, index) => isNear(index, 1));
  return { text, shares: termsOf(text, story).shares, near: near.join("\n"), asking: asking.join(" ") };
}

/** From 0 to 1: how near each line is to a sentence that asks. */
function nearnessOf(texts: readonly string[], lines: Story["lines"]): number[] {
  const said = lines.filter(({ kind }) => kind === "said").length;
  const asks = texts.map((text, index) => index < said && ASKS.test(text.trim()));
  if (!asks.includes(true)) asks[said - 1] = true;
  const distances = texts.map(() => Number.POSITIVE_INFINITY);
  const walk = (indexes: Iterable<number>, step: number) => {
    let distance = Number.POSITIVE_INFINITY;
    for (const index of indexes) {
      distance = asks[index] === true ? 0 : distance + step;
      distances[index] = Math.min(distance, distances[index] ?? distance);
    }
  };
  walk(texts.keys(), AFTER);
  walk([...texts.keys()].reverse(), 1);
  const span = Math.max(1, said * NEAR_SHARE);
  return distances.map((distance) => Math.max(0, 1 - distance / span));
}

/** A text, and how much it counts beside others. */
export interface WeighedText {
  text: string;
  weight: number;
}

/** The lines of a story's text, each with the weight of its words. */
export const weighLines = (text: string, weights: TermWeights): WeighedText[] =>
  text.split("\n").map((line) => ({
    text: line,
    weight: analyze(line).reduce((sum, term) => sum + (weights.get(term) ?? 0), 0),
  }));

/**
 * How much more frequent than in English, as a logarithm, a common word must be in the docs to count at all, and from
 * where on it counts in full: "queue" and "port" are at about 8, and "hospital" and "coffee" near 0.
 */
const FAMILIAR = { from: 1, full: 5 };
const FAMILIAR_WEIGHT_MIN = 0.2;

/**
 * Has the everyday words of a story count less. As no docs have them, each would weigh as much as the rarest word of the
 * docs. Of words that are no common English ones, nothing is known: they keep their shares.
 */
export function lessOfEveryday(
  shares: TermShares,
  { passages, of }: Frequencies,
  ordinary: OrdinaryWords,
): TermShares {
  const countOf = (term: string): number => {
    if (!ordinary.has(term)) return 1;
    const familiar = Math.log(((of.get(term) ?? 0) + 0.5) / (passages + 1)) - ordinary.logShareOf(term);
    const share = (familiar - FAMILIAR.from) / (FAMILIAR.full - FAMILIAR.from);
    return Math.min(1, Math.max(FAMILIAR_WEIGHT_MIN, share));
  };
  return averagingOne(new Map([...shares].map(([term, share]) => [term, share * countOf(term)])));
}
