/** A turn and its thread. */
export interface TurnName {
  threadId: string;
  turnId: string;
}

const ID = /^(?:resp|msg|rs)_([0-9A-Z]{26})([0-9A-Z]{26})(?:_\d+)?$/;

/**
 * The ids of a response and its items. Each contains the thread's id, and so grants the right to continue the
 * conversation, as in the other doors: it is never logged or put in an address.
 */
export const idsOf = ({ threadId, turnId }: TurnName) => ({
  response: `resp_${threadId}${turnId}`,
  message: `msg_${threadId}${turnId}`,
  /** A model may think several times. */
  reasoning: (count: number) => `rs_${threadId}${turnId}${count > 1 ? `_${count}` : ""}`,
});

/** The turn for which the id of a response or item was made. */
export function turnOfId(id: string): TurnName | undefined {
  const [, threadId, turnId] = ID.exec(id) ?? [];
  return threadId === undefined || turnId === undefined ? undefined : { threadId, turnId };
}
