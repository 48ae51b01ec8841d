/** From a moment on, and before another one. */
export interface Period {
  from: number;
  to: number;
}

/** All the time there is. */
export const ALWAYS: Period = { from: 0, to: Number.MAX_SAFE_INTEGER };

/** A row's place in a list that is ordered by time. Rows of the same moment are ordered by their ids. */
export interface Place {
  at: number;
  id: string;
}
