import { expect, test } from "bun:test";
import { heldLease, type Lease } from "../../../src/kernel/lib/lease.ts";
import { alone, inTurn } from "../../../src/running/upkeep/alone.ts";
import { hasPostgres } from "../../helpers/postgres.ts";
import { openTestPostgres } from "../../helpers/test-postgres.ts";
import { openTestStorage } from "../../helpers/test-storage.ts";

const never = new AbortController().signal;

/** Lets one at a time take on work, as several servers on one database. */
function oneAtATime() {
  let isHeld = false;
  return async (): Promise<Lease | undefined> => {
    if (isHeld) return undefined;
    isHeld = true;
    return heldLease(() => {
      isHeld = false;
    });
  };
}

test("a round that another server does is left out, and the next one is done", async () => {
  const takeOn = oneAtATime();
  const { promise, resolve } = Promise.withResolvers<void>();
  const rounds: string[] = [];
  const slow = alone(takeOn, "gaps", async () => {
    rounds.push("slow");
    await promise;
  })(never);
  const quick = alone(takeOn, "gaps", async () => void rounds.push("quick"));
  await quick(never);
  resolve();
  await slow;
  await quick(never);
  expect(rounds).toEqual(["slow", "quick"]);
});

test("work that waits for its turn is done when another server has done its own, or failed at it", async () => {
  const takeOn = oneAtATime();
  const { promise, reject } = Promise.withResolvers<void>();
  let count = 0;
  const work = (first: Promise<void> | undefined) =>
    inTurn(
      takeOn,
      "vectors",
      async () => {
        count += 1;
        await first;
      },
      1,
    )(never);
  const failing = work(promise);
  const waiting = work(undefined);
  await Bun.sleep(10);
  expect(count).toBe(1);
  reject(new Error("the model is away"));
  await expect(failing).rejects.toThrow("the model is away");
  await waiting;
  expect(count).toBe(2);
});

test("work ends where its lease is lost", async () => {
  const lost = new AbortController();
  const lease: Lease = { lost: lost.signal, release: async () => {} };
  const working = alone(
    async () => lease,
    "gaps",
    (signal) => {
      lost.abort(new Error("the connection was lost"));
      return new Promise((_, reject) => reject(signal.reason));
    },
  )(never);
  await expect(working).rejects.toThrow("the connection was lost");
});

test("with SQLite, the one server always takes it on", async () => {
  using storage = await openTestStorage();
  expect([await storage.takeOn("gaps"), await storage.takeOn("gaps")]).not.toContain(undefined);
});

test.if(hasPostgres)(
  "with PostgreSQL, one server takes it on, and another when that one has ended",
  async () => {
    const one = await openTestPostgres({ isServer: true });
    using other = await openTestPostgres({ url: one.url, isServer: true });
    const lease = await one.takeOn("vectors");
    expect([await other.takeOn("vectors"), (await other.takeOn("gaps")) === undefined]).toEqual([
      undefined,
      false,
    ]);
    await lease?.release();
    while ((await other.takeOn("vectors")) === undefined) await Bun.sleep(5);
    await one.close();
  },
);
