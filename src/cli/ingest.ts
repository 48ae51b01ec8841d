import { realpath } from "node:fs/promises";
import { resolve } from "node:path";
import type { IngestReport } from "../ingest/ingest.ts";
import { type Command, textOption, word } from "./command.ts";
import { createProgress, printJson } from "./output.ts";

const SKIPPED_SHOWN = 10;

export const ingest: Command = {
  name: "ingest",
  usage: "<domain> <folder>",
  summary: "Read a folder of Markdown into a site. Run it again after a change: only what changed is read.",
  words: [2, 2],
  options: { version: { type: "string" }, language: { type: "string" } },
  optionHelp: {
    version: "marks the pages as this version of the docs; several stand side by side",
    language: "marks the pages as this language, such as de; several stand side by side",
  },
  async run(context) {
    const parts = await context.openParts();
    const site = await parts.sites.get(word(context, 0));
    const folder = resolve(word(context, 1));
    const progress = createProgress(context.terminal, context.surroundings.clock);
    const report = await parts.ingest
      .run({
        source: {
          siteId: site.id,
          kind: "folder",
          // The folder itself, however it was named: a run of the same folder is a run of the same source.
          location: await realpath(folder).catch(() => folder),
          version: textOption(context, "version") ?? "",
          language: textOption(context, "language") ?? "",
        },
        reader: parts.readFolder(folder),
        generation: site.generation,
        signal: context.signal,
        onProgress: ({ pages, location }) => progress.show(`${pages} pages  ${location}`),
      })
      .finally(progress.clear);
    if (context.options["json"]) return printJson(context, report);
    context.terminal.out(describe(report, site.domain));
    for (const { location, reason } of report.skipped.slice(0, SKIPPED_SHOWN)) {
      context.terminal.err(`left out: ${location} ${reason}\n`);
    }
    const more = report.skipped.length - SKIPPED_SHOWN;
    if (more > 0) context.terminal.err(`left out: ${more} more (--json lists them)\n`);
  },
};

function describe(report: IngestReport, domain: string): string {
  const { added, changed, removed, unchanged, passages, generation } = report;
  if (added + changed + removed === 0) {
    return `Nothing has changed: ${unchanged} pages, still generation ${generation} of ${domain}.\n`;
  }
  const resumed = report.resumed ? " An interrupted run was taken up again." : "";
  return `${added} added, ${changed} changed, ${removed} removed, ${unchanged} unchanged; ${passages} passages read.${resumed}\n${domain} is at generation ${generation}.\n`;
}
