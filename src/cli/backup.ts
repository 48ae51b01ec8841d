import { resolve } from "node:path";
import { type Command, word } from "./command.ts";

export const backup: Command = {
  name: "backup",
  usage: "<file>",
  summary: "Write a copy of everything to a file, while the server runs. It holds every organization.",
  words: [1, 1],
  async run(context) {
    const parts = await context.openParts();
    const file = resolve(word(context, 0));
    parts.backUp(file);
    context.terminal.out(`Wrote ${file}.\n`);
  },
};

export const restore: Command = {
  name: "restore",
  usage: "<file>",
  summary: "Put a backup in the place of the data directory's database, which is kept beside it.",
  words: [1, 1],
  async run(context) {
    const file = resolve(word(context, 0));
    const kept = context.restoreBackup(file);
    context.terminal.out(`Restored ${file}.\n`);
    if (kept !== undefined) context.terminal.out(`What was there before is in ${resolve(kept)}.\n`);
  },
};
