import { resolve } from "node:path";
import { z } from "zod";
import { type Command, type Context, word } from "../../command.ts";
import { isStandard, withInputFile } from "../../files.ts";
import { printJson, showTime } from "../../output.ts";

const SHAPE = z.object({
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
  json: { shape: SHAPE },
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
