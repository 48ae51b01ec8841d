/** Lets one caller through in each turn of the event loop, in the order in which they came. */
export type Pacer = () => Promise<void>;

/**
 * For work that keeps the only thread busy for milliseconds. When hundreds come at the same moment, what else the
 * thread has to do, such as handing on what is streamed, goes on between them instead of after all of them.
 */
export function createPacer(): Pacer {
  let open = Promise.resolve();
  return () => {
    const mine = open;
    open = mine.then(letOthersRun);
    return mine;
  };
}

/** Lets everything else that waits have its turn on the only thread before more work is done. */
export const letOthersRun = () => new Promise<void>((resolve) => setImmediate(resolve));
