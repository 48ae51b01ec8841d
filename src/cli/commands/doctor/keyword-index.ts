import { z } from "zod";
import type { Parts } from "../../../app/parts.ts";
import { type Command, word } from "../../command.ts";
import { printJson } from "../../output.ts";
import type { Finding } from "./model.ts";

export const indexRepair: Command = {
  name: "index repair",
  usage: "<domain>",
  summary: "Check a site's keyword index, and make what is damaged of it anew from the stored texts.",
  words: [1, 1],
  json: { shape: z.object({ domain: z.string(), segments: z.int(), repaired: z.int() }) },
  async run(context) {
    const { people, content, storage } = await context.openParts();
    const { id, domain } = await people.sites.get(word(context, 0));
    const damaged = await content.index.findDamaged(id, context.signal);
    if (damaged.length > 0) await content.index.repair(id, context.signal);
    const segments = (await storage.content.segments.list(id)).length;
    if (context.options["json"]) return printJson(context, { domain, segments, repaired: damaged.length });
    context.terminal.out(
      damaged.length === 0
        ? `The keyword index of ${domain} is sound.\n`
        : `The keyword index of ${domain} was damaged, and has been made anew where it was.\n`,
    );
  },
};

/** Reads all of every index: each row has a checksum. */
export async function keywordIndexes(
  { people, content, storage }: Parts,
  signal: AbortSignal,
): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const { id, domain } of await people.sites.list()) {
    const segments = await storage.content.segments.list(id);
    if (segments.length === 0) continue;
    const what = `keyword index of ${domain}`;
    const damaged = await content.index.findDamaged(id, signal);
    const megabytes = Math.round(segments.reduce((sum, { bytes }) => sum + bytes, 0) / 1_000_000);
    if (damaged.length === 0) findings.push({ what, state: "ok", says: `sound, ${megabytes} MB` });
    else
      findings.push({
        what,
        state: "fail",
        says: `${damaged.length === 1 ? "segment" : "segments"} ${damaged.join(", ")} of ${segments.length} damaged: the disk, or something else, changed what was written`,
        hint: `docent index repair ${domain}`,
      });
  }
  return findings;
}
