import type { IndexLack } from "@docent/finding/search/keyword-index/keyword-index";
import type { Parts } from "@docent/running/app/parts";
import { z } from "zod";
import { type Command, word } from "../../command.ts";
import { printJson } from "../../output.ts";
import type { Finding } from "./model.ts";

export const indexRepair: Command = {
  words: [1, 1],
  json: {
    shape: z.object({ domain: z.string(), segments: z.int(), repaired: z.int(), added: z.int() }),
  },
  async run(context) {
    const { people, content, storage } = await context.openParts();
    const { id, domain } = await people.sites.get(word(context, 0));
    const { damaged, outdated, newer, missing } = await faultsOf(content, id, context.signal);
    const repaired = damaged.length + outdated + newer;
    if (repaired + missing > 0) await content.index.repair(id, context.signal);
    const segments = (await storage.content.segments.list(id)).length;
    if (context.options["json"]) return printJson(context, { domain, segments, repaired, added: missing });
    context.terminal.out(saysOfRepair(domain, { damaged: damaged.length, repaired, missing }));
  },
};

function saysOfRepair(
  domain: string,
  { damaged, repaired, missing }: { damaged: number; repaired: number; missing: number },
): string {
  if (damaged > 0)
    return `The keyword index of ${domain} was damaged, and has been made anew where it was.\n`;
  if (repaired > 0)
    return `The keyword index of ${domain} was of another version of Docent, and has been made anew.\n`;
  if (missing > 0)
    return `${missing === 1 ? "1 passage was" : `${missing} passages were`} missing in the keyword index of ${domain}, and added.
`;
  return `The keyword index of ${domain} is sound.\n`;
}

interface Faults extends IndexLack {
  damaged: number[];
}

/** What is wrong with a site's index. Where something is damaged, what else is missing is not looked for. */
async function faultsOf({ index }: Parts["content"], siteId: number, signal: AbortSignal): Promise<Faults> {
  const damaged = await index.findDamaged(siteId, signal);
  if (damaged.length > 0) return { damaged, outdated: 0, newer: 0, missing: 0 };
  return { damaged, ...(await index.lacks(siteId, signal)) };
}

/** Reads all of every index: each row has a checksum. */
export async function keywordIndexes(
  { people, content, storage }: Parts,
  signal: AbortSignal,
): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const { id, domain } of await people.sites.list()) {
    const segments = await storage.content.segments.list(id);
    const faults = await faultsOf(content, id, signal);
    if (segments.length === 0 && faults.missing === 0) continue;
    const what = `keyword index of ${domain}`;
    const found = damageIn(faults, domain, segments.length) ?? lackIn(faults, domain);
    const megabytes = Math.round(segments.reduce((sum, { bytes }) => sum + bytes, 0) / 1_000_000);
    findings.push({ what, ...(found ?? { state: "ok", says: `sound, ${megabytes} MB` }) });
  }
  return findings;
}

type Found = Omit<Finding, "what"> | undefined;

function damageIn({ damaged }: Faults, domain: string, segments: number): Found {
  if (damaged.length === 0) return undefined;
  return {
    state: "fail",
    says: `${damaged.length === 1 ? "segment" : "segments"} ${damaged.join(", ")} of ${segments} damaged: the disk, or something else, changed what was written`,
    hint: `docent index repair ${domain}`,
  };
}

function lackIn({ outdated, newer, missing }: Faults, domain: string): Found {
  if (newer > 0)
    return {
      state: "warn",
      says: "made by a newer version of Docent: questions may miss words, or have to wait",
      hint: `Replace the servers that are of this version. To stay at it: docent index repair ${domain}`,
    };
  const parts = [
    outdated > 0 ? "made by an older version of Docent: questions may miss words, or have to wait" : "",
    missing > 0
      ? `${missing === 1 ? "1 passage is" : `${missing} passages are`} not in it, nor found by words`
      : "",
  ].filter(Boolean);
  if (parts.length === 0) return undefined;
  return {
    state: "warn",
    says: parts.join("; "),
    hint: `A server makes it whole by itself, within minutes of its start. To do it now: docent index complete ${domain} --keywords`,
  };
}
