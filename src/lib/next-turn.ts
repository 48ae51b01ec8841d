/** Lets everything else that waits have its turn on the only thread before more work is done. */
export const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));
