import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { loadCommands } from "../../src/cli/commands/commands.ts";
import { ERROR_CODES } from "../../src/kernel/errors.ts";
import { everyCommand, prepareEverything } from "../helpers/every-command.ts";
import { runInProcess } from "../helpers/run-in-process.ts";

const COMMANDS = await loadCommands();

const folder = mkdtempSync(join(tmpdir(), "docent-json-"));
const environment = {
  DOCENT_DATA: join(folder, "data"),
  DOCENT_CONNECT_SECONDS: "1",
  DOCENT_PRELOAD: "off",
};
const commands = everyCommand(folder);

beforeAll(() => prepareEverything(folder, environment));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const failure = z.strictObject({
  error: z.string(),
  code: z.enum(ERROR_CODES),
  hint: z.string().optional(),
  details: z.array(z.strictObject({ path: z.string(), message: z.string() })).optional(),
  stack: z.string().optional(),
});
const jsonLines = (text: string): unknown[] =>
  text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));

test("every command is tried", () => {
  expect(Object.keys(commands).sort()).toEqual(COMMANDS.map(({ name }) => name).sort());
});

describe("--json", () => {
  for (const [name, invocations] of Object.entries(commands)) {
    for (const { words, code = 0, input = "", until } of invocations) {
      const line = [name, ...words].join(" ").replaceAll(folder, ".");
      test(`of docent ${line} prints what its command says it prints, and on the standard error JSON too`, async () => {
        const command = COMMANDS.find((each) => each.name === name);
        const given = ["--json", ...name.split(" "), ...words];
        const ran = await runInProcess(given, { environment, input, ...(until ? { until } : {}) });
        expect([ran.code, ran.err]).toEqual([code, ran.err]);
        const told = jsonLines(ran.err);
        if (code !== 0) expect(failure.parse(told.at(-1))).toEqual(z.any().parse(told.at(-1)));
        if (code !== 0 || name === "export") return;
        const shape = command?.json.shape ?? z.never();
        const values = command?.json.isLines ? jsonLines(ran.out) : [JSON.parse(ran.out)];
        expect(values.length).toBeGreaterThan(0);
        // What a shape does not name is left out of what it reads.
        for (const value of values) expect(shape.parse(value)).toEqual(value);
      });
    }
  }

  test("of docent export is a conversation on each line", async () => {
    const { out } = await runInProcess(["export", "acme", "--json"], { environment });
    const shape = COMMANDS.find(({ name }) => name === "export")?.json.shape ?? z.never();
    const lines = jsonLines(out);
    expect(lines).toHaveLength(3);
    for (const line of lines) expect(shape.parse(line)).toEqual(line);
  });

  test("of the version is an object", async () => {
    expect(JSON.parse((await runInProcess(["--version", "--json"])).out)).toEqual({
      version: expect.stringContaining("."),
    });
  });
});

describe("what goes wrong is JSON with --json, wherever it stands", () => {
  test.each([
    [["--json", "frobnicate"], "invalid_request"],
    [["sites", "list", "--json", "--nonsense"], "invalid_request"],
    [["--json", "sites", "set", "nobody", "--name", "x"], "not_found"],
    [["orgs", "add", "default", "--json"], "conflict"],
    [["serve", "--port", "many", "--json"], "invalid_request"],
    [["search", "acme", "", "--json"], "invalid_request"],
  ])("docent %j", async (words, code) => {
    const { out, err, ...ran } = await runInProcess(words, { environment });
    expect([ran.code, out]).toEqual([1, ""]);
    const [told, ...more] = jsonLines(err);
    expect(more).toEqual([]);
    expect(failure.parse(told)).toMatchObject({ code });
  });

  test("every wrong setting is named, and the stack is there with --debug", async () => {
    const wrong = { DOCENT_PORT: "x", DOCENT_FALLBACK: "maybe" };
    const { err } = await runInProcess(["config", "--json", "--debug"], { environment: wrong });
    const told = failure.parse(JSON.parse(err));
    expect(told.details?.map(({ path }) => path)).toEqual(["DOCENT_PORT", "DOCENT_FALLBACK"]);
    expect(told.stack).toContain("at ");
  });

  test("a hyphen ends the flags", async () => {
    const { err } = await runInProcess(["search", "nobody", "--", "--json"], { environment });
    expect(err).toMatch(/^docent: There is no site nobody in \S+\.\n {2}→ Sites there: [^\n]+\n$/);
  });
});
