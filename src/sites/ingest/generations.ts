import { AppError } from "@docent/kernel/errors";
import type { Generation, GenerationStore } from "./stores.ts";

/** Goes back to what readers saw before. */
export function createGenerations({ store }: { store: GenerationStore }) {
  return {
    list: (siteId: number) => store.list(siteId),

    /** Goes back to a generation: to the one before the visible one where none is named. */
    async rollBack(siteId: number, number?: number): Promise<{ from: number; to: number }> {
      const all = await store.list(siteId);
      const visible = all.find(({ isVisible }) => isVisible);
      if (!visible) throw new AppError("not_found", "This site has nothing to go back from.");
      const before = all.filter((each) => each.number < visible.number);
      const target = number === undefined ? before[0] : all.find((each) => each.number === number);
      if (!target || target === visible) throw notKept(number, all);
      await store.show(siteId, target.number);
      return { from: visible.number, to: target.number };
    },
  };
}

export type Generations = ReturnType<typeof createGenerations>;

function notKept(number: number | undefined, all: Generation[]): AppError {
  const others = all.filter(({ isVisible }) => !isVisible).map((each) => each.number);
  const what = number === undefined ? "There is no earlier generation" : `There is no generation ${number}`;
  return new AppError("not_found", `${what} to go back to.`, {
    hint:
      others.length === 0
        ? "Only the visible one is kept: the docs have not changed since."
        : `Kept besides the visible one: ${others.join(", ")}.`,
  });
}
