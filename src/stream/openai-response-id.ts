/** A turn, and the thread that it is in. */
export interface TurnName {
  threadId: string;
  turnId: string;
}

const ID = /^(?:resp|msg|rs)_([0-9A-Z]{26})([0-9A-Z]{26})(?:_\d+)?$/;

/**
 * The ids of a response and of what it is made of. Each holds the thread's id, and so is the right to go on with the
 * conversation, as in the other doors: like it, it is never logged, and stands in no address.
 */
export const idsOf = ({ threadId, turnId }: TurnName) => ({
  response: `resp_${threadId}${turnId}`,
  message: `msg_${threadId}${turnId}`,
  /** A model may think several times. */
  reasoning: (count: number) => `rs_${threadId}${turnId}${count > 1 ? `_${count}` : ""}`,
});

/** The turn that an id of a response, or of one of its items, was made for. */
export function turnOfId(id: string): TurnName | undefined {
  const [, threadId, turnId] = ID.exec(id) ?? [];
  return threadId === undefined || turnId === undefined ? undefined : { threadId, turnId };
}
