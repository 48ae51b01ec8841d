import { statSync } from "node:fs";
import { resolve } from "node:path";
import { z } from "zod";
import { type Command, word } from "../../command.ts";
import { isStandard, sendFile, withInputFile } from "../../files.ts";
import { printJson } from "../../output.ts";

export { move } from "./move.ts";
export { backupVerify } from "./verify.ts";

export const backup: Command = {
  words: [1, 1],
  json: { shape: z.object({ file: z.string(), bytes: z.int() }) },
  async run(context) {
    const { terminal, surroundings } = context;
    const { storage } = await context.openParts();
    const given = word(context, 0);
    if (isStandard(given)) {
      // The output is the backup: nothing else may be printed there.
      await sendFile(context, (file) => storage.backUp(file));
      await context.record({ kind: "backup.taken" });
      return undefined;
    }
    const file = resolve(given);
    await storage.backUp(file);
    // A server keeps who asked it for the copy.
    if (surroundings.runsAs === "command-line")
      await context.record({ kind: "backup.taken", subject: { name: file } });
    if (context.options["json"] === true) return printJson(context, { file, bytes: statSync(file).size });
    terminal.out(`Wrote ${file}.\n`);
    return undefined;
  },
};

export const restore: Command = {
  words: [1, 1],
  json: { shape: z.object({ file: z.string(), kept: z.string().nullable() }) },
  async run(context) {
    const given = word(context, 0);
    const file = isStandard(given) ? given : resolve(given);
    const kept = isStandard(given)
      ? await withInputFile(context, (input) => context.restoreBackup(input, "What came through the input"))
      : await context.restoreBackup(file);
    const keptFile = kept === undefined ? null : resolve(kept);
    // In the log of what was restored: that of what was there before is kept with it.
    await context.record({
      kind: "backup.restored",
      ...(isStandard(given) ? {} : { subject: { name: file } }),
    });
    if (context.options["json"] === true) return printJson(context, { file, kept: keptFile });
    context.terminal.out(`Restored ${isStandard(given) ? "what came through the input" : file}.\n`);
    if (keptFile !== null) context.terminal.out(`What was there before is in ${keptFile}.\n`);
    return undefined;
  },
};
