/** Bounds how much of something each subject does at the same time. */
export interface Concurrency {
  /** Takes a place and returns what gives it back, or undefined when the subject has none left. */
  enter(subject: string): (() => void) | undefined;
}

/** A bound for each subject. 0 is no bound. */
export function createConcurrency(most: number): Concurrency {
  const running = new Map<string, number>();

  function leave(subject: string): void {
    const left = (running.get(subject) ?? 0) - 1;
    if (left > 0) running.set(subject, left);
    else running.delete(subject);
  }

  return {
    enter(subject) {
      const now = running.get(subject) ?? 0;
      if (most > 0 && now >= most) return undefined;
      running.set(subject, now + 1);
      let left = false;
      return () => {
        if (!left) leave(subject);
        left = true;
      };
    },
  };
}
