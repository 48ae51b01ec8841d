import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryDirectory } from "../helpers/temporary-directory.ts";

const MAIN = join(import.meta.dir, "../../src/main.ts");

test.each([
  ["thrown", "throw fault;"],
  ["rejected", "Promise.reject(fault);"],
])("what is %s and nobody catches ends the program, and is no order to the terminal", async (_, fault) => {
  using folder = temporaryDirectory();
  const preload = join(folder.path, "fault.ts");
  // Once the program is there: until then it has no say in what the runtime prints.
  writeFileSync(
    preload,
    `const fault = new Error("a\\u001b]0;t\\u0007");
     const timer = setInterval(() => {
       if (process.listenerCount("uncaughtException") === 0) return;
       clearInterval(timer);
       ${fault}
     }, 5);`,
  );
  const child = Bun.spawn(
    [process.execPath, "--preload", preload, MAIN, "serve", "--port", "0", "--data", folder.path],
    { env: { PATH: process.env["PATH"] ?? "" }, stdin: "ignore", stdout: "ignore", stderr: "pipe" },
  );
  const said = await new Response(child.stderr).text();
  expect(await child.exited).toBe(1);
  expect(said).toContain("docent: Internal error: Error: a\\u001b]0;t\\u0007\n");
  expect(said).not.toMatch(/(?![\n\t])\p{Cc}/u);
});
