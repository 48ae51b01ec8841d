import { z } from "zod";
import type { IngestReport, RunOptions } from "../../../ingest/ingest.ts";
import { isLeftOut } from "../../../ingest/source-reader.ts";
import type { Context } from "../../command.ts";
import { createProgress } from "../../output.ts";
import { yellow } from "../../terminal/text.ts";
import { ADDRESSES_SHAPE, describeAddresses } from "./checked-addresses.ts";
import { describeGolden, GOLDEN_SHAPE, goldenReportJson } from "./golden-questions.ts";
import { describeDocs } from "./recognized-docs.ts";
import { remarkLines } from "./remark-lines.ts";

export { CHECK_OPTION, CHECK_OPTION_HELP, describeAddresses } from "./checked-addresses.ts";

/** What a run of a source came to, as JSON. */
export const REPORT_SHAPE = z.object({
  added: z.int(),
  changed: z.int(),
  unchanged: z.int(),
  removed: z.int(),
  passages: z.int(),
  generation: z.int(),
  resumed: z.boolean(),
  previewed: z.boolean().meta({ description: "It was only looked at: nothing was read." }),
  skipped: z.array(
    z.object({ location: z.string(), found: z.string(), reason: z.string(), detail: z.string() }),
  ),
  faults: z
    .array(z.object({ location: z.string(), detail: z.string() }))
    .meta({ description: "What was wrong with pages that were read all the same." }),
  generator: z
    .string()
    .nullable()
    .meta({ description: "The docs generator that the source was recognized by." }),
  incomplete: z.string().nullable(),
  golden: GOLDEN_SHAPE.nullable().meta({
    description: "What golden questions say of the run; null where none was asked.",
  }),
  refused: z
    .string()
    .nullable()
    .meta({ description: "Why it was not published, where golden questions are against it." }),
  addresses: ADDRESSES_SHAPE.nullable().meta({
    description: "Whether the pages are at their published addresses, where that was asked.",
  }),
});

export function reportJson(report: IngestReport): z.infer<typeof REPORT_SHAPE> {
  const { added, changed, unchanged, removed, passages, generation, resumed, skipped, docs } = report;
  const { faults, incomplete, addresses, golden, refused } = report;
  return {
    added,
    changed,
    unchanged,
    removed,
    passages,
    generation,
    resumed,
    previewed: report.previewed,
    skipped: skipped.map(({ location, found, reason, detail }) => ({ location, found, reason, detail })),
    faults,
    generator: docs?.generator ?? null,
    incomplete: incomplete ?? null,
    golden: golden === undefined ? null : goldenReportJson(golden),
    refused: refused ?? null,
    addresses: addresses ? { ...addresses, note: addresses.note ?? null } : null,
  };
}

/** What a run exits with that golden questions keep from readers. */
const REFUSED = 3;

export const codeOf = ({ incomplete, refused }: IngestReport): number =>
  refused !== undefined ? REFUSED : incomplete === undefined ? 0 : 1;

/**
 * Runs a source with progress on the terminal and prints what came of it. With `--json` the command prints
 * the report itself.
 */
export async function runSource(
  context: Context,
  domain: string,
  run: (options: RunOptions) => Promise<IngestReport>,
): Promise<IngestReport> {
  const progress = createProgress(context.terminal, context.surroundings.clock);
  const report = await run({
    force: context.options["force"] === true,
    preview: context.options["preview"] === true,
    checksAddresses: context.options["check-addresses"] === true,
    requiresGolden: context.options["require"] === true,
    acceptsWorse: context.options["accept-worse"] === true,
    onGolden(outcome) {
      progress.clear();
      if (context.options["json"] !== true) describeGolden(context, outcome);
    },
    signal: context.signal,
    onRecognized(docs) {
      progress.clear();
      // A program that asked for JSON reads the generator in the report.
      if (context.options["json"] !== true) context.terminal.out(describeDocs(docs));
    },
    onProgress: ({ pages, location }) => progress.show(`${pages} pages  ${location}`),
    onEmbedding: (passages) => progress.show(`${passages} passages have their vectors`),
    onIndexing: (passages, all) => progress.show(`${passages} of ${all} passages are indexed`),
  }).finally(progress.clear);
  if (context.options["json"] !== true) describe(context, report, domain);
  return report;
}

function describe({ terminal }: Context, report: IngestReport, domain: string): void {
  if (report.refused !== undefined) {
    terminal.err([yellow("Not published:"), ` ${report.refused}\n`]);
    terminal.err(`What was read stays staged. To publish it all the same, add --accept-worse.\n`);
  } else terminal.out(report.previewed ? PREVIEWED : summary(report, domain));
  if (report.addresses !== undefined) terminal.out(describeAddresses(report.addresses, domain));
  const readWithFaults = report.faults.map(({ location, detail }) => ({ location: `${location}:`, detail }));
  const [leftOut, assumed] = [
    report.skipped.filter(isLeftOut),
    report.skipped.filter((each) => !isLeftOut(each)),
  ];
  for (const line of remarkLines(assumed)) terminal.err(`note: ${line}\n`);
  for (const line of remarkLines(leftOut)) terminal.err(`left out: ${line}\n`);
  for (const line of remarkLines(readWithFaults)) terminal.err(`read with faults: ${line}\n`);
  if (report.incomplete !== undefined) {
    terminal.err([yellow("The source was not read to its end:"), ` ${report.incomplete}\n`]);
    terminal.err("What was not reached is as it was. Run this again to go on.\n");
  }
}

const PREVIEWED = "Nothing was read: run this again without --preview to read it.\n";

function summary(report: IngestReport, domain: string): string {
  const { added, changed, removed, unchanged, passages, generation } = report;
  if (added + changed + removed === 0) {
    return `Nothing has changed: ${unchanged} pages, still generation ${generation} of ${domain}.\n`;
  }
  const resumed = report.resumed ? " An interrupted run was taken up again." : "";
  return `${added} added, ${changed} changed, ${removed} removed, ${unchanged} unchanged; ${passages} passages read.${resumed}\n${domain} is at generation ${generation}.\n`;
}
