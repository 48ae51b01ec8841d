import { isUnstorable } from "@docent/kernel/errors";

/** Bounds how much of something each subject does at the same time. */
export interface Concurrency {
  /** Takes a place and returns what gives it back, or undefined when the subject has none left. */
  enter(subject: string): (() => void) | undefined;
  /** The same over all servers, where there are several. */
  enterEverywhere(subject: string): Promise<(() => void) | undefined>;
}

/** Keeps the places that several servers give together. */
export interface PlaceStore {
  /**
   * Takes one of so many places of a subject and returns what gives it back, or undefined when there is none left. Those of
   * a server that is gone are free. One that could not be given back is with the next that is taken.
   */
  take(subject: string, most: number): Promise<(() => Promise<void>) | undefined>;
}

interface ConcurrencyOptions {
  /** Of several servers; undefined where there can be one alone. While nothing can be stored, each server counts its own. */
  places?: PlaceStore | undefined;
  /** Hears why a place could not be given back at once. */
  onFailure?: (error: unknown) => void;
}

/** A bound for each subject. 0 is no bound. */
export function createConcurrency(
  most: number,
  { places, onFailure = () => {} }: ConcurrencyOptions = {},
): Concurrency {
  const running = new Map<string, number>();

  function leave(subject: string): void {
    const left = (running.get(subject) ?? 0) - 1;
    if (left > 0) running.set(subject, left);
    else running.delete(subject);
  }

  function enter(subject: string): (() => void) | undefined {
    const now = running.get(subject) ?? 0;
    if (most > 0 && now >= most) return undefined;
    running.set(subject, now + 1);
    let left = false;
    return () => {
      if (!left) leave(subject);
      left = true;
    };
  }

  return {
    enter,
    async enterEverywhere(subject) {
      // Who has no place left here has none anywhere, and the database is not asked.
      const leaveHere = enter(subject);
      if (leaveHere === undefined || places === undefined || most === 0) return leaveHere;
      let isLeft = false;
      const giveBack = await places.take(subject, most).catch((error) => {
        if (isUnstorable(error)) return async () => {};
        leaveHere();
        throw error;
      });
      if (giveBack === undefined) {
        leaveHere();
        return undefined;
      }
      return () => {
        if (isLeft) return;
        isLeft = true;
        leaveHere();
        void giveBack().catch(onFailure);
      };
    },
  };
}
