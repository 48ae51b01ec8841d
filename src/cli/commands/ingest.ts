import { AppError } from "@docent/kernel/errors";
import { jsonIn } from "@docent/kernel/text/json";
import type { Source, SourceSpec } from "@docent/reading/source";
import { watchFolder } from "@docent/sites/ingest/ingest";
import type { ListedSource } from "@docent/sites/ingest/stores";
import { z } from "zod";
import { type Command, type Context, word } from "../command.ts";
import { printNote } from "../output.ts";
import { READING } from "../read-settings.ts";
import {
  addSource,
  dropUnread,
  PLACE_OPTION_HELP,
  PLACE_OPTIONS,
  publishedOption,
  readNamed,
  sourceSpecOf,
} from "./place.ts";
import {
  CHECK_OPTION,
  CHECK_OPTION_HELP,
  codeOf,
  REPORT_SHAPE,
  reportJson,
  runSource,
} from "./run-report/run-report.ts";

/**
 * So many changed files are read by the watching process itself, which is warm: a saved page is found after a third of the
 * processor time that a new process takes. More of them leave memory behind.
 */
const FILES_READ_HERE_MAX = 100;

export const ingest: Command = {
  words: [2, 2],
  settings: READING,
  json: { shape: REPORT_SHAPE },
  options: { ...PLACE_OPTIONS, ...CHECK_OPTION, force: { type: "boolean" }, watch: { type: "boolean" } },
  optionHelp: {
    ...PLACE_OPTION_HELP,
    ...CHECK_OPTION_HELP,
    force: "remove pages even if the place lists far fewer than before",
    watch: "for a folder: keep running, and read it again whenever something in it changes",
  },
  async run(context) {
    const parts = await context.openParts();
    const watches = context.options["watch"] === true;
    const known = await parts.people.sites.get(word(context, 0));
    const { domain } = known;
    const spec = sourceSpecOf(context, known.id, word(context, 1));
    if (watches) checkWatchable(spec);
    const named = await addSource(context, known, spec, { published: publishedOption(context) });
    const { source } = named;
    const run = async () => {
      const site = await parts.people.sites.get(domain);
      const report = await runSource(context, { domain, source: source.id }, (options) =>
        // Whoever watches a folder saves a page again and again: the published site is not asked each time.
        parts.sources.ofSites.run(site, source, { ...options, asksPublished: !watches }),
      );
      // One report on each line where more will follow.
      if (context.options["json"] === true)
        context.terminal.json(reportJson(report), watches ? "line" : "indented");
      return codeOf(report);
    };
    if (!watches) return readNamed(context, known, named, run);
    const runApart = () => runInOwnProcess(context, domain, source);
    const failed = await runApart();
    if (failed !== undefined) {
      if (named.isNew) await dropUnread(context, known, source);
      return failed;
    }
    printNote(context, `Watching ${source.location}. Press Ctrl+C to stop.`);
    const onChange = (files: number) => (files > FILES_READ_HERE_MAX ? runApart() : run());
    await watchSource(source, onChange, context.signal, (message) => printNote(context, message));
    return 0;
  },
};

/**
 * Reads a source in a process of its own, whose memory goes back to the system. Returns the exit code of one that failed,
 * and has said why.
 */
async function runInOwnProcess(
  context: Context,
  domain: string,
  { siteId, id }: ListedSource,
): Promise<number | undefined> {
  const isJson = context.options["json"] === true;
  const flags = ["force", "check-addresses", "preview", "require", "accept-worse"].flatMap((name) =>
    context.options[name] === true ? [`--${name}`] : [],
  );
  const { sources } = await context.openParts();
  const words = ["sources", "run", domain, String(id), ...flags];
  const { code, out } = await context.showSelf(words, { signal: context.signal, isJson });
  const reports = z.array(REPORT_SHAPE).safeParse(jsonIn(out));
  for (const report of reports.data ?? []) context.terminal.json(report, "line");
  context.signal.throwIfAborted();
  // One that was not read to its end, or was not published, has another code as well.
  const { lastRun } = await sources.ofSites.get(siteId, id);
  const isOver = code === 0 || lastRun?.outcome === "incomplete" || lastRun?.outcome === "refused";
  return isOver ? undefined : code;
}

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
  run: (files: number) => Promise<unknown>,
  signal: AbortSignal,
  say: (message: string) => void,
): Promise<void> {
  checkWatchable(source);
  const onError = (error: unknown) => say(error instanceof Error ? error.message : String(error));
  await watchFolder(source.location, async (files) => void (await run(files)), {
    signal,
    onError,
    atOnce: true,
  });
}
