import { withoutCalloutMark } from "../markdown/callouts.ts";
import { type Block, listItems, scanBlocks } from "../markdown/md/md.ts";
import { analyze, analyzeQuestion } from "../search/analyze.ts";
import { cutSentences, cutTable, rarities } from "./pieces.ts";
import type { NumberedPassage, Responder, ResponderEvent, ResponderRequest } from "./responder.ts";

const QUOTED_CHARACTERS_MAX = 1400;
const QUOTES_MAX = 6;
const CODE_CHARACTERS_MAX = 1500;
const WHOLE_CHARACTERS_MAX = 320;
const QUOTABLE: ReadonlySet<Block["kind"]> = new Set(["paragraph", "code", "list", "table", "quote"]);
/** The share of the best quote's strength below which a quote is noise. */
const STRENGTH_MIN = 0.5;

/** The separator of two pieces of one block. */
const JOINTS: Partial<Record<Block["kind"], string>> = { paragraph: " ", list: "\n" };

/** Something to quote: a sentence, a list item, a code block. */
interface Quote {
  passage: number;
  /** The number of its block within the passage. */
  block: number;
  /** Its position among the passage's quotes. */
  position: number;
  kind: Block["kind"];
  markdown: string;
  terms: Set<string>;
  strength: number;
}

/** Answers with literal quotes from the passages: no model, no wait, nothing invented. */
export function createExtractiveResponder(): Responder {
  return {
    name: "extractive",
    model: () => undefined,
    ready: async () => {},
    async *respond(request, signal): AsyncIterable<ResponderEvent> {
      yield { type: "text-delta", text: `${request.quoting}\n` };
      for (const { number, parts } of bestQuotes(request)) {
        signal.throwIfAborted();
        for (const part of parts) {
          yield { type: "quote-delta", text: `\n${part}` };
          yield { type: "citation", number };
          yield { type: "quote-delta", text: "\n" };
        }
      }
      yield { type: "finish", finishReason: "stop", usage: { promptTokens: 0, completionTokens: 0 } };
    },
  };
}

/** What is quoted of a passage, as Markdown after which its citation can stand. */
interface Quoted {
  number: number;
  parts: string[];
}

/** The sentences and code that answer best, in passage order. */
function bestQuotes(request: ResponderRequest): Quoted[] {
  const wanted = analyzeQuestion(request.searched ?? request.question);
  const quotes = request.passages.flatMap((passage) => quotesOf(passage, request.language, new Set(wanted)));
  weigh(quotes, wanted, request.passages);
  const chosen = choose(quotes);
  return request.passages
    .map(({ number }) => ({
      number,
      parts: showGroup(
        chosen.filter((quote) => quote.passage === number).sort((a, b) => a.position - b.position),
      ),
    }))
    .filter(({ parts }) => parts.length > 0);
}

function quotesOf(passage: NumberedPassage, language: string, wanted: ReadonlySet<string>): Quote[] {
  return scanBlocks(passage.text)
    .filter((block) => QUOTABLE.has(block.kind))
    .map((block) => (block.kind === "quote" ? { ...block, text: withoutCalloutMark(block.text) } : block))
    .flatMap((block, index) =>
      (block.text.length > WHOLE_CHARACTERS_MAX ? pieces(block, language, wanted) : [block]).map(
        ({ kind, text }) => ({
          passage: passage.number,
          block: index,
          kind,
          markdown: kind === "paragraph" ? withCodeOnOneLine(text.trim()) : text.trim(),
          terms: new Set(analyze(text)),
          strength: 0,
        }),
      ),
    )
    .map((quote, position) => ({ ...quote, position }));
}

const CODE_SPAN = /(?<!`)(`+)(?!`)[^`]+\1(?!`)/g;

/** Puts code spans on one line each: readers see code only where it ends on its line. */
const withCodeOnOneLine = (paragraph: string) =>
  paragraph.replace(CODE_SPAN, (code) => code.replace(/\s*\n\s*/g, " "));

/** Splits a long block, of which only the answering sentences, items or rows are quoted. */
function pieces(block: Block, language: string, wanted: ReadonlySet<string>): Block[] {
  if (block.kind === "paragraph")
    return cutSentences(block.text, language).map((text) => ({ ...block, text }));
  if (block.kind === "list") return listItems(block.text).map((text) => ({ ...block, text }));
  return block.kind === "table" ? [rowsThatAnswer(block, wanted)] : [block];
}

function rowsThatAnswer(table: Block, wanted: ReadonlySet<string>): Block {
  const { header, rows } = cutTable(table.text);
  const telling = rows.filter((row) => analyze(row).some((term) => wanted.has(term)));
  return { ...table, text: [header, ...telling].join("\n") };
}

/** Weighs quotes by the question's rare words and their passage's relevance. */
function weigh(quotes: Quote[], wanted: string[], passages: NumberedPassage[]): void {
  const rarity = rarities(
    wanted,
    quotes.map(({ terms }) => terms),
  );
  const headings = new Map(
    passages.map(({ number, title, headings }) => [
      number,
      new Set(analyze([title, ...headings].join("\n"))),
    ]),
  );
  const relevance = new Map(passages.map((passage) => [passage.number, passage.relevance]));
  for (const [index, quote] of quotes.entries()) {
    const heading = headings.get(quote.passage);
    let strength = 0;
    for (const [term, weight] of rarity) {
      if (quote.terms.has(term)) strength += weight;
      else if (heading?.has(term)) strength += weight * 0.4;
    }
    quote.strength = strength * (relevance.get(quote.passage) ?? 0);
    const before = quotes[index - 1];
    // Code is explained by the sentence before it, and seldom contains the question's words itself.
    if (quote.kind === "code" && before?.passage === quote.passage) {
      quote.strength = Math.max(quote.strength, before.strength * 0.95);
    }
  }
}

function choose(quotes: Quote[]): Quote[] {
  const ranked = quotes.filter(fits).toSorted((a, b) => b.strength - a.strength);
  const best = ranked[0]?.strength ?? 0;
  const chosen: Quote[] = [];
  let left = QUOTED_CHARACTERS_MAX;
  for (const quote of ranked) {
    if (chosen.length >= QUOTES_MAX || quote.strength < best * STRENGTH_MIN) break;
    if (quote.markdown.length > left && chosen.length > 0) continue;
    chosen.push(quote);
    left -= quote.markdown.length;
  }
  return chosen;
}

const fits = ({ kind, markdown }: Quote) =>
  markdown !== "" && markdown.length <= (kind === "code" ? CODE_CHARACTERS_MAX : QUOTED_CHARACTERS_MAX);

function showGroup(quotes: Quote[]): string[] {
  const parts: string[] = [];
  for (const [index, quote] of quotes.entries()) {
    const before = quotes[index - 1];
    const joint = before?.block === quote.block ? JOINTS[quote.kind] : undefined;
    if (joint !== undefined && before?.position === quote.position - 1) {
      parts.push(`${parts.pop()}${joint}${quote.markdown}`);
    } else parts.push(quote.markdown);
  }
  return parts.map(beforeCitation);
}

/** A quote with the space that its citation needs. */
function beforeCitation(part: string): string {
  if (/^(```|~~~)/.test(part)) return `${part}\n\n`;
  // Text after a table's last cell would not be shown.
  return part.startsWith("|") ? `${quoteLines(part)}\n\n` : `${quoteLines(part)} `;
}

const quoteLines = (text: string) =>
  text
    .split("\n")
    .map((line) => `> ${line}`)
    .join("\n");
