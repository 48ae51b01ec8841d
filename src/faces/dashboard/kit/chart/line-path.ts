/** The drawing that values are placed in: `top` is the value at its upper edge. */
interface Plot {
  width: number;
  height: number;
  top: number;
}

/** The line through values that are evenly apart; it is interrupted where one is null. */
export function linePath(values: readonly (number | null)[], plot: Plot): string {
  return runsOf(values)
    .map((run) =>
      run.map((point, index) => `${index === 0 ? "M" : "L"}${place(point, values.length, plot)}`).join(""),
    )
    .map((path) => (path.includes("L") ? path : `${path}h0`))
    .join("");
}

/** The area between that line and the ground. */
export function areaPath(values: readonly (number | null)[], plot: Plot): string {
  return runsOf(values)
    .filter((run) => run.length > 1)
    .map((run) => {
      const points = run.map((point) => `L${place(point, values.length, plot)}`).join("");
      const begin = place({ index: run[0]?.index ?? 0, value: 0 }, values.length, plot);
      const end = place({ index: run.at(-1)?.index ?? 0, value: 0 }, values.length, plot);
      return `M${begin}${points}L${end}Z`;
    })
    .join("");
}

/** A round number that is not below a value: 1, 2 or 5 and noughts. */
export function scaleTop(value: number): number {
  if (value <= 0) return 1;
  const unit = 10 ** Math.floor(Math.log10(value));
  const step = [1, 2, 5, 10].find((each) => each * unit >= value) ?? 10;
  return step * unit;
}

/** The values that have a line of the grid: the ground, the middle if it is a whole number, and the top. */
export function ticksOf(top: number): number[] {
  const middle = top / 2;
  return Number.isInteger(middle) ? [0, middle, top] : [0, top];
}

interface Point {
  index: number;
  value: number;
}

function runsOf(values: readonly (number | null)[]): Point[][] {
  const runs: Point[][] = [[]];
  for (const [index, value] of values.entries()) {
    if (value === null) runs.push([]);
    else runs.at(-1)?.push({ index, value });
  }
  return runs.filter((run) => run.length > 0);
}

function place({ index, value }: Point, count: number, { width, height, top }: Plot): string {
  const x = count > 1 ? (index / (count - 1)) * width : width / 2;
  const y = height - (Math.min(value, top) / top) * height;
  return `${round(x)} ${round(y)}`;
}

const round = (value: number) => Math.round(value * 10) / 10;
