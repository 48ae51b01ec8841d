import { AppError } from "@docent/kernel/errors";
import type { ExportFormat } from "@docent/measuring/analytics";
import { aboutSite } from "@docent/people/audit/audit";
import { JSON_SCHEMAS } from "@docent/running/app/json-schemas";
import { type Command, type Context, momentOption, textOption, word } from "../command.ts";

const FORMATS: readonly ExportFormat[] = ["csv", "jsonl"];

export const exportConversations: Command = {
  words: [1, 1],
  json: { shape: JSON_SCHEMAS.conversation, isLines: true },
  options: { format: { type: "string" }, from: { type: "string" }, to: { type: "string" } },
  optionHelp: {
    format: "csv, or jsonl: one JSON object a line. csv otherwise",
    from: "only what was asked at this time or later, such as 2026-01-31",
    to: "only what was asked before this time, such as 2026-02-28T12:00:00Z",
  },
  async run(context) {
    const format = formatOf(context);
    const period = {
      from: momentOption(context, "from") ?? 0,
      to: momentOption(context, "to") ?? Number.MAX_SAFE_INTEGER,
    };
    const parts = await context.openParts();
    const site = await parts.people.sites.get(word(context, 0));
    await context.record({ kind: "conversations.exported", ...aboutSite(site), details: { format } });
    for await (const text of parts.reports.analytics.export(site, period, format)) {
      context.signal.throwIfAborted();
      context.terminal.data(text);
      // Waits for a slow pipe, which would otherwise fill the memory.
      if (!(await context.terminal.outRead())) break;
    }
    return undefined;
  },
};

function formatOf(context: Context): ExportFormat {
  const given = textOption(context, "format") ?? (context.options["json"] === true ? "jsonl" : "csv");
  const format = FORMATS.find((each) => each === given);
  if (format !== undefined) return format;
  throw new AppError("invalid_request", `--format is ${FORMATS.join(" or ")}, not ${given}.`);
}
