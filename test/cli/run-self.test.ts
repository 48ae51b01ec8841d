import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { createAskSelf, createRunSelf } from "../../src/cli/run-self.ts";
import { temporaryDirectory } from "../helpers/temporary-directory.ts";

/** A program of its own in the place of Docent. */
const running = (script: string, stopMs?: number) =>
  createRunSelf([process.execPath, "-e", script], {}, process.env, stopMs === undefined ? {} : { stopMs });

const never = new AbortController().signal;

test("a command that succeeds says nothing, and one that fails says why", async () => {
  await running("process.exit(0)")([], never);
  const failing = running("process.stderr.write('the disk is gone'); process.exit(1)");
  await expect(failing([], never)).rejects.toThrow("the disk is gone");
  await expect(running("process.exit(7)")([], never)).rejects.toThrow("exit code 7");
});

test("a command that is asked for its results gives them whole, and fails as others do", async () => {
  const asking = (script: string) => createAskSelf([process.execPath, "-e", script], {}, process.env);
  const long = await asking("process.stdout.write('x'.repeat(1_000_000)); process.stderr.write('a warning')")(
    [],
    never,
  );
  expect(long).toHaveLength(1_000_000);
  await expect(asking("process.stdout.write('half'); process.exit(1)")([], never)).rejects.toThrow(
    "exit code 1",
  );
});

test("of what a command says besides, only why it failed is taken", async () => {
  const lines = [
    '{"level":"warn","event":"slow"}',
    '{"error":"No room.","code":"unavailable","hint":"Free some."}',
  ];
  const failing = running(`process.stderr.write(${JSON.stringify(lines.join("\n"))}); process.exit(1)`);
  await expect(failing([], never)).rejects.toThrow(/^No room\. Free some\.$/);
});

test("a command that is told to stop and does not is killed", async () => {
  using directory = temporaryDirectory();
  const ready = join(directory.path, "ready");
  const deaf = `process.on("SIGTERM", () => {}); setInterval(() => {}, 1000); Bun.write(${JSON.stringify(ready)}, "")`;
  const stop = new AbortController();
  const ended = running(deaf, 20)([], stop.signal);
  ended.catch(() => {});
  while (!existsSync(ready)) await Bun.sleep(5);
  stop.abort(new DOMException("The server stops", "AbortError"));
  await expect(ended).rejects.toThrow("The server stops");
});
