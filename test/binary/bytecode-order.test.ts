import { afterAll, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { readOrder } from "../../scripts/bytecode/order.ts";
import { createWorkplace, PROGRAM } from "../helpers/program.ts";

const KEPT = join(import.meta.dir, "../../scripts/bytecode/order.txt");

describe.if(PROGRAM.length === 1)("the order of functions in the binary (skipped without one)", () => {
  const workplace = createWorkplace();
  afterAll(workplace.dispose);

  test("is still that of a start: where this fails, run bun scripts/bytecode/record.ts", async () => {
    const recorded = join(workplace.folder, "recorded.txt");
    const { child } = await workplace.serveIn({ BUN_BYTECODE_ORDER_OUT: recorded }, "--port", "0");
    child.kill("SIGTERM");
    await child.exited;
    const kept = new Set(readOrder(readFileSync(KEPT, "utf8")).functions);
    const used = readOrder(readFileSync(recorded, "utf8")).functions;
    const share = used.filter((each) => kept.has(each)).length / used.length;
    expect(used.length).toBeGreaterThan(500);
    expect(share).toBeGreaterThan(0.7);
  });
});
