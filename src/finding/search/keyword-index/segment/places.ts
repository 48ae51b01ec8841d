// A place in a passage as one number: its field, and its position there. Places ascend as fields and positions do.

/** No field has so many positions. */
export const POSITIONS_MAX = 2 ** 24;

export const placeOf = (field: number, position: number) => field * POSITIONS_MAX + position;
export const fieldOf = (place: number) => place >>> 24;
export const positionOf = (place: number) => place & 0xffffff;
