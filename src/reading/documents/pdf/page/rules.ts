import type { OPS, PDFPageProxy } from "pdfjs-dist/legacy/build/pdf.mjs";
import { gridsOf } from "./grids.ts";
import type { Area } from "./turns.ts";

/** The numbers that pdf.js gives to what a page draws, by their names. */
type Operators = typeof OPS;

/** A page that draws more is a map or a plot: no table is sought on it. */
const OPERATIONS_MAX = 300_000;
const PATH_NUMBERS_MAX = 300_000;
const RULES_MAX = 10_000;
/** More grounds are those of a chart: none of them is of a row. */
const GROUNDS_MAX = 2_000;
const DEPTH_MAX = 200;
/** A filled rectangle that is not thicker is a line. */
const THICKNESS_MAX = 3;
/** One that is higher than this is the ground of more than a row. */
const GROUND_HEIGHT_MAX = 120;
/** How far a line's ends may be off, so that it is still level. */
const SLANT_MAX = 0.5;

type Matrix = readonly number[];
const IDENTITY: Matrix = [1, 0, 0, 1, 0, 0];

/** A line that a page draws, or the ground that it paints under some of its text. */
export interface Rule extends Area {
  isGround: boolean;
}

/** What a path is followed with: where it is on the page, and the rules that are found. */
interface Drawing {
  matrix: Matrix;
  rules: Rule[];
  grounds: Rule[];
  numbers: number;
}

/** The lines that the pages of a document draw, which are asked one after the other. */
export interface Rules {
  /** Finds the rules of a page; none where too many pages before it were asked in vain. */
  rulesOf(page: PDFPageProxy): Promise<Rule[]>;
}

/** After so many pages in a row whose lines make no cells, some are passed over between two that are asked. */
const IN_VAIN_PAGES_MAX = 20;
const PASSED_OVER_PAGES = 3;

/** Asks each page as long as it is of use: what a page draws takes half as long again as its text. */
export function createRules(operators: Operators): Rules {
  let [inVain, passedOver] = [0, 0];
  return {
    async rulesOf(page) {
      if (inVain >= IN_VAIN_PAGES_MAX && passedOver < PASSED_OVER_PAGES) {
        passedOver += 1;
        return [];
      }
      passedOver = 0;
      const rules = await drawnBy(page, operators);
      inVain = gridsOf(rules).length > 0 ? 0 : inVain + 1;
      return rules;
    },
  };
}

/** The level and upright lines that a page draws, in the frame of text that is not turned; none where it draws too much. */
async function drawnBy(page: PDFPageProxy, operators: Operators): Promise<Rule[]> {
  const drawn = await page.getOperatorList().catch(() => undefined);
  if (drawn === undefined || drawn.fnArray.length > OPERATIONS_MAX) return [];
  const drawing: Drawing = { matrix: IDENTITY, rules: [], grounds: [], numbers: 0 };
  const saved: Matrix[] = [];
  // What annotations look like, such as the boxes of a form's fields, is drawn behind the page.
  const end = drawn.fnArray.indexOf(operators.beginAnnotation);
  for (const [index, operation] of drawn.fnArray.slice(0, end === -1 ? undefined : end).entries()) {
    const values: unknown = drawn.argsArray[index];
    if (operation === operators.constructPath) followPath(drawing, values, operators);
    else if (operation === operators.transform) drawing.matrix = within(drawing.matrix, values);
    else if (operation === operators.save || operation === operators.paintFormXObjectBegin) {
      if (saved.length < DEPTH_MAX) saved.push(drawing.matrix);
      if (operation !== operators.save) drawing.matrix = within(drawing.matrix, Object(values)[0]);
    } else if (operation === operators.restore || operation === operators.paintFormXObjectEnd)
      drawing.matrix = saved.pop() ?? IDENTITY;
    if (drawing.rules.length > RULES_MAX || drawing.numbers > PATH_NUMBERS_MAX) return [];
  }
  const { rules, grounds } = drawing;
  return grounds.length > GROUNDS_MAX ? rules : [...rules, ...grounds];
}

function within(outer: Matrix, inner: unknown): Matrix {
  const [a, b, c, d, e, f] = numbersOf(inner);
  if (a === undefined || b === undefined || c === undefined) return outer;
  if (d === undefined || e === undefined || f === undefined) return outer;
  const [a0 = 1, b0 = 0, c0 = 0, d0 = 1, e0 = 0, f0 = 0] = outer;
  return [
    a0 * a + c0 * b,
    b0 * a + d0 * b,
    a0 * c + c0 * d,
    b0 * c + d0 * d,
    a0 * e + c0 * f + e0,
    b0 * e + d0 * f + f0,
  ];
}

