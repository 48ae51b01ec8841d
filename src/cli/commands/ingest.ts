import { AppError } from "../../errors.ts";
import { watchFolder } from "../../ingest/ingest.ts";
import type { Source, SourceSpec } from "../../ingest/stores.ts";
import { type Command, word } from "../command.ts";
import { printNote } from "../output.ts";
import { PLACE_OPTION_HELP, PLACE_OPTIONS, sourceSpecOf } from "./place.ts";
import { codeOf, REPORT_SHAPE, reportJson, runSource } from "./run-report.ts";

export const ingest: Command = {
  name: "ingest",
  usage: "<domain> <place>",
  summary:
    "Read a folder, or any other place that docent sources add takes, into a site. Run it again after a change: only what changed is read.",
  words: [2, 2],
  json: { shape: REPORT_SHAPE },
  options: { ...PLACE_OPTIONS, force: { type: "boolean" }, watch: { type: "boolean" } },
  optionHelp: {
    ...PLACE_OPTION_HELP,
    force: "remove pages even if the place lists far fewer than before",
    watch: "for a folder: keep running, and read it again whenever something in it changes",
  },
  async run(context) {
    const parts = await context.openParts();
    const watches = context.options["watch"] === true;
    const { domain, id } = await parts.people.sites.get(word(context, 0));
    const spec = sourceSpecOf(context, id, word(context, 1));
    if (watches) checkWatchable(spec);
    const source = await parts.sources.ofSites.add(spec);
    const run = async () => {
      const site = await parts.people.sites.get(domain);
      const report = await runSource(context, domain, (options) =>
        parts.sources.ofSites.run(site, source, options),
      );
      // One report on each line where more will follow.
      if (context.options["json"] === true)
        context.terminal.json(reportJson(report), watches ? "line" : "indented");
      return codeOf(report);
    };
    const code = await run();
    if (!watches) return code;
    printNote(context, `Watching ${source.location}. Press Ctrl+C to stop.`);
    await watchSource(source, run, context.signal, (message) => printNote(context, message));
    return 0;
  },
};

/** Raises `invalid_request` for a source that cannot tell when it has changed. */
function checkWatchable({ kind, location }: SourceSpec): void {
  if (kind === "folder") return;
  throw new AppError("invalid_request", `Only a folder can be watched; ${location} is read on demand.`, {
    hint: "A schedule does it for other places: docent sources add <domain> <place> --every 1h",
  });
}

/** Calls `run` whenever something in a folder changes, until the signal is aborted. */
async function watchSource(
  source: Source,
  run: () => Promise<unknown>,
  signal: AbortSignal,
  say: (message: string) => void,
): Promise<void> {
  checkWatchable(source);
  const onError = (error: unknown) => say(error instanceof Error ? error.message : String(error));
  await watchFolder(source.location, async () => void (await run()), { signal, onError, atOnce: true });
}
