import { expect, test } from "bun:test";
import { startDocent } from "../../helpers/docent.ts";

test("nothing of the process holds a server that was closed, with all that it has read", async () => {
  const before = process.listenerCount("beforeExit");
  const docent = await startDocent({ docs: null });
  await docent.close();
  expect(process.listenerCount("beforeExit")).toBe(before);
});
