import { expect, test } from "bun:test";
import { loadCommands } from "../../src/cli/commands/commands.ts";
import { runInProcess } from "../helpers/run-in-process.ts";

const COMMANDS = await loadCommands();

const LINES = [["--help"], ...COMMANDS.map(({ name }) => [...name.split(" "), "--help"])];

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
