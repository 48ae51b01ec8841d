import { expect, test } from "bun:test";
import { loadCommands } from "../../src/cli/commands/commands.ts";
import { WORDS_OF_TOPICS } from "../../src/cli/help.ts";
import { runInProcess } from "../helpers/run-in-process.ts";

const COMMANDS = await loadCommands();

const LINES = [["--help"], ["help", "all"], ...COMMANDS.map(({ name }) => [...name.split(" "), "--help"])];

test.each([80, 120])(
  "at %d columns every line of help fits, and every word of it is there",
  async (columns) => {
    for (const words of LINES) {
      const wide = (await runInProcess(words)).out;
      const { out } = await runInProcess(words, { columns });
      expect(out.split("\n").filter((line) => line.length > columns)).toEqual([]);
      expect(out.split(/\s+/)).toEqual(wide.split(/\s+/));
    }
  },
);

test("help for a first day shows ten commands, and the first word of every other one", async () => {
  const { out } = await runInProcess(["--help"], { columns: 100 });
  const shown = out.split("\n").filter((line) => /^ {2}[a-z]/.test(line));
  expect(shown).toHaveLength(10);
  expect(shown[0]).toStartWith("  try <place>");
  const words = new Set(COMMANDS.map(({ name }) => name.split(" ")[0] ?? ""));
  expect([...WORDS_OF_TOPICS].toSorted()).toEqual([...words].toSorted());
  for (const word of words) expect(out).toMatch(new RegExp(`[ ,]${word}[, \\n]`));
});
