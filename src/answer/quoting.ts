import { withoutMark } from "../markdown/callouts.ts";
import { type Block, listItems, scanBlocks } from "../markdown/md/md.ts";
import { analyze, analyzeQuestion } from "../search/analyze.ts";
import { cutSentences, cutTable } from "./pieces.ts";
import { rarities } from "./prompt/weighing.ts";
import type { NumberedPassage, Responder, ResponderEvent, ResponderRequest } from "./responder.ts";

const QUOTED_CHARACTERS_MAX = 1400;
const UNITS_MAX = 6;
const CODE_CHARACTERS_MAX = 1500;
const WHOLE_CHARACTERS_MAX = 320;
const QUOTABLE: ReadonlySet<Block["kind"]> = new Set(["paragraph", "code", "list", "table", "quote"]);
/** A unit that is much weaker than the best one is noise. */
const STRENGTH_MIN = 0.5;

/** What stands between two pieces of one block. */
const JOINTS: Partial<Record<Block["kind"], string>> = { paragraph: " ", list: "\n" };

/** Something that can be quoted: a sentence, a list item, a block of code. */
interface Unit {
  passage: number;
  /** Which block of the passage it is, or is a piece of. */
  block: number;
  /** Its place among the passage's units. */
  position: number;
  kind: Block["kind"];
  markdown: string;
  terms: Set<string>;
  strength: number;
}

/** Answers by quoting what the passages say, word for word: no model, no wait, nothing invented. */
export function createExtractiveResponder(): Responder {
  return {
    name: "extractive",
    model: () => undefined,
    ready: async () => {},
    async *respond(request, signal): AsyncIterable<ResponderEvent> {
      yield { type: "text-delta", text: `${request.quoting}\n` };
      for (const quote of quotes(request)) {
        signal.throwIfAborted();
        yield { type: "text-delta", text: `\n${quote}\n` };
      }
      yield { type: "finish", finishReason: "stop", usage: { promptTokens: 0, completionTokens: 0 } };
    },
  };
}

/** The sentences and code that answer best, in the passages' order, each followed by its citation. */
function quotes(request: ResponderRequest): string[] {
  const wanted = analyzeQuestion(request.searched ?? request.question);
  const units = request.passages.flatMap((passage) => unitsOf(passage, request.language, new Set(wanted)));
  weigh(units, wanted, request.passages);
  const chosen = choose(units);
  return request.passages
    .map(({ number }) =>
      chosen.filter((unit) => unit.passage === number).sort((a, b) => a.position - b.position),
    )
    .filter((group) => group.length > 0)
    .map(showGroup);
}

function unitsOf(passage: NumberedPassage, language: string, wanted: ReadonlySet<string>): Unit[] {
  return scanBlocks(passage.text)
    .filter((block) => QUOTABLE.has(block.kind))
    .map((block) => (block.kind === "quote" ? { ...block, text: withoutMark(block.text) } : block))
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
    .map((unit, position) => ({ ...unit, position }));
}

const CODE_SPAN = /(?<!`)(`+)(?!`)[^`]+\1(?!`)/g;

/** A reader is shown code as code only where it ends on its line. */
const withCodeOnOneLine = (paragraph: string) =>
  paragraph.replace(CODE_SPAN, (code) => code.replace(/\s*\n\s*/g, " "));

/** What is short is one thought; of a long paragraph or list only the sentences or items that answer are quoted. */
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

/** Rare words of the question count most; what stands in a more relevant passage counts more. */
function weigh(units: Unit[], wanted: string[], passages: NumberedPassage[]): void {
  const rarity = rarities(
    wanted,
    units.map(({ terms }) => terms),
  );
  const headings = new Map(
    passages.map(({ number, title, headings }) => [
      number,
      new Set(analyze([title, ...headings].join("\n"))),
    ]),
  );
  const relevance = new Map(passages.map((passage) => [passage.number, passage.relevance]));
  for (const [index, unit] of units.entries()) {
    const heading = headings.get(unit.passage);
    let strength = 0;
    for (const [term, weight] of rarity) {
      if (unit.terms.has(term)) strength += weight;
      else if (heading?.has(term)) strength += weight * 0.4;
    }
    unit.strength = strength * (relevance.get(unit.passage) ?? 0);
    const before = units[index - 1];
    // Code is explained by the sentence before it, and seldom says the question's words itself.
    if (unit.kind === "code" && before?.passage === unit.passage) {
      unit.strength = Math.max(unit.strength, before.strength * 0.95);
    }
  }
}

function choose(units: Unit[]): Unit[] {
  const ranked = units.filter(fits).toSorted((a, b) => b.strength - a.strength);
  const best = ranked[0]?.strength ?? 0;
  const chosen: Unit[] = [];
  let left = QUOTED_CHARACTERS_MAX;
  for (const unit of ranked) {
    if (chosen.length >= UNITS_MAX || unit.strength < best * STRENGTH_MIN) break;
    if (unit.markdown.length > left && chosen.length > 0) continue;
    chosen.push(unit);
    left -= unit.markdown.length;
  }
  return chosen;
}

const fits = ({ kind, markdown }: Unit) =>
  markdown !== "" && markdown.length <= (kind === "code" ? CODE_CHARACTERS_MAX : QUOTED_CHARACTERS_MAX);

function showGroup(units: Unit[]): string {
  const parts: string[] = [];
  for (const [index, unit] of units.entries()) {
    const before = units[index - 1];
    const joint = before?.block === unit.block ? JOINTS[unit.kind] : undefined;
    if (joint !== undefined && before?.position === unit.position - 1) {
      parts.push(`${parts.pop()}${joint}${unit.markdown}`);
    } else parts.push(unit.markdown);
  }
  const number = units[0]?.passage;
  return parts.map((part) => cite(part, number)).join("\n\n");
}

function cite(part: string, number: number | undefined): string {
  if (/^(```|~~~)/.test(part)) return `${part}\n\n[${number}]`;
  // Behind a table's last cell nothing is shown.
  return part.startsWith("|") ? `${quoteLines(part)}\n\n[${number}]` : `${quoteLines(part)} [${number}]`;
}

const quoteLines = (text: string) =>
  text
    .split("\n")
    .map((line) => `> ${line}`)
    .join("\n");
