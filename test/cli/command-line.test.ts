import { describe, expect, test } from "bun:test";
import { readCommandLine } from "../../src/cli/command-line.ts";
import { LISTED, loadCommand } from "../../src/cli/commands/commands.ts";
import { AppError } from "../../src/kernel/errors.ts";

async function read(line: string) {
  const found = await readCommandLine(line.split(" ").filter(Boolean), LISTED, loadCommand);
  if (found.asks === "help") return { help: found.about.map(({ name }) => name) };
  if (found.asks === "first help") return { help: "first" };
  if (found.asks === "version") return { version: true };
  return { name: found.command.name, words: found.words, options: { ...found.options } };
}

describe("flags of every command stand before its name, in it, and behind it", () => {
  test.each([
    "--data DIR --json sites list",
    "--data=DIR --json sites list",
    "sites --data DIR list --json",
    "sites list --json --data DIR",
    "--json sites --data=DIR list",
  ])("docent %s", async (line) => {
    expect(await read(line)).toEqual({ name: "sites list", words: [], options: { data: "DIR", json: true } });
  });

  test("a value may look like a command", async () => {
    expect(await read("--data ingest search acme words")).toMatchObject({
      name: "search",
      words: ["acme", "words"],
      options: { data: "ingest" },
    });
  });

  test("the last of two wins", async () => {
    expect(await read("--data one orgs list --data two")).toMatchObject({ options: { data: "two" } });
  });

  test("a switch that stands alone is on", async () => {
    expect(await read("--sealed orgs list")).toMatchObject({ name: "orgs list", options: { sealed: "on" } });
    expect(await read("orgs list --sealed")).toMatchObject({ options: { sealed: "on" } });
    expect(await read("--sealed off orgs list")).toMatchObject({
      name: "orgs list",
      options: { sealed: "off" },
    });
    expect(await read("search acme -- --sealed")).toMatchObject({ words: ["acme", "--sealed"] });
  });

  test("a command whose name begins another one's takes any other word", async () => {
    expect(await read("backup --data DIR copy.db")).toMatchObject({ name: "backup", words: ["copy.db"] });
    expect(await read("--json backup -")).toMatchObject({ name: "backup", words: ["-"] });
    expect(await read("backup --json verify copy.db")).toMatchObject({
      name: "backup verify",
      words: ["copy.db"],
    });
    expect(await read("help backup")).toEqual({ help: ["backup", "backup verify"] });
    expect(await read("backup --help")).toEqual({ help: ["backup"] });
    expect(read("backup verify")).rejects.toThrow("backup verify needs <file>.");
    expect(read("backup")).rejects.toThrow("backup needs <file>.");
  });

  test("a lone hyphen is a word", async () => {
    expect(await read("--json ask acme -")).toMatchObject({ words: ["acme", "-"] });
    expect(await read("sites set acme --widget-file -")).toMatchObject({ options: { "widget-file": "-" } });
  });
});

test.each([
  ["", "first"],
  ["--help", "first"],
  ["--json", "first"],
  ["help", "first"],
  ["help all", LISTED.map(({ name }) => name)],
  ["orgs --help", ["orgs add", "orgs list"]],
  ["--help orgs", ["orgs add", "orgs list"]],
  ["help orgs", ["orgs add", "orgs list"]],
  ["help orgs list", ["orgs list"]],
  ["--help orgs list", ["orgs list"]],
  ["orgs list -h", ["orgs list"]],
  ["help ask", ["ask"]],
])("docent %s is help", async (line, about) => {
  expect(await read(line)).toEqual({ help: about });
});

test.each(["--version", "-v", "--json --version", "--version --json"])(
  "docent %s is the version",
  async (line) => {
    expect(await read(line)).toEqual({ version: true });
  },
);

test.each([
  ["--site acme keys create", "--site stands before a command's name", "docent <command> [options]"],
  ["--nonsense", "--nonsense stands before", "docent --help"],
  ["orgs", "There is no command orgs.", "orgs add, orgs list"],
  ["orgs remove", "There is no command orgs remove.", "orgs add, orgs list"],
  ["help nothing", "There is no command nothing.", "docent --help"],
  ["- acme", "There is no command -.", "docent --help"],
  ["orgs list more", "There is too much: more.", "docent orgs list"],
  ["search acme", "search needs <query>.", "docent search <domain> <query>"],
  ["ingest", "ingest needs <domain> and <place>.", "docent ingest <domain> <place>"],
  ["ingst acme docs", "There is no command ingst.", "Did you mean ingest?"],
  ["site add acme", "There is no command site add.", "Did you mean sites add?"],
  ["source lst acme", "There is no command source lst.", "Did you mean sources list?"],
  ["site", "There is no command site.", "Did you mean sites add, sites list"],
  ["sites ad acme", "There is no command sites ad.", "Did you mean sites add?"],
  ["serve --prot 80", "serve has no option --prot.", "Did you mean --port?"],
  ["serve --frobnicate", "serve has no option --frobnicate.", "docent serve --help"],
])("docent %s says what is wrong", async (line, says, hint) => {
  const error = await refusalOf(line);
  expect([error?.message, error?.hint]).toEqual([
    expect.stringContaining(says),
    expect.stringContaining(hint),
  ]);
});

async function refusalOf(line: string): Promise<AppError | undefined> {
  try {
    await read(line);
    return undefined;
  } catch (error) {
    return error instanceof AppError ? error : undefined;
  }
}
