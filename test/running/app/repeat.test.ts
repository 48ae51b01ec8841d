import { expect, test } from "bun:test";
import { HOUR_MS } from "../../../src/kernel/lib/clock.ts";
import { repeat } from "../../../src/running/upkeep/repeat.ts";

test("work that failed is done again before its next turn, each failure is told once, and then it waits for its turn", async () => {
  const failures: string[] = [];
  const done = Promise.withResolvers<void>();
  let rounds = 0;
  const upkeep = repeat({
    async work() {
      rounds += 1;
      if (rounds <= 3) throw new Error(`round ${rounds}`);
      done.resolve();
    },
    everyMs: HOUR_MS,
    retryMs: 1,
    onFailure: (error) => failures.push(String(error)),
  });
  await done.promise;
  await Bun.sleep(20);
  await upkeep.close();
  expect([rounds, failures]).toEqual([4, ["Error: round 1", "Error: round 2", "Error: round 3"]]);
});

test("nothing is done again behind the end", async () => {
  const failed = Promise.withResolvers<void>();
  let rounds = 0;
  const upkeep = repeat({
    async work() {
      rounds += 1;
      throw new Error("away");
    },
    everyMs: HOUR_MS,
    retryMs: 5,
    onFailure: () => failed.resolve(),
  });
  await failed.promise;
  await upkeep.close();
  const before = rounds;
  await Bun.sleep(30);
  expect(rounds).toBe(before);
});