function numbersOf(values: unknown): readonly number[] {
  if (values instanceof Float32Array) return [...values];
  return Array.isArray(values) && values.every((value) => typeof value === "number") ? values : [];
}

type Point = readonly [x: number, y: number];

function followPath(drawing: Drawing, values: unknown, operators: Operators): void {
  const [paint, paths]: [unknown?, unknown?] = Array.isArray(values) ? [values[0], values[1]] : [];
  const data: unknown = Array.isArray(paths) ? paths[0] : undefined;
  if (!(data instanceof Float32Array) || typeof paint !== "number") return;
  drawing.numbers += data.length;
  if (drawing.numbers > PATH_NUMBERS_MAX) return;
  const isStroked = [
    operators.stroke,
    operators.closeStroke,
    operators.fillStroke,
    operators.eoFillStroke,
    operators.closeFillStroke,
    operators.closeEOFillStroke,
  ].includes(paint);
  const isFilled = paint === operators.fill || paint === operators.eoFill;
  if (!isStroked && !isFilled) return;
  for (const points of outlinesOf(data, drawing.matrix))
    if (isStroked) takeStroke(drawing.rules, points);
    else takeFilled(drawing, points);
}

/** The codes by which pdf.js keeps a path, and how many numbers follow each. */
const [MOVE, LINE, CLOSE] = [0, 1, 4];
const CURVES: Readonly<Record<number, number>> = { 2: 6, 3: 4 };

/** The straight parts of a path, each as its corners on the page. */
function outlinesOf(data: Float32Array, [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0]: Matrix): Point[][] {
  const outlines: Point[][] = [];
  let outline: Point[] = [];
  const begin = (point: Point) => {
    if (outline.length > 1) outlines.push(outline);
    outline = [point];
  };
  const placed = (at: number): Point => {
    const [x, y] = [data[at] ?? 0, data[at + 1] ?? 0];
    return [a * x + c * y + e, b * x + d * y + f];
  };
  for (let at = 0; at < data.length; ) {
    const code = data[at] ?? 0;
    const curve = CURVES[code];
    if (code === MOVE) begin(placed(at + 1));
    else if (code === LINE) outline.push(placed(at + 1));
    else if (code === CLOSE && outline[0] !== undefined) outline.push(outline[0]);
    else if (curve !== undefined) begin(placed(at + curve - 1));
    at += 1 + (curve ?? (code === CLOSE ? 0 : 2));
  }
  if (outline.length > 1) outlines.push(outline);
  return outlines;
}

function takeStroke(rules: Rule[], points: readonly Point[]): void {
  for (const [index, [x1, y1]] of points.entries()) {
    const [x0, y0] = points[index - 1] ?? [x1, y1];
    const [width, height] = [Math.abs(x1 - x0), Math.abs(y1 - y0)];
    if (Math.min(width, height) > SLANT_MAX || Math.max(width, height) < SLANT_MAX) continue;
    rules.push(areaOf(x0, y0, x1, y1));
  }
}

/** A filled rectangle as a line, where it is thin, or as the ground of a row. */
function takeFilled({ rules, grounds }: Drawing, points: readonly Point[]): void {
  if (points.length < 4 || points.length > 6) return;
  const [xs, ys] = [points.map(([x]) => x), points.map(([, y]) => y)];
  const [x0, x1, y0, y1] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  const [width, height] = [x1 - x0, y1 - y0];
  if (Math.max(width, height) < SLANT_MAX) return;
  if (Math.min(width, height) > THICKNESS_MAX) {
    const isLow = grounds.length <= GROUNDS_MAX && height <= GROUND_HEIGHT_MAX;
    if (isLow && areCorners(points, { x0, x1, y0, y1 }))
      grounds.push({ ...areaOf(x0, y0, x1, y1), isGround: true });
    return;
  }
  const isLevel = width > height;
  const [x, y] = [(x0 + x1) / 2, (y0 + y1) / 2];
  rules.push(isLevel ? areaOf(x0, y, x1, y) : areaOf(x, y0, x, y1));
}

const areCorners = (
  points: readonly Point[],
  { x0, x1, y0, y1 }: { x0: number; x1: number; y0: number; y1: number },
) => points.every(([x, y]) => Math.min(x - x0, x1 - x) < SLANT_MAX && Math.min(y - y0, y1 - y) < SLANT_MAX);

const areaOf = (x0: number, y0: number, x1: number, y1: number): Rule => ({
  x0: Math.min(x0, x1),
  x1: Math.max(x0, x1),
  top: -Math.max(y0, y1),
  bottom: -Math.min(y0, y1),
  isGround: false,
});
