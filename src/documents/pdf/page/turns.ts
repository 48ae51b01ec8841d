/** A rectangle, in a frame in which lines run to the right and follow each other downwards. */
export interface Area {
  x0: number;
  x1: number;
  /** Its upper and lower edge, counted downwards. */
  top: number;
  bottom: number;
}

export type Turn = (x: number, y: number) => [number, number];

const flat: Turn = (x, y) => [x, -y];

/** Turns a point of the page into the frame of a direction: there, lines run to the right and follow downwards. */
export const TURNS: readonly Turn[] = [flat, (x, y) => [y, x], (x, y) => [-x, y], (x, y) => [-y, -x]];

export const turnOf = (quarters: number): Turn => TURNS[quarters] ?? flat;

/** Where an area of text that is not turned is, as lines of a direction see it. */
export function turned<A extends Area>(area: A, turn: Turn): A {
  const [u0, v0] = turn(area.x0, -area.top);
  const [u1, v1] = turn(area.x1, -area.bottom);
  return {
    ...area,
    x0: Math.min(u0, u1),
    x1: Math.max(u0, u1),
    top: Math.min(v0, v1),
    bottom: Math.max(v0, v1),
  };
}
