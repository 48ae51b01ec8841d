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
    force: "take pages away even where the place lists far fewer than before",
    watch: "of a folder: stay, and read it again whenever something in it changes",
  },
  async run(context) {
    const parts = await context.openParts();
    const watches = context.options["watch"] === true;
    const { domain, id } = await parts.sites.get(word(context, 0));
    const spec = sourceSpecOf(context, parts, id, word(context, 1));
    if (watches) parts.checkWatchable(spec);
    const source = await parts.sourceRuns.add(spec);
    const run = async () => {
      const site = await parts.sites.get(domain);
      const report = await runSource(context, domain, (options) =>
        parts.sourceRuns.run(site, source, options),
      );
      // One on each line where more will follow.
      if (context.options["json"] === true)
        context.terminal.json(reportJson(report), watches ? "line" : "indented");
      return codeOf(report);
    };
    const code = await run();
    if (!watches) return code;
    printNote(context, `Watching ${source.location}. Press Ctrl+C to stop.`);
    await parts.watchSource(source, run, context.signal, (message) => printNote(context, message));
    return 0;
  },
};
