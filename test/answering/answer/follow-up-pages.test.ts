import { expect, onTestFinished, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { PastMessage } from "../../../src/answering/answer/responder.ts";
import { startDocent } from "../../helpers/docent.ts";

test("a follow-up finds the page that the answer before cites first among equals", async () => {
  const docs = await mkdtemp(join(tmpdir(), "docent-follow-up-"));
  for (const name of ["one", "two", "three"])
    await Bun.write(join(docs, `${name}.md`), `# Zebra\n\nThe zebra runs on ${name} meadow.\n`);
  const docent = await startDocent({ docs });
  onTestFinished(async () => {
    await docent.close();
    await rm(docs, { recursive: true });
  });
  const { people, answers } = docent.app.parts;
  const site = await people.sites.get("acme");
  const firstAfter = async (posted: PastMessage[], text: string) => {
    const question = {
      audience: "everything" as const,
      questionMessageId: crypto.randomUUID(),
      text,
      fp: "anonymous",
      caller: "cli" as const,
      keyId: undefined,
      currentPath: undefined,
      filter: undefined,
    };
    const request = { reader: "r", requestId: "r", site, question, threadId: undefined, posted, pageSize: 5 };
    const asked = { ...request, contexts: [], images: [] };
    for await (const event of answers.open("http://localhost")(asked, new AbortController().signal))
      if (event.type === "search") return event.results[0]?.path;
    return undefined;
  };
  for (const name of ["two", "three"]) {
    const cited = `On a meadow. [[1]](http://localhost/sites/acme/${name}#zebra)`;
    const past: PastMessage[] = [
      { role: "user", text: "Where does the zebra run?" },
      { role: "assistant", text: cited },
    ];
    expect(await firstAfter(past, "why?")).toBe(name);
  }
});
