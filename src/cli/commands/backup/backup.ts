import { statSync } from "node:fs";
import { resolve } from "node:path";
import { AppError } from "@docent/kernel/errors";
import { z } from "zod";
import { type Command, type Context, textOption, word } from "../../command.ts";
import { isStandard, sendFile, withInputFile } from "../../files.ts";
import { printJson, showTime } from "../../output.ts";

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

export const move: Command = {
  words: [0, 0],
  options: { to: { type: "string" } },
  optionHelp: {
    to: "an empty PostgreSQL database, or a new directory; a password may be in PGPASSWORD instead",
  },
  json: { shape: z.object({ tables: z.int(), rows: z.int() }) },
  async run(context) {
    const { terminal, signal, options } = context;
    const to = textOption(context, "to");
    if (to === undefined) {
      throw new AppError("invalid_request", "Say where everything is to go.", {
        hint: "docent move --to postgres://user@host/docent",
      });
    }
    const isJson = options["json"] === true;
    const moved = await context.moveEverything(to, {
      signal,
      onTable({ table, rows }) {
        if (!isJson && rows > 0) terminal.out(`${table}: ${rows}\n`);
      },
    });
    if (isJson) return printJson(context, moved);
    terminal.out(`Moved ${moved.rows} rows, and compared them. Start the servers with the new place now.\n`);
    return undefined;
  },
};

const CHECKED_BACKUP_SHAPE = z.object({
  file: z.string(),
  bytes: z.int(),
  hasChecksum: z.boolean(),
  schema: z.string(),
  isOlder: z.boolean(),
  organizations: z.int(),
  sites: z.int(),
  pages: z.int(),
  conversations: z.int(),
  turns: z.int(),
  newestAt: z.string(),
});

/** Checks a backup as restoring it would, and needs neither a data directory nor a stopped server. */
export const backupVerify: Command = {
  words: [1, 1],
  json: { shape: CHECKED_BACKUP_SHAPE },
  async run(context) {
    const given = word(context, 0);
    const file = isStandard(given) ? given : resolve(given);
    const name = isStandard(given) ? "What came through the input" : file;
    const found = isStandard(given)
      ? await withInputFile(context, (input) => context.verifyBackup(input, name))
      : await context.verifyBackup(file);
    const { newestAt, ...rest } = found;
    if (context.options["json"] === true)
      return printJson(context, { file, ...rest, newestAt: new Date(newestAt).toISOString() });
    context.terminal.out(linesOf(name, found).map((line) => `${line}\n`));
    return undefined;
  },
};

function linesOf(name: string, found: Awaited<ReturnType<Context["verifyBackup"]>>): string[] {
  const { bytes, hasChecksum, schema, isOlder, organizations, sites, pages, conversations, turns, newestAt } =
    found;
  const version = isOlder ? "of an older version, which is upgraded when it is opened" : "of this version";
  return [
    `${name} is a sound backup.`,
    `  Schema:        ${schema}, ${version}`,
    `  Organizations: ${organizations}`,
    `  Sites:         ${sites}`,
    `  Pages:         ${pages}`,
    `  Conversations: ${conversations}`,
    `  Questions:     ${turns}`,
    `  Newest of it:  ${showTime(newestAt)} UTC`,
    `  Checksum:      ${hasChecksum ? "every byte is as it was written" : "none, by an older Docent or as it was in use since: its texts were not compared"}`,
    `  Size:          ${(bytes / 1_000_000).toFixed(1)} MB`,
  ];
}
