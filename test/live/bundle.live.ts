import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createWorkplace, type Workplace } from "../helpers/program.ts";
import { type RealOllama, startRealOllama } from "../helpers/real-ollama.ts";
import { CHAT, realOllama } from "../helpers/real-ollama-here.ts";

// Two machines: a folder with Docent and all models, and one with an Ollama that has none. Only the bundle is in both.

const SITE = "docs.acme.example";
let outside: Workplace;
let inside: Workplace;
let ollama: RealOllama;
let models: string;
const carried = (name: string) => join(outside.folder, name);

beforeAll(async () => {
  const here = realOllama();
  outside = createWorkplace();
  models = mkdtempSync(join(tmpdir(), "docent-models-"));
  ollama = await startRealOllama({ program: here.program, models });
  inside = createWorkplace({
    OLLAMA_HOST: ollama.url,
    DOCENT_MODEL: CHAT,
    DOCENT_CONTEXT_TOKENS: "2048",
    DOCENT_ANSWER_TOKENS: "40",
  });
});
afterAll(async () => {
  await ollama.stop();
  await Promise.all([outside.dispose(), inside.dispose()]);
  rmSync(models, { recursive: true, force: true });
});

async function run(place: Workplace, ...words: string[]): Promise<string> {
  const { code, out, err } = await place.run(...words);
  if (code !== 0) throw new Error(`docent ${words.join(" ")}: ${err}`);
  return out;
}

function writeDocs(page: string, markdown: string): void {
  mkdirSync(join(outside.folder, "docs"), { recursive: true });
  writeFileSync(join(outside.folder, "docs", page), markdown);
}

const makeBundle = (name: string, ...words: string[]) =>
  run(
    outside,
    "bundle",
    "make",
    name,
    "--sign",
    "ours.pem",
    "--without-binary",
    "--with-model",
    CHAT,
    "--models-folder",
    realOllama().models,
    ...words,
  );

const install = (name: string) =>
  run(
    inside,
    "bundle",
    "install",
    carried(name),
    "--key",
    carried("ours.pub.pem"),
    "--without-binary",
    "--data",
    "data",
  );

const MODEL_OF_FINISH = /"type":"finish"[^\n]*"model":"smollm2/;

async function answerInside(question: string): Promise<string> {
  return run(inside, "ask", SITE, question, "--json", "--data", "data");
}

describe("a bundle with a real model", () => {
  test("brings docs and model to an Ollama that has none, which then answers from them, sealed", async () => {
    writeDocs("install.md", "# Install Acme\n\nInstall Acme on Linux with `acme-setup`, as root.\n");
    await run(outside, "bundle", "key", "ours");
    await run(outside, "sites", "add", SITE);
    await run(outside, "ingest", SITE, "docs");
    await makeBundle("january.bundle");
    expect((await fetch(`${ollama.url}/api/tags`).then((reply) => reply.json())).models).toEqual([]);

    await install("january.bundle");
    const { models: names } = await fetch(`${ollama.url}/api/tags`).then((reply) => reply.json());
    expect(names.map(({ name }: { name: string }) => name)).toEqual([`${CHAT}:latest`]);
    expect(await answerInside("How do I install Acme on Linux?")).toMatch(MODEL_OF_FINISH);

    const server = await inside.serve("--sealed", "--data", "data");
    const key = JSON.parse(await run(inside, "keys", "create", "--site", SITE, "--json", "--data", "data"));
    const reply = await fetch(`${server.url}/v1/assistant/${SITE}/message`, {
      method: "POST",
      headers: { authorization: `Bearer ${key.key}`, "content-type": "application/json" },
      body: JSON.stringify({
        fp: "reader",
        messages: [{ id: "1", role: "user", content: "How do I install Acme as root?", parts: [] }],
      }),
    });
    expect([reply.status, await reply.text()]).toEqual([200, expect.stringContaining("install")]);
    server.child.kill("SIGTERM");
    await server.child.exited;
  }, 300_000);

  test("of the next month carries what has changed, and not the model again", async () => {
    writeDocs("remove.md", "# Remove Acme\n\nRemove Acme with `acme-remove --purge`, as root.\n");
    await run(outside, "ingest", SITE, "docs");
    await makeBundle("february.bundle", "--since", "january.bundle");
    expect(statSync(carried("february.bundle")).size).toBeLessThan(
      statSync(carried("january.bundle")).size / 5,
    );
    await install("february.bundle");
    const answer = await answerInside("How do I remove Acme?");
    expect(answer).toMatch(MODEL_OF_FINISH);
    expect(answer).toContain("remove");
  }, 300_000);
});
