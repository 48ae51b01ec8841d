import { expect, test } from "bun:test";
import { whileAdmitted } from "../../src/doors/admin/guard.ts";
import { AppError } from "../../src/kernel/errors.ts";
import { appErrorOf } from "../helpers/rejection.ts";

const PIECE = new Uint8Array(1);
const removed = () => new AppError("unauthorized", "You are signed out.");

test("what arrives at once is checked at its end", async () => {
  const checks: number[] = [];
  const arrived: Uint8Array[] = [];
  const pieces = whileAdmitted(
    (async function* () {
      yield PIECE;
      yield PIECE;
    })(),
    async () => void checks.push(arrived.length),
  );
  for await (const piece of pieces) arrived.push(piece);
  expect([arrived.length, checks]).toEqual([2, [2]]);
});

test("what arrives for long is checked while it does, and ends where its sender is removed", async () => {
  let ended = false;
  async function* endless() {
    try {
      for (;;) {
        await Bun.sleep(1);
        yield PIECE;
      }
    } finally {
      ended = true;
    }
  }
  let checks = 0;
  const check = async () => {
    checks += 1;
    if (checks === 3) throw removed();
  };
  const error = await appErrorOf(() => Array.fromAsync(whileAdmitted(endless(), check, { everyMs: 2 })));
  expect([error.code, checks, ended]).toEqual(["unauthorized", 3, true]);
});
