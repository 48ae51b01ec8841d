import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { type Served, startServed } from "./served.ts";
import { createFolder, python, runTool } from "./tool.ts";

const CONFIG = join(import.meta.dir, "schemathesis.toml");
/** The same cases every time, as far as the server's ids are not among them. */
const FIRST_SEED = 20_261_122;
/** Chance decides how far operations after one another come: a walk of one seed may end early. */
const WALKS = 6;

const folder = createFolder();
let served: Served;

beforeAll(async () => {
  served = await startServed();
});
afterAll(async () => {
  await served[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

/** Runs it to its end: what it found, and how many cases it tried. */
async function run(config: string, words: readonly string[], seed = FIRST_SEED) {
  const path = join(folder.path, "schemathesis.toml");
  await Bun.write(path, config);
  const { code, said } = await runTool(
    python(
      "schemathesis",
      "--config-file",
      path,
      "run",
      `${served.url}/openapi.json`,
      ...words,
      "--seed",
      String(seed),
      "--no-color",
      "--continue-on-failure",
    ),
    folder.path,
    {
      DOCENT_SESSION: served.session,
      DOCENT_ASSISTANT_KEY: served.keys.assistant,
      DOCENT_ORGANIZATION_KEY: served.keys.organization,
      DOCENT_SERVER_KEY: served.keys.server,
    },
  );
  const cases = Number(/(\d+) generated/.exec(said)?.[1] ?? 0);
  return {
    code,
    cases,
    said: said
      .split("\n")
      .map((line) => line.slice(0, 500))
      .join("\n"),
  };
}

const config = () => Bun.file(CONFIG).text();

describe("schemathesis finds no reply that the document does not tell of, and no fault of ours", () => {
  test("in each operation, by its examples, at the bounds of its schemas, and by chance", async () => {
    const ofDemo = `${await config()}\n[parameters]\n"path.domain" = "docent"\n`;
    const { code, cases, said } = await run(ofDemo, [
      "--phases",
      "examples,coverage,fuzzing",
      "--max-examples",
      "5",
    ]);
    expect(code, said).toBe(0);
    expect(cases).toBeGreaterThan(3000);
  });

  test("in operations after one another, with what the ones before have made", async () => {
    let walked = 0;
    for (let walk = 0; walk < WALKS; walk++) {
      const words = ["--phases", "stateful", "--max-examples", "50"];
      const { code, cases, said } = await run(await config(), words, FIRST_SEED + walk);
      expect(code, said).toBe(0);
      walked += cases;
    }
    expect(walked).toBeGreaterThan(600);
  });
});
