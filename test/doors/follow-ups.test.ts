import { afterEach, expect, test } from "bun:test";
import { join } from "node:path";
import { type DocentOptions, question, startDocent, type TestDocent } from "../helpers/docent.ts";
import { startFakeOllama } from "../helpers/fake-ollama.ts";
import { temporaryDirectory } from "../helpers/temporary-directory.ts";

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const each of open.splice(0)) await each.close();
});

async function start(options: DocentOptions = {}): Promise<TestDocent> {
  using folder = temporaryDirectory();
  const docs = folder.path;
  const section = (heading: string, text: string) => `## ${heading}\n\n${`${text} `.repeat(40)}\n\n`;
  const sections = [
    section("Create a key", "Run acme keys create to create a key."),
    ...["Rotate", "Share", "Limit", "Delete"].map((verb) =>
      section(`${verb} a key`, `You ${verb.toLowerCase()} a key after you create a key.`),
    ),
  ];
  await Bun.write(join(docs, "keys.md"), `# Keys\n\n${sections.join("")}`);
  const docent = await startDocent({ docs, ...options });
  open.push(docent);
  return docent;
}

/** The metadata that ends an answer in v2. */
async function endOf(docent: TestDocent, text = "How do I create a key?"): Promise<Record<string, unknown>> {
  const messages = [{ id: crypto.randomUUID(), role: "user", parts: [{ type: "text", text }] }];
  const reply = await docent.post({ ...question(text), messages }, { version: "v2" });
  const events = (await reply.text())
    .split("\n\n")
    .flatMap((line) => (line.startsWith("data: {") ? [JSON.parse(line.slice(6))] : []));
  return events.findLast(({ type }) => type === "finish")?.messageMetadata;
}

test("an answer ends with questions that other sections answer which were found for it", async () => {
  const docent = await start();
  const { outcome, followUps } = await endOf(docent);
  expect(outcome).toBe("quoted");
  expect(followUps).toContain("How do I delete a key?");
  expect(followUps).not.toContain("How do I create a key?");
});

test("an answer that is given again ends with the same", async () => {
  const ollama = startFakeOllama({ reply: { text: "Run `acme keys create` [1]." } });
  open.push({ close: () => ollama.stop() });
  const docent = await start({ ollama: ollama.url });
  const first = await endOf(docent);
  const { followUps } = first;
  expect(first["outcome"]).toBe("answered");
  expect(followUps).toHaveLength(3);
  expect(followUps).toContain("How do I rotate a key?");
  expect(await endOf(docent)).toMatchObject({ cached: true, followUps });
});

test("no question follows where the owner wants no suggestions, or nothing was answered", async () => {
  const docent = await start();
  expect(await endOf(docent, "Who won the football match yesterday?")).not.toHaveProperty("followUps");
  await docent.app.parts.people.sites.set("acme", { settings: { suggestions: false } });
  expect(await endOf(docent)).not.toHaveProperty("followUps");
});
