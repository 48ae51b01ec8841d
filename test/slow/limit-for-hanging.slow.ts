import { expect, test } from "bun:test";
import { join } from "node:path";
import { temporaryDirectory } from "../helpers/temporary-directory.ts";

const PRELOAD = join(import.meta.dir, "..", "helpers", "limit-for-hanging.ts");
/** Longer than Bun gives a test by itself. */
const SLEPT_MS = 5_500;

test("plain `bun test` lets each file's tests take longer than Bun does by itself, on a busy machine", async () => {
  using folder = temporaryDirectory();
  const file = `import { test } from "bun:test"; test("slow", () => Bun.sleep(${SLEPT_MS}));`;
  await Bun.write(join(folder.path, "bunfig.toml"), `[test]\npreload = [${JSON.stringify(PRELOAD)}]\n`);
  for (const name of ["one", "two"]) await Bun.write(join(folder.path, `${name}.test.ts`), file);
  const run = Bun.spawn([process.execPath, "test"], { cwd: folder.path, stdout: "ignore", stderr: "pipe" });
  expect(await new Response(run.stderr).text()).toContain(" 2 pass");
  expect(await run.exited).toBe(0);
});
