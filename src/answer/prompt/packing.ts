import type { Unit } from "../pieces.ts";
import { cutUnits } from "../pieces.ts";
import type { NumberedPassage } from "../responder.ts";
import type { CountTokens } from "./fitting.ts";
import { type WeighedUnit, weighUnits } from "./weighing.ts";

export interface PackOptions {
  question: string;
  /** BCP 47 tag of the passages' language. */
  language: string;
  /** What all that is kept may be, titles included. */
  tokens: number;
  /** What the one unit that answers best may be where it is more than that. */
  tokensMax: number;
  count: CountTokens;
  /** A passage as the model sees it. */
  show: (passage: NumberedPassage) => string;
}

/** What has less of the best unit's strength is noise. With it, half of the tokens hold nearly all that answers. */
const STRENGTH_MIN = 0.42;
/** Of so little, leaving something out saves nothing that a reader would notice. */
const SHORT_PASSAGE_TOKENS = 60;
/** What is no longer than this between two units that are kept is kept too. */
const SHORT_GAP_TOKENS = 12;
/** The white space before a unit, and the mark of a gap. */
const JOINT_TOKENS = 3;

/**
 * The same passages, each with only those of its sentences, items, rows and blocks of code that bear on the question,
 * until the tokens are used up. A passage of which nothing is kept is left out; the others keep number and order.
 */
export function packPassages(passages: readonly NumberedPassage[], options: PackOptions): NumberedPassage[] {
  const unitsOf = passages.map(({ text }) => cutUnits(text, options.language));
  const weighed = weighUnits(options.question, passages, unitsOf);
  const kept = chooseUnits(passages, weighed, options);
  return passages.flatMap((passage, index) => {
    const units = (weighed[index] ?? []).filter((unit) => kept.has(unit));
    return units.length === 0 ? [] : [{ ...passage, text: joinUnits(units) }];
  });
}

function chooseUnits(
  passages: readonly NumberedPassage[],
  weighed: readonly WeighedUnit[][],
  { tokens, tokensMax, count, show }: PackOptions,
): Set<WeighedUnit> {
  const kept = new Set<WeighedUnit>();
  const sizes = new Map(weighed.flat().map((unit) => [unit, count(unit.markdown) + JOINT_TOKENS]));
  const sizeOf = (unit: WeighedUnit) => sizes.get(unit) ?? 0;
  let left = tokens;

  /** What more it takes to keep them. */
  function costOf(units: readonly WeighedUnit[]): number {
    const [first] = units;
    const passage = first && passages[first.passage];
    if (first === undefined || passage === undefined) return 0;
    const here = (weighed[first.passage] ?? []).filter((unit) => kept.has(unit));
    const header = units.find((unit) => unit.header !== undefined)?.header;
    const hasHeader = header === undefined || here.some((unit) => unit.header === header);
    return (
      units.reduce((sum, unit) => sum + sizeOf(unit), 0) +
      (here.length > 0 ? 0 : count(show({ ...passage, text: "" })) + JOINT_TOKENS) +
      (hasHeader ? 0 : count(header) + JOINT_TOKENS)
    );
  }

  function keep(units: readonly WeighedUnit[], room: number): boolean {
    const missing = units.filter((unit) => !kept.has(unit));
    const cost = costOf(missing);
    if (cost > room) return false;
    for (const unit of missing) kept.add(unit);
    left -= cost;
    return true;
  }

  const ranked = weighed
    .flat()
    .filter(({ kind }) => kind !== "heading")
    .toSorted((a, b) => b.strength - a.strength);
  const [best] = ranked;
  for (const unit of ranked) {
    if (best === undefined || unit.strength < best.strength * STRENGTH_MIN) break;
    const around = weighed[unit.passage] ?? [];
    const isShort = around.reduce((sum, each) => sum + sizeOf(each), 0) <= SHORT_PASSAGE_TOKENS;
    if (isShort && keep(around, left)) continue;
    if (!keep(withLeads(unit, around), unit === best ? Math.max(left, tokensMax) : left)) continue;
    // What stands beside the best unit says what it is about.
    const beside = unit === best ? besides(unit, around) : [];
    for (const near of beside.filter(({ kind }) => kind !== "heading")) keep(withLeads(near, around), left);
  }
  for (const units of weighed) {
    for (const unit of units) {
      const isGap = besides(unit, units).filter((near) => kept.has(near)).length === 2;
      if (isGap && sizeOf(unit) - JOINT_TOKENS <= SHORT_GAP_TOKENS) keep([unit], left);
    }
  }
  return kept;
}

/** The unit before and the unit behind. */
const besides = ({ position }: WeighedUnit, units: readonly WeighedUnit[]): WeighedUnit[] =>
  [units[position - 1], units[position + 1]].filter((unit) => unit !== undefined);

/** A unit with what it is not understood without: the heading above, and the sentence that introduces it. */
function withLeads(unit: WeighedUnit, units: readonly WeighedUnit[]): WeighedUnit[] {
  const before = units.slice(0, unit.position);
  const heading = before.findLast(({ kind }) => kind === "heading");
  const lead = before.findLast(({ block }) => block !== unit.block);
  const introduces =
    lead?.kind === "paragraph" &&
    (unit.kind === "code" || (unit.kind !== "paragraph" && /[:：]\s*$/.test(lead.markdown)));
  return [...(heading ? [heading] : []), ...(introduces ? [lead] : []), unit];
}

/** What stands between two pieces of one block that follow each other. */
const JOINTS: Partial<Record<Unit["kind"], string>> = {
  paragraph: " ",
  list: "\n",
  table: "\n",
  quote: "\n>\n",
};
/** The same where something between them was left out. */
const GAPS: Partial<Record<Unit["kind"], string>> = {
  paragraph: " … ",
  list: "\n…\n",
  table: "\n| … |\n",
  quote: "\n> …\n",
};

/** Units of one passage, in its order, as Markdown that shows where something was left out. */
function joinUnits(units: readonly Unit[]): string {
  return units.map((unit, index) => `${jointBefore(unit, units[index - 1])}${unit.markdown}`).join("");
}

function jointBefore(unit: Unit, before: Unit | undefined): string {
  const isPiece = before?.block === unit.block;
  const header =
    isPiece || unit.header === undefined || unit.header === unit.markdown ? "" : `${unit.header}\n`;
  if (before === undefined) return header;
  if (before.position === unit.position - 1) return (isPiece && JOINTS[unit.kind]) || `\n\n${header}`;
  return (isPiece && GAPS[unit.kind]) || `\n\n…\n\n${header}`;
}
