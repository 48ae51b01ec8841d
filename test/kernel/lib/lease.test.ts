import { expect, test } from "bun:test";
import { heldLease, type Lease, whileHeld } from "../../../src/kernel/lib/lease.ts";

const NEVER = new AbortController().signal;

function losable(): { lease: Lease; lose(): void; releases(): number } {
  const loss = new AbortController();
  let released = 0;
  return {
    lease: {
      lost: loss.signal,
      async release() {
        released += 1;
      },
    },
    lose: () => loss.abort(new Error("the connection was lost")),
    releases: () => released,
  };
}

test("work that is done gives its lease back, and so does work that fails", async () => {
  const { lease, releases } = losable();
  expect(await whileHeld(lease, NEVER, async () => 7)).toBe(7);
  const failing = whileHeld(lease, NEVER, async () => {
    throw new Error("no");
  });
  await expect(failing).rejects.toThrow("no");
  expect(releases()).toBe(2);
});

test("work is told when its lease is lost, with the reason, and when it is no longer wanted", async () => {
  const { lease, lose } = losable();
  const caller = new AbortController();
  const reasons: unknown[] = [];
  const untilAborted = (signal: AbortSignal) =>
    new Promise<void>((resolve) => {
      signal.addEventListener("abort", () => resolve(void reasons.push(signal.reason.message)));
    });
  const lost = whileHeld(lease, caller.signal, untilAborted);
  lose();
  await lost;
  const left = whileHeld(
    heldLease(() => {}),
    caller.signal,
    untilAborted,
  );
  caller.abort(new Error("stopped"));
  await left;
  expect(reasons).toEqual(["the connection was lost", "stopped"]);
});
