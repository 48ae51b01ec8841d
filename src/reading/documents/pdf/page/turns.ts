/** A rectangle, in a frame in which lines run to the right and follow each other downwards. */
export interface Area {
  x0: number;
  x1: number;
  /** Its upper and lower edge, counted downwards. */
  top: number;
  bottom: number;
}

type Turn = (x: number, y: number) => [number, number];

/** Lines that lean no further than this are meant to be level, or upright: so lean those of scans. */
const LEAN_MAX_DEGREES = 8;
/** Letters that each stand otherwise are set along a curve, in no direction of their own. */
const DIRECTIONS_MAX = 8;

/** What a run of text is transformed by. */
interface Transformed {
  transform: readonly number[];
}

/** The directions of what is written on a page: each of its runs is turned by so many degrees. */
export function createDirections(items: readonly Transformed[]): { of(item: Transformed): number } {
  const leaning = new Set(items.map(degreesOf).filter((degrees) => quarterNear(degrees) === undefined));
  const areCurved = leaning.size > DIRECTIONS_MAX;
  return {
    of(item) {
      const degrees = degreesOf(item);
      return quarterNear(degrees) ?? (areCurved ? (Math.round(degrees / 90) * 90) % 360 : degrees);
    },
  };
}

/** In halves of degrees, from 0 to 359.5. */
function degreesOf({ transform: [a = 1, b = 0] }: Transformed): number {
  const degrees = Math.round((Math.atan2(b, a) * 360) / Math.PI) / 2;
  return (degrees + 360) % 360;
}

function quarterNear(degrees: number): number | undefined {
  const quarter = Math.round(degrees / 90) * 90;
  return Math.abs(degrees - quarter) <= LEAN_MAX_DEGREES ? quarter % 360 : undefined;
}

const QUARTERS: ReadonlyMap<number, Turn> = new Map<number, Turn>([
  [0, (x, y) => [x, -y]],
  [90, (x, y) => [y, x]],
  [180, (x, y) => [-x, y]],
  [270, (x, y) => [-y, -x]],
]);

/** Turns a point of the page into the frame of a direction: there, lines run to the right and follow downwards. */
export function turnOf(degrees: number): Turn {
  const angle = (degrees * Math.PI) / 180;
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  return QUARTERS.get(degrees) ?? ((x, y) => [x * cos + y * sin, x * sin - y * cos]);
}

/** Where an area of text that is not turned is, as lines of a direction see it. */
export function turned<A extends Area>(area: A, turn: Turn): A {
  const { x0, x1, top, bottom } = area;
  const corners = [turn(x0, -top), turn(x1, -top), turn(x0, -bottom), turn(x1, -bottom)];
  const [us, vs] = [corners.map(([u]) => u), corners.map(([, v]) => v)];
  return { ...area, x0: Math.min(...us), x1: Math.max(...us), top: Math.min(...vs), bottom: Math.max(...vs) };
}
