import { AppError } from "@docent/kernel/errors";
import { AUDIT_KINDS, auditEntryJson } from "@docent/people/audit/audit";
import type { AuditEntry } from "@docent/people/audit/stores";
import { JSON_SCHEMAS } from "@docent/running/app/json-schemas";
import { type Command, type Context, momentOption, textOption, textsOption } from "../command.ts";
import { showTime } from "../output.ts";

export const audit: Command = {
  words: [0, 0],
  json: { shape: JSON_SCHEMAS.auditEntry, isLines: true },
  options: {
    since: { type: "string" },
    until: { type: "string" },
    kind: { type: "string", multiple: true },
    actor: { type: "string" },
  },
  optionHelp: {
    since: "only what was done at this time or later, such as 2026-01-31",
    until: "only what was done before this time, such as 2026-02-28T12:00:00Z",
    kind: "only what is of this kind, such as site.changed; may be repeated",
    actor: "only what this member or admin key did, by its id; or command-line, server or nobody",
  },
  async run(context) {
    const from = momentOption(context, "since") ?? 0;
    const to = momentOption(context, "until") ?? Number.MAX_SAFE_INTEGER;
    const filter = { kinds: kindsOption(context), actor: textOption(context, "actor") };
    const { terminal, signal } = context;
    const isJson = context.options["json"] === true;
    const { people } = await context.openParts();
    for await (const entry of people.audit.entries({ from, to }, filter, signal)) {
      if (isJson) terminal.json(auditEntryJson(entry), "line");
      else terminal.out(`${lineOf(entry)}\n`);
      // Waits for a slow pipe, which would otherwise fill the memory.
      if (!(await terminal.outRead())) break;
    }
    return undefined;
  },
};

function kindsOption(context: Context): string[] | undefined {
  const given = textsOption(context, "kind");
  const unknown = given?.find((kind) => !AUDIT_KINDS.some((each) => each === kind));
  if (unknown === undefined) return given;
  throw new AppError("invalid_request", `The audit log has no entries of a kind ${unknown}.`, {
    hint: `The kinds are ${AUDIT_KINDS.join(", ")}.`,
  });
}

function lineOf({
  at,
  actorKind,
  actorName,
  kind,
  site,
  subjectName,
  subjectId,
  details,
}: AuditEntry): string {
  const told = Object.entries(details).map(([name, value]) => `${name}=${String(value)}`);
  const words = [actorName ?? actorKind, kind, site, subjectName ?? subjectId, ...told];
  return `${showTime(at)}  ${words.filter((each) => each !== undefined).join("  ")}`;
}
