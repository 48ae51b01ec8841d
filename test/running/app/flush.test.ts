import { expect, test } from "bun:test";
import { AppError } from "../../../src/kernel/errors.ts";
import { allWritten } from "../../../src/running/doors/doors.ts";
import { testLog } from "../../helpers/test-log.ts";

test("writes of the end are waited for although others fail, and each failure is logged", async () => {
  const { log, lines } = testLog();
  const slow = Promise.withResolvers<void>();
  let isOver = false;
  const over = allWritten(log, [
    Promise.reject(new Error("of the first")),
    slow.promise,
    Promise.reject(new AppError("unavailable", "of the last")),
  ]).then(() => {
    isOver = true;
  });
  await Bun.sleep(10);
  expect(isOver).toBe(false);
  slow.resolve();
  await over;
  expect(lines.map(({ level, event }) => [level, event])).toEqual([
    ["error", "counts could not be written"],
    ["warn", "counts could not be written"],
  ]);
});
