import { type Command, word } from "./command.ts";
import { PLACE_OPTION_HELP, PLACE_OPTIONS, sourceSpecOf } from "./place-of.ts";
import { showRun } from "./run-report.ts";

export const ingest: Command = {
  name: "ingest",
  usage: "<domain> <place>",
  summary:
    "Read a folder, or any other place that docent sources add takes, into a site. Run it again after a change: only what changed is read.",
  words: [2, 2],
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
      return showRun(context, domain, (options) => parts.sourceRuns.run(site, source, options));
    };
    const code = await run();
    if (!watches) return code;
    context.terminal.err(`Watching ${source.location}. Press Ctrl+C to stop.\n`);
    await parts.watchSource(source, run, context.signal, (message) => context.terminal.err(`${message}\n`));
    return 0;
  },
};
