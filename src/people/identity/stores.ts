/**
 * Remembers what may be used once, by its hash and for as long as it could be used again: all servers that share the store
 * remember together.
 */
export interface OnceStore {
  /** True for the first use. Forgets what nobody could use any more. */
  use(hash: string, now: number, until: number): Promise<boolean>;
}
