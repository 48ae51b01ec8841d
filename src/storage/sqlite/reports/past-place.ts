import type { Place } from "../../../analytics/period.ts";

/** Behind every id. */
const LAST_ID = "\u{10FFFF}";

/** The place before everything from that moment on. */
export const pastPlace = (at: number): Place => ({ at: at - 1, id: LAST_ID });
