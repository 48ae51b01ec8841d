/** Lets one caller through per tick of the event loop, in the order in which they came. */
export type Pacer = () => Promise<void>;

/**
 * For work that blocks the thread for milliseconds. When hundreds of calls come at once, streams go on
 * between them instead of after all of them.
 */
export function createPacer(): Pacer {
  let open = Promise.resolve();
  return () => {
    const mine = open;
    open = mine.then(letOthersRun);
    return mine;
  };
}

/** Lets everything that waits for the thread go first. */
export const letOthersRun = () => new Promise<void>((resolve) => setImmediate(resolve));
