/** The right to do something alone. */
export interface Lease {
  /** Aborted where it was lost, as with the connection that held it: another may have it by now. */
  lost: AbortSignal;
  release(): Promise<void>;
}

/** A lease that is held until it is released: nothing can take it from this process. */
export const heldLease = (release: () => void): Lease => ({
  lost: new AbortController().signal,
  release: async () => release(),
});

/** Does some work while a lease is held. The work is to end with the signal, which the loss of the lease aborts, too. */
export async function whileHeld<T>(
  lease: Lease,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  try {
    return await work(AbortSignal.any([signal, lease.lost]));
  } finally {
    await lease.release();
  }
}
