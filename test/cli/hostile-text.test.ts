import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadCommands } from "../../src/cli/commands/commands.ts";
import { addEverywhere, everyCommand, prepareEverything } from "../helpers/every-command.ts";
import { runInProcess } from "../helpers/run-in-process.ts";

const COMMANDS = await loadCommands();

/** A title, a bell, a colour by C1, a reversal, a line that is no end of a line, and what nobody sees. */
const HOSTILE = "EVIL\u001b]0;t\u0007\u009b31m\u202e\u2066\u2028\u200b\u007f\b\u{e0041}";
/** What of it must never reach a terminal, a newline and a tab apart. */
const OBEYED = /(?![\n\t])[\p{Cc}\p{Cf}\u2028\u2029]/u;
// biome-ignore lint/suspicious/noControlCharactersInRegex: what Docent itself sends to a terminal.
const OWN_ORDERS = /\u001b\[(?:1|2|22|31|33|35|39)m|\r\u001b\[2K|\u001b]8;;[!-~]*\u001b\\/g;

const folder = mkdtempSync(join(tmpdir(), "docent-hostile-"));
const data = join(folder, "data");
const environment = { DOCENT_DATA: data, DOCENT_CONNECT_SECONDS: "1", DOCENT_PRELOAD: "off" };
const commands = everyCommand(folder);

beforeAll(async () => {
  await prepareEverything(folder, environment);
  await runInProcess(["gaps", "list", "acme"], { environment });
  await addEverywhere(data, HOSTILE);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("every command is tried", () => {
  expect(Object.keys(commands).sort()).toEqual(COMMANDS.map(({ name }) => name).sort());
});

/** Those that print what readers, pages or members brought: the others may, in an error. */
const SHOWING = [
  "sites list",
  "orgs list",
  "keys list",
  "admin-keys list",
  "members list",
  "audit",
  "sources list",
  "sources ledger",
  "gaps list",
  "answers show",
  "export",
  "search",
  "ask",
];

for (const [name, invocations] of Object.entries(commands)) {
  for (const { words, input = "", until } of invocations) {
    const line = [name, ...words].join(" ").replaceAll(folder, ".");
    test(`docent ${line} sends no order to a terminal that stands in what it shows`, async () => {
      for (const flags of [[], ["--json"]]) {
        const given = [...name.split(" "), ...words, ...flags];
        const options = { environment, input, ...(until ? { until } : {}) };
        const { out, err } = await runInProcess(given, { ...options, columns: 200 });
        const left = `${out}${err}`.replace(OWN_ORDERS, "");
        expect(OBEYED.exec(left)?.[0]).toBeUndefined();
        if (flags.length === 0 && SHOWING.includes(name)) expect(left).toContain("EVIL\\u001b]0;t\\u0007");
      }
    });
  }
}
