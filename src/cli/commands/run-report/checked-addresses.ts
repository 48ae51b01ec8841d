import { z } from "zod";
import type { IngestReport } from "../../../ingest/ingest.ts";
import { printableLine } from "../../../lib/printable.ts";

/** The options that look before readers do. Nothing is asked for over the network unless someone says so. */
export const CHECK_OPTION = {
  "check-addresses": { type: "boolean" },
  preview: { type: "boolean" },
  require: { type: "boolean" },
  "accept-worse": { type: "boolean" },
} as const;
export const CHECK_OPTION_HELP = {
  "check-addresses":
    "ask the site's own host, at its URL, for up to 40 of the pages, and say how many answer; for a folder, git, an archive",
  preview:
    "stop before the first page if the docs of a generator are recognized, to look at their addresses; anything else is read",
  require: "leave readers with what they see if a golden question would get worse, and exit with 3",
  "accept-worse": "publish although golden questions get worse, whatever the site says",
};

export const ADDRESSES_SHAPE = z.object({
  asked: z.int(),
  answering: z.int(),
  missing: z.array(z.object({ address: z.string(), why: z.string() })),
  note: z.string().nullable().meta({ description: "Why no address was asked for." }),
});

const MISSING_SHOWN = 5;

/** Says how many pages are where the site publishes them. */
export function describeAddresses(
  { asked, answering, missing, note }: NonNullable<IngestReport["addresses"]>,
  domain: string,
): string {
  if (note !== undefined) return `${printableLine(`The published addresses were not checked: ${note}.`)}\n`;
  const count = `${answering} of ${asked} addresses answer`;
  const lines = [
    answering === 0 ? `${count}: is the site's URL right? (docent sites set ${domain} --url …)` : `${count}.`,
    ...missing.slice(0, MISSING_SHOWN).map(({ address, why }) => `  ${address}: ${why}`),
    ...(missing.length > MISSING_SHOWN ? [`  ${missing.length - MISSING_SHOWN} more`] : []),
  ];
  return lines.map((line) => `${printableLine(line)}\n`).join("");
}
