import { AppError } from "@docent/kernel/errors";

/** Notes each next part that a list names. Raises for one that was asked before: such a list has no end. */
export function createOnward(list: string): (next: string) => void {
  const asked = new Set<string>();
  return (next) => {
    if (asked.has(next)) throw endless(list);
    asked.add(next);
  };
}

/** What is missing in a part of a list would be taken for removed: it is not read up to here and no further. */
export const endless = (list: string) =>
  new AppError("unavailable", `${list} lists without an end.`, {
    hint: "Readers still see what was there before. Name a smaller part of it, and look at what its server answers there.",
  });
