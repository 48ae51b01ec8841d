import { afterAll, beforeAll, expect, test } from "bun:test";
import type { SiteSecret } from "../../src/people/readers/stores.ts";
import { partsOf, question, startDocent, type TestDocent } from "../helpers/docent.ts";
import { startFakeOllama } from "../helpers/fake-ollama.ts";
import { readPages } from "../helpers/public-site.ts";
import { adasClaims, signToken } from "../helpers/reader-tokens.ts";

const ASKED = "What is the salarium of grade seven?";
const PAGES = {
  "index.md": "# Handbook\n\nThe salarium of a grade is told by the office, in week seven.",
  "salaries.md":
    "---\ngroups: [hr]\n---\n# Salaries\n\nThe salarium of grade seven is forty quatloos, of grade eight fifty.",
};

let ollama: ReturnType<typeof startFakeOllama>;
let docent: TestDocent;
let secret: SiteSecret;

beforeAll(async () => {
  ollama = startFakeOllama({ reply: { text: "The docs say so [1]." } });
  docent = await startDocent({ docs: null, ollama: ollama.url, settings: { answer_when: "eager" } });
  await readPages(docent, "acme", PAGES);
  const { people } = docent.app.parts;
  secret = await people.siteSecrets.create((await people.sites.get("acme")).id);
});
afterAll(async () => {
  await docent.close();
  ollama.stop();
});

async function ask(sub: string, groups: string[] | undefined) {
  const claims = { ...adasClaims("acme", Math.floor(Date.now() / 1000)), sub, groups };
  const headers = groups === undefined ? {} : { "x-docent-reader": await signToken(secret, claims) };
  const chats = ollama.chats.length;
  const message = { id: crypto.randomUUID(), role: "user", content: ASKED, parts: [] };
  const wire = await (await docent.post({ ...question(ASKED), messages: [message] }, { headers })).text();
  const isCached = partsOf(wire).some(
    ({ value }) => JSON.stringify(value)?.includes('"cached":true') ?? false,
  );
  return { isCached, wire, prompts: JSON.stringify(ollama.chats.slice(chats)) };
}

test("an answer is given again to those who see the same, and to nobody else", async () => {
  const first = await ask("ada", ["hr", "chess"]);
  expect([first.isCached, first.prompts.includes("forty quatloos")]).toEqual([false, true]);
  const again = await ask("grace", ["hr", "running"]);
  expect(again.isCached).toBe(true);
  for (const groups of [undefined, [], ["it"]]) {
    const other = await ask("alan", groups);
    expect(other.wire + other.prompts).not.toMatch(/quatloos|salaries/);
  }
  const unknown = await ask("nobody", undefined);
  expect([unknown.isCached, unknown.wire.includes("salaries")]).toEqual([true, false]);
});
