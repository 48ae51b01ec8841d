import { afterAll, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { question, textOf } from "../helpers/docent.ts";
import { createWorkplace } from "../helpers/program.ts";

const DOCS = join(import.meta.dir, "../../docs");
const QUESTION = "How do I add a site and read my docs into it?";
const ANSWERS = 150;
/** Less is what a start takes. */
const COMPILED_MIN_KIB = 2000;

/** The memory of code that the runtime has compiled: nothing else may be written and run. */
function compiledKib(pid: number): number {
  const mappings = readFileSync(`/proc/${pid}/smaps`, "utf8").split(/^(?=[0-9a-f]+-[0-9a-f]+ )/m);
  const compiled = mappings.filter((mapping) => /^\S+ rwxp /.test(mapping));
  return compiled.reduce((sum, mapping) => sum + Number(/^Rss:\s+(\d+) kB/m.exec(mapping)?.[1] ?? 0), 0);
}

describe.if(process.platform === "linux")(
  "a server at rest (skipped where Linux does not count memory)",
  () => {
    const workplace = createWorkplace();
    afterAll(workplace.dispose);

    test("gives back the code that it compiled for its answers, and answers as before", async () => {
      await workplace.run("sites", "add", "acme");
      await workplace.run("ingest", "acme", DOCS);
      const key = (await workplace.run("keys", "create", "--site", "acme")).out.trim();
      const unhindered = ["--answer-cache-answers", "0", "--reader-messages-per-minute", "0"];
      const { url, child } = await workplace.serve(...unhindered);

      async function ask(): Promise<string> {
        const reply = await fetch(`${url}/v1/assistant/acme/message`, {
          method: "POST",
          headers: { "content-type": "application/json", authorization: `Bearer ${key}` },
          body: JSON.stringify(question(QUESTION)),
        });
        expect(reply.status).toBe(200);
        return textOf(await reply.text());
      }

      const first = await ask();
      // It may rest amid the answers, too.
      let most = 0;
      for (let answers = 0; most < COMPILED_MIN_KIB || compiledKib(child.pid) > most / 4; answers++) {
        if (answers < ANSWERS) expect(await ask()).toBe(first);
        else await Bun.sleep(250);
        most = Math.max(most, compiledKib(child.pid));
      }
      expect(await ask()).toBe(first);
    }, 300_000);
  },
);
