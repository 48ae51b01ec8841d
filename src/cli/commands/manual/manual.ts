import { VERSION_NUMBER } from "@docent/kernel/version";
import { z } from "zod";
import { type Command, word } from "../../command.ts";
import { printJson } from "../../output.ts";
import { manPage } from "./man-page.ts";
import { completionScript, readShell } from "./shells/shells.ts";
import { commandTable } from "./table.ts";

export const completions: Command = {
  words: [1, 1],
  json: { shape: z.object({ shell: z.string(), script: z.string() }) },
  async run(context) {
    const shell = readShell(word(context, 0));
    const script = completionScript(shell, await table());
    if (context.options["json"] === true) return printJson(context, { shell, script });
    context.terminal.out(script);
    return undefined;
  },
};

export const man: Command = {
  words: [0, 0],
  json: { shape: z.object({ page: z.string() }) },
  async run(context) {
    const page = manPage(await table(), VERSION_NUMBER);
    if (context.options["json"] === true) return printJson(context, { page });
    context.terminal.out(page);
    return undefined;
  },
};

/** Loaded here alone: the list of commands names these two. */
async function table() {
  const { loadCommands } = await import("../commands.ts");
  return commandTable(await loadCommands());
}
