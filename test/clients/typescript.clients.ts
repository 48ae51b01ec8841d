import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { codeOf, readied } from "./documented.ts";
import { type Served, startServed } from "./served.ts";
import { createFolder, NODE_MODULES, node, runTool, runWell } from "./tool.ts";

const folder = createFolder();
let served: Served;

beforeAll(async () => {
  served = await startServed();
  symlinkSync(NODE_MODULES, join(folder.path, "node_modules"));
  const generate = node("openapi-typescript/bin/cli.js", `${served.url}/openapi.json`);
  await runWell([...generate, "-o", "docent.d.ts"], folder.path);
  await Bun.write(join(folder.path, "tsconfig.json"), JSON.stringify({ compilerOptions: STRICT }));
  await Bun.write(join(folder.path, "shown.ts"), readied(await codeOf("openapi.md", "ts"), served));
});
afterAll(async () => {
  await served[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

const STRICT = {
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  noEmit: true,
  module: "esnext",
  target: "esnext",
  moduleResolution: "bundler",
  lib: ["esnext", "dom"],
  types: [],
};

const check = (file: string) => runTool(node("typescript/bin/tsc", "-p", "tsconfig.json"), file);

/** What has to compile, besides what the documentation shows. */
const USES = `
import type { components, operations } from "./docent";
export const source = (source: components["schemas"]["Source"]): [number, string, string | null] =>
  [source.number, source.place, source.lastRun?.outcome ?? null];
export const site: components["schemas"]["NewSite"] = { domain: "handbook", settings: { widget: { theme: "dark" } } };
export type Listed = operations["listSources"]["responses"][200]["content"]["application/json"];
export const places = (listed: Listed): string[] => listed.map(({ place }) => place);
export const why = (turn: components["schemas"]["Turn"]) => turn.passages.map(({ relevance, content }) => [relevance, content?.title]);
// @ts-expect-error There is no such theme.
export const wrong: components["schemas"]["WidgetTheme"] = "blue";
// @ts-expect-error What may be null has to be looked at.
export const counts = (source: components["schemas"]["Source"]) => source.lastRun.counts;
`;

describe("the types that openapi-typescript makes", () => {
  test("fit the program that the documentation shows, and one that uses shapes and operations by name, and refuse what is wrong", async () => {
    await Bun.write(join(folder.path, "uses.ts"), USES);
    const { code, said } = await check(folder.path);
    expect(code, said).toBe(0);
  });

  test("carry the documentation's program, which runs", async () => {
    expect(await runWell([process.execPath, "shown.ts"], folder.path)).toContain("openapi");
  });
});
