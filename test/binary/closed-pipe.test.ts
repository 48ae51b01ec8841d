import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openParts } from "../../src/running/app.ts";
import { FIXTURE_DOCS, testSurroundings } from "../helpers/docent.ts";
import { type FakeOllama, startFakeOllama } from "../helpers/fake-ollama.ts";
import { createWorkplace, PROGRAM, type Workplace } from "../helpers/program.ts";

const PROGRAMS_MS = 300_000;
const KEYS = 2000;

let place: Workplace;
let ollama: FakeOllama;
beforeAll(async () => {
  ollama = startFakeOllama();
  place = createWorkplace({ OLLAMA_HOST: ollama.url });
  for (const words of [
    ["sites", "add", "acme"],
    ["ingest", "acme", FIXTURE_DOCS],
  ])
    await place.run(...words);
  // More than a pipe holds, so that it cannot all be written before the reader leaves.
  const parts = await openParts(testSurroundings(join(place.folder, "docent-data")));
  const organizationId = (await parts.people.sites.organization(undefined)).id;
  for (let index = 0; index < KEYS; index++)
    await parts.people.keys.create({ organizationId, name: `key ${index}` });
  const pages = Array.from(
    { length: KEYS },
    (_, index) => `# Page ${index}\n\nWords of retention ${index}.\n`,
  );
  parts.close();
  for (const [index, text] of pages.entries()) writeFileSync(join(place.folder, `${index}.md`), text);
  await place.run("ingest", "acme", place.folder);
  mkdirSync(join(place.folder, "docs"));
  writeFileSync(join(place.folder, "docs/page.md"), "# Page\n\nWords.\n");
  // Open on both sides, it never ends: an agent that is still there.
  Bun.spawnSync(["mkfifo", join(place.folder, "input")]);
}, PROGRAMS_MS);
afterAll(async () => {
  await place.dispose();
  await ollama.stop();
});

/** Runs a command with a real pipe behind it, and something in the shell that reads it. Says how the command ended. */
function inPipe(command: string, reader: string, environment: Record<string, string> = {}) {
  const program = PROGRAM.map((word) => `'${word}'`).join(" ");
  // On a descriptor of its own: what the command says of itself may go into the pipe too.
  const script = `exec 3>&2; { ${command.replace("docent", program)}; echo "exit $?" >&3; } | ${reader}`;
  return Bun.spawn(["sh", "-c", script], {
    cwd: place.folder,
    env: { PATH: process.env["PATH"] ?? "", HOME: place.folder, OLLAMA_HOST: ollama.url, ...environment },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
}

const said = (child: Bun.Subprocess<"ignore", "pipe", "pipe">) => new Response(child.stderr).text();

describe("a closed pipe ends", () => {
  test(
    "an answer that is being written, and the model's work",
    async () => {
      ollama.replyWith({ text: ["word "], endless: true, tokenMs: 5 });
      const child = inPipe("docent ask acme 'How do I install Acme on Linux?'", "head -c 1");
      expect(await said(child)).toBe("exit 141\n");
      await ollama.until(() => ollama.chats.at(-1)?.aborted === true);
    },
    PROGRAMS_MS,
  );

  test(
    "an answer for which the model still thinks, within a second",
    async () => {
      const asked = ollama.chats.length;
      ollama.replyWith({ firstTokenMs: 600_000 });
      const child = inPipe(
        "docent ask acme 'How is Acme configured?'",
        "sh -c 'while [ ! -e enough ]; do sleep 0.02; done'",
      );
      await ollama.until(() => ollama.chats.length > asked);
      writeFileSync(join(place.folder, "enough"), "");
      expect(await said(child)).toBe("exit 141\n");
      await ollama.until(() => ollama.chats.at(-1)?.aborted === true);
    },
    PROGRAMS_MS,
  );

  test.each([
    ["keys list", "head -c 1"],
    ["keys list --json", "head -c 1"],
    ["sources ledger acme 2", "head -n 1"],
    ["ingest acme docs --watch 2>&1", "true"],
    ["mcp acme <>input", "true"],
    ["serve --port 0 2>&1", "true"],
    ["serve --port 0 2>&1", "head -n 1"],
  ])(
    "docent %s | %s",
    async (command, reader) => {
      expect(await said(inPipe(`docent ${command}`, reader))).toBe("exit 141\n");
    },
    PROGRAMS_MS,
  );
});
