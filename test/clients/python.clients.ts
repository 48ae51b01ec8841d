import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { codeOf, readied } from "./documented.ts";
import { type Served, startServed } from "./served.ts";
import { createFolder, python, runTool, runWell } from "./tool.ts";

const folder = createFolder();
let served: Served;
let said: string;

beforeAll(async () => {
  served = await startServed();
  await Bun.write(join(folder.path, "config.yaml"), await codeOf("openapi.md", "yaml"));
  const generate = python("openapi-python-client", "generate", "--url", `${served.url}/openapi.json`);
  const where = ["--config", "config.yaml", "--meta", "none", "--output-path", "docent_client"];
  const made = await runTool([...generate, ...where], folder.path);
  said = made.said;
  expect(made.code, said).toBe(0);
});
afterAll(async () => {
  await served[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

const environment = () => ({
  DOCENT_URL: served.url,
  DOCENT_KEY: served.keys.assistant,
  DOCENT_ADMIN_KEY: served.keys.organization,
  DOCENT_SERVER_KEY: served.keys.server,
});

describe("the client that openapi-python-client makes", () => {
  test("is whole: nothing of the document is left out with a warning", () => {
    expect(said).not.toMatch(/warning|error|omitted/i);
  });

  test("has files by the names of operations and shapes, none by the place of a shape in another", () => {
    const files = [...new Bun.Glob("docent_client/**/*.py").scanSync({ cwd: folder.path })];
    for (const name of [
      "api/admin_sources/list_sources",
      "api/assistant/send_message",
      "models/source",
      "models/turn",
    ])
      expect(files).toContain(`docent_client/${name}.py`);
    expect(files.filter((file) => /_(?:response_\d+|type_\d+|item)(?:_|\.)/.test(file))).toEqual([]);
  });

  test("searches, reads, asks, and looks after sites, sources, keys and curated answers", async () => {
    const out = await runWell(python("python", join(import.meta.dir, "use_client.py")), folder.path, {
      PYTHONPATH: folder.path,
      ...environment(),
    });
    expect(out.trim().split("\n").at(-1)).toBe("all is well");
  });

  test("does what the documentation shows", async () => {
    await Bun.write(join(folder.path, "shown.py"), readied(await codeOf("openapi.md", "python"), served));
    const out = await runWell(python("python", "shown.py"), folder.path);
    expect(out).toContain("openapi");
  });
});
