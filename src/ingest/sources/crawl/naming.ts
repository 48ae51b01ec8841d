import type { Skipped } from "../../source-reader.ts";

/** Names so many of what is left out for one reason; one more stands for all that come after. */
export function createNaming(namesMax: number): (skipped: Skipped) => Skipped[] {
  let names = 0;
  return (skipped) => {
    names++;
    if (names > namesMax + 1) return [];
    const isLast = names > namesMax;
    return [
      isLast
        ? { ...skipped, detail: `${skipped.detail}, and so are others that are not named here` }
        : skipped,
    ];
  };
}
