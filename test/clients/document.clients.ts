import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { z } from "zod";
import { type Served, startServed } from "./served.ts";
import { createFolder, node, python, runTool, runWell } from "./tool.ts";

const folder = createFolder();
let served: Served;

beforeAll(async () => {
  served = await startServed();
  await Bun.write(join(folder.path, "openapi.json"), await fetch(`${served.url}/openapi.json`));
});
afterAll(async () => {
  await served[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

/** What the linter says of a document, as far as it is looked at here. */
const lintShape = z.object({
  totals: z.object({ errors: z.number(), warnings: z.number() }),
  problems: z.array(z.object({ ruleId: z.string(), message: z.string() })),
});

describe("the document", () => {
  test("is valid to openapi-spec-validator", async () => {
    expect(await runWell(python("openapi-spec-validator", "openapi.json"), folder.path)).toContain("OK");
  });

  test("has no pattern that Python cannot read", async () => {
    const script = [
      "import json, re, sys",
      "def walk(part):",
      "    if isinstance(part, dict):",
      "        if isinstance(part.get('pattern'), str): re.compile(part['pattern']); found.append(1)",
      "        for each in part.values(): walk(each)",
      "    if isinstance(part, list):",
      "        for each in part: walk(each)",
      "found = []; walk(json.load(open('openapi.json'))); print(len(found))",
    ].join("\n");
    expect(Number(await runWell(python("python", "-c", script), folder.path))).toBeGreaterThan(5);
  });

  test("has no fault by Redocly's recommended rules, and no warning", async () => {
    const lint = node("@redocly/cli/bin/cli.js", "lint", "openapi.json", "--extends", "recommended");
    // What leads a browser to a provider, and takes it back, answers with where to go.
    const redirecting = ["--skip-rule", "operation-2xx-response"];
    const { code, out, said } = await runTool([...lint, ...redirecting, "--format", "json"], folder.path);
    expect(code, said).toBe(0);
    const { totals, problems } = lintShape.parse(JSON.parse(out.slice(out.indexOf("{"))));
    expect(totals.errors, out).toBe(0);
    expect(problems).toEqual([]);
  });
});
