import { type Fragment, partOf, type Segment } from "./fragment.ts";

interface Gap {
  from: number;
  to: number;
  isSure: boolean;
}

/** So many of the lines that are parted anywhere are so at a gutter, and so many of those by more than a space. */
const LINES_MIN = 3;
const BOTH_SIDES_MIN = 0.5;
const SURE_GAPS_MIN = 0.25;
/** The largest share of lines that may have something in a gutter: headers over several columns, and a number that is too long. */
const CROSSING_MAX = 0.2;
/** The least share of lines that have something between two gutters. */
const BETWEEN_MIN = 0.1;
const WIDE_IN_EMS = 0.9;
const APART_IN_EMS = 0.3;
/** No space between two words is as wide as this. */
const SURELY_APART_IN_EMS = 0.6;
/** More lines are judged by the first of them. */
const LINES_MAX = 300;
const GUTTERS_MAX = 40;

/** A number, with its unit or sign; or what says that there is none. */
export const VALUE = /^[^\p{L}]*\p{N}[^\p{L}]*$|^[-–—*.]+$/u;
export const isValue = (segments: readonly Segment[] = []) =>
  segments.length > 0 && segments.every(({ fragments }) => fragments.every(({ text }) => VALUE.test(text)));

const LABEL = /^(?:[^\p{L}\p{N}]|\(?\p{N}{1,3}[.)]|\(?\p{L}[.)])$/u;

/** The places, from the left to the right, at which lines that stand below each other are parted into columns. */
export function guttersOf(all: readonly (readonly Segment[])[]): number[] {
  const lines = all.slice(0, LINES_MAX);
  const gaps = lines.flatMap(gapsOf);
  const parted = lines.filter(({ length }) => length > 1);
  const countMin = Math.max(LINES_MIN, BOTH_SIDES_MIN * parted.length);
  const places = commonPlaces(gaps, countMin).filter(({ x }) => isGutter(lines, gaps, x));
  const kept: typeof places = [];
  for (const place of places) {
    const last = kept.at(-1);
    if (last === undefined || countBetween(lines, last.x, place.x) >= BETWEEN_MIN * lines.length)
      kept.push(place);
    else if (place.count > last.count) kept[kept.length - 1] = place;
  }
  return kept.slice(0, GUTTERS_MAX).map(({ x }) => x);
}

const countBetween = (lines: readonly (readonly Segment[])[], from: number, to: number) =>
  lines.filter((units) => units.some(({ x0, x1 }) => x0 > from && x1 < to)).length;

function isGutter(lines: readonly (readonly Segment[])[], gaps: readonly Gap[], x: number): boolean {
  const crossing = lines.filter((units) => units.some(({ x0, x1 }) => x0 < x && x1 > x)).length;
  if (crossing > CROSSING_MAX * lines.length) return false;
  const own = gaps.filter(({ from, to }) => from <= x && to >= x);
  if (own.filter(({ isSure }) => isSure).length < SURE_GAPS_MIN * own.length) return false;
  // Bullets and numbers of a list are no column.
  const left = lines.map((units) => units.filter(({ x1 }) => x1 <= x)).filter((units) => units.length > 0);
  return left.filter(isLabel).length <= left.length / 2;
}

const isLabel = ([unit, ...more]: readonly Segment[]) =>
  more.length === 0 && LABEL.test(unit?.fragments.map(({ text }) => text).join("") ?? "");

function gapsOf(units: readonly Segment[]): Gap[] {
  return units.slice(1).flatMap((unit, index) => {
    const before = units[index];
    if (before === undefined) return [];
    return [
      {
        from: before.x1,
        to: unit.x0,
        isSure: gapInEms(before.fragments.at(-1), unit.fragments[0]) > SURELY_APART_IN_EMS,
      },
    ];
  });
}

const gapInEms = (before: Fragment | undefined, after: Fragment | undefined) =>
  before === undefined || after === undefined
    ? 0
    : (after.x0 - before.x1) / Math.max(before.size, after.size);

/** The middles of where most gaps overlap, so many at least. */
function commonPlaces(gaps: readonly Gap[], countMin: number): { x: number; count: number }[] {
  const ends = gaps
    .flatMap(({ from, to }) => [
      { x: from, step: 1 },
      { x: to, step: -1 },
    ])
    .sort((a, b) => a.x - b.x || a.step - b.step);
  let count = 0;
  return ends.flatMap(({ x, step }, index) => {
    const next = ends[index + 1];
    count += step;
    return step === 1 && next?.step === -1 && count >= countMin ? [{ x: (x + next.x) / 2, count }] : [];
  });
}

/** What stands together in a line: apart from the next by more than a space, or by a space between two numbers. */
export function unitsOf(line: readonly Fragment[]): Segment[] {
  const units: Segment[] = [];
  const pieces = line.flatMap(valuesApart).sort((a, b) => a.x0 - b.x0);
  for (const piece of pieces) {
    const last = units.at(-1);
    const before = last?.fragments.at(-1);
    if (last === undefined || before === undefined || areApart(before, piece))
      units.push({ fragments: [piece], x0: piece.x0, x1: piece.x1, characters: piece.text.length });
    else {
      last.fragments.push(piece);
      last.x1 = Math.max(last.x1, piece.x1);
      last.characters += piece.text.length;
    }
  }
  return units;
}

function areApart(before: Fragment, after: Fragment): boolean {
  // Code has gaps within its lines.
  const gap = gapInEms(before, after);
  if (gap > WIDE_IN_EMS) return !after.mono || VALUE.test(after.text);
  return gap > APART_IN_EMS && VALUE.test(before.text) && VALUE.test(after.text);
}

/** Numbers that are drawn as one, each by itself: where they are, the mean width of their letters says. */
export function valuesApart(fragment: Fragment): Fragment[] {
  const words = [...fragment.text.matchAll(/\S+/g)];
  if (fragment.rtl || words.length < 2 || !words.every(([word]) => VALUE.test(word))) return [fragment];
  return words.map(({ 0: word, index }) => partOf(fragment, index, index + word.length));
}

/** The number of the column that a unit is in: a number is where its middle is, and what is over several where it begins. */
export function columnOf({ fragments, x0, x1 }: Segment, gutters: readonly number[]): number {
  const isValue = fragments.length === 1 && VALUE.test(fragments[0]?.text ?? "");
  const at = isValue ? (x0 + x1) / 2 : Math.min((x0 + x1) / 2, x0 + 0.5 * (fragments[0]?.size ?? 0));
  return gutters.filter((gutter) => gutter <= at).length;
}

export interface Span {
  x0: number;
  x1: number;
}

/** Where cells stand, merged where they overlap. */
export function spansOf(parts: readonly Span[]): Span[] {
  const merged: Span[] = [];
  for (const { x0, x1 } of [...parts].sort((a, b) => a.x0 - b.x0)) {
    const last = merged.at(-1);
    if (last !== undefined && x0 < last.x1 + 1) last.x1 = Math.max(last.x1, x1);
    else merged.push({ x0, x1 });
  }
  return merged;
}
