import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { everyCommand, prepareEverything } from "../helpers/every-command.ts";
import { runInProcess } from "../helpers/run-in-process.ts";

const folder = mkdtempSync(join(tmpdir(), "docent-server-settings-"));
const environment = { DOCENT_DATA: join(folder, "data"), DOCENT_CONNECT_SECONDS: "1" };
beforeAll(() => prepareEverything(folder, environment));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const run = (...words: string[]) => runInProcess(words, { environment });

/** Commands that keep nothing a setting could be taken for: they answer, show, measure, copy, or are the server. */
const OTHERS =
  /list$|show$|^(?:serve|try|export|search|ask|mcp|eval|check|audit|doctor|config|health|completions|man|licenses|move|restore|backup|backup verify|bundle .*|service .*|index .*|generations report|enrichment measure|golden run|golden checks|notices now|notices try|sources ledger|sites fidelity)$/;

describe("a setting of the server that a command does not read is refused, and nothing is changed", () => {
  const keeping = Object.entries(everyCommand(folder)).filter(([name]) => !OTHERS.test(name));
  test.each(keeping.flatMap(([name, invocations]) => invocations.map(({ words }) => [name, words] as const)))(
    "docent %s",
    async (name, words) => {
      const before = await run("audit", "--json");
      const { code, out, err } = await run(...name.split(" "), ...words, "--thinking", "on");
      expect([code, out]).toEqual([1, ""]);
      expect(err).toContain(
        `--thinking is a setting of the server, which docent ${name} neither reads nor keeps`,
      );
      expect(err).toContain("docent serve --thinking on");
      expect(err).toContain("DOCENT_THINKING");
      expect((await run("audit", "--json")).out).toBe(before.out);
    },
  );
});

test("the option of a site that is like the setting is named", async () => {
  const { err } = await run("sites", "set", "acme", "--answer-when", "eager");
  expect(err).toContain("Of this site alone: --site-answer-when");
  expect((await run("sites", "set", "acme", "--thinking", "on")).err).not.toContain("Of this site alone");
});

test("every setting that is refused is named, and the value of a secret is not shown", async () => {
  const { code, err } = await run(
    "--port",
    "8080",
    "orgs",
    "add",
    "third",
    "--reader-secret",
    "do not show it",
  );
  expect(code).toBe(1);
  expect(err).toContain("--port and --reader-secret are settings of the server");
  expect(err).toContain("docent serve --port 8080 --reader-secret …");
  expect(err).not.toContain("do not show it");
});

test("what a command opens its data with, and what it reads itself, it takes", async () => {
  for (const words of [
    ["orgs", "add", "fourth", "--data", join(folder, "data"), "--log-level", "warn", "--sealed", "off"],
    [
      "sites",
      "set",
      "acme",
      "--hand-over",
      "https://hooks.acme.example/x",
      "--hand-over-hosts",
      "hooks.acme.example",
    ],
    [
      "members",
      "invite",
      "Grace",
      "--public-url",
      "https://docent.acme.example",
      "--member-link-seconds",
      "600",
    ],
    [
      "sources",
      "add",
      "acme",
      folder,
      "--later",
      "--private-hosts",
      "docs.internal",
      "--page-bytes",
      "50000",
    ],
  ]) {
    const { code, err } = await run(...words);
    expect([words, code, code === 0 ? "" : err]).toEqual([words, 0, ""]);
  }
});

test("a variable of the environment is the server's, and no command's mistake", async () => {
  const { code, err } = await runInProcess(["sites", "set", "acme", "--name", "Acme docs"], {
    environment: { ...environment, DOCENT_THINKING: "on" },
  });
  expect([code, err]).toEqual([0, ""]);
});

test("what a server starts for itself takes the server's settings", async () => {
  const { code, err } = await run("for-server", "sources", "run", "acme", "1", "--thinking", "on", "--json");
  expect([code, err]).toEqual([0, ""]);
});

describe("docent sites set changes what it says", () => {
  test("without anything to change, it says so", async () => {
    const { code, out, err } = await run("sites", "set", "acme");
    expect([code, out]).toEqual([1, ""]);
    expect(err).toContain("Nothing was named that could be changed of acme");
  });

  test("nor does a destination of notices change by naming nothing", async () => {
    const hosts = ["--hand-over-hosts", "hooks.acme.example"];
    const words = ["notices", "add", "ops", "webhook", "https://hooks.acme.example/x", "--json"];
    const { id } = JSON.parse((await run(...words, ...hosts)).out);
    const { code, err } = await run("notices", "set", id);
    expect(code).toBe(1);
    expect(err).toContain("Nothing was named that could be changed of ops");
  });

  test("where all is so already, it says so", async () => {
    await run("sites", "set", "acme", "--name", "Acme manual");
    const before = await run("audit", "--json");
    const { code, out } = await run("sites", "set", "acme", "--name", "Acme manual");
    expect([code, out]).toEqual([0, "Nothing has changed: acme is so already.\n"]);
    expect((await run("audit", "--json")).out).toBe(before.out);
  });
});
