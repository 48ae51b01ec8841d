import type { IngestReport } from "../ingest/ingest.ts";
import type { RunOptions } from "../ingest/source-runs.ts";
import type { Context } from "./command.ts";
import { createProgress, printJson } from "./output.ts";

const SKIPPED_SHOWN = 10;

/** Runs a source with progress on the terminal, and says what came of it. Returns the exit code. */
export async function showRun(
  context: Context,
  domain: string,
  run: (options: RunOptions) => Promise<IngestReport>,
): Promise<number> {
  const progress = createProgress(context.terminal, context.surroundings.clock);
  const report = await run({
    force: context.options["force"] === true,
    signal: context.signal,
    onProgress: ({ pages, location }) => progress.show(`${pages} pages  ${location}`),
    onEmbedding: (passages) => progress.show(`${passages} passages have their vectors`),
  }).finally(progress.clear);
  if (context.options["json"]) printJson(context, report);
  else describe(context, report, domain);
  return report.incomplete === undefined ? 0 : 1;
}

function describe({ terminal }: Context, report: IngestReport, domain: string): void {
  terminal.out(summary(report, domain));
  for (const { location, detail } of report.skipped.slice(0, SKIPPED_SHOWN)) {
    terminal.err(`left out: ${location} ${detail}\n`);
  }
  const more = report.skipped.length - SKIPPED_SHOWN;
  if (more > 0) terminal.err(`left out: ${more} more (docent sources ledger lists them)\n`);
  if (report.incomplete !== undefined) {
    terminal.err(`The source was not read to its end: ${report.incomplete}\n`);
    terminal.err("What was not reached is as it was. Run this again to go on.\n");
  }
}

function summary(report: IngestReport, domain: string): string {
  const { added, changed, removed, unchanged, passages, generation } = report;
  if (added + changed + removed === 0) {
    return `Nothing has changed: ${unchanged} pages, still generation ${generation} of ${domain}.\n`;
  }
  const resumed = report.resumed ? " An interrupted run was taken up again." : "";
  return `${added} added, ${changed} changed, ${removed} removed, ${unchanged} unchanged; ${passages} passages read.${resumed}\n${domain} is at generation ${generation}.\n`;
}
