import type { AppError } from "@docent/kernel/errors";
import type { WaitRequest } from "./queue.ts";

/** An entry in the line, until it has a place or is refused. */
export interface Entry<Place> {
  wanted: WaitRequest<Place>;
  avoid: ReadonlySet<Place>;
  position: number;
  /** Ends the wait with a place, which was taken. */
  admitTo(place: Place): void;
  refuse(error: AppError): void;
}

/** Decides who gets a place, and when. */
export interface Admission<Place> {
  /** Joins the queue; refused where as many wait already as may. */
  join(entry: Entry<Place>): void;
  /** Leaves the queue: the entry was admitted and ends now, or no longer wants to wait. */
  leave(entry: Entry<Place>, place?: Place): void;
  /** Admits those who can be served now. */
  admit(): void;
  /** Whether a newcomer would have to wait behind as many as may wait. */
  isFull(avoid: ReadonlySet<Place>): Promise<boolean>;
}

/** How many there are now. */
export interface Counts {
  waiting: number;
  running: number;
  /** The duration of an answer, averaged over the last ones. */
  holdMs: number;
}

/** Reports positions that have changed. */
export function announce<Place>(entries: readonly { entry: Entry<Place>; position: number }[]): void {
  for (const { entry, position } of entries) {
    if (entry.position === position) continue;
    entry.position = position;
    entry.wanted.onPosition?.(position);
  }
}
