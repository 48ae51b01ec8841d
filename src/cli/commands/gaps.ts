import { AppError } from "@docent/kernel/errors";
import { type GapState, gapJson } from "@docent/measuring/gaps/gaps";
import { JSON_SCHEMAS } from "@docent/running/app/json-schemas";
import { z } from "zod";
import { type Command, textOption, word } from "../command.ts";
import { cutLine, printJson, printNote, printRows } from "../output.ts";
import { READING } from "../read-settings.ts";

const GAPS_SHOWN = 100;
const QUESTION_SHOWN = 60;

const REASONS = {
  nothing_near: "nothing near",
  below_gate: "not near enough",
  declined: "the model declined",
  disliked: "disliked",
};

export const gapsList: Command = {
  words: [1, 1],
  json: { shape: z.array(JSON_SCHEMAS.gap) },
  options: { state: { type: "string" } },
  optionHelp: { state: "only those that are open, documented or dismissed" },
  async run(context) {
    const { people, reports } = await context.openParts();
    const site = await people.sites.get(word(context, 0));
    const given = textOption(context, "state");
    const query = { state: given === undefined ? undefined : readState(given), limit: GAPS_SHOWN };
    const { gaps: found, hasMore, waiting } = await reports.gaps.list(site, query, context.signal);
    if (context.options["json"] === true) printJson(context, found.map(gapJson));
    else
      printRows(
        context,
        found,
        {
          ASKED: ({ count }) => String(count),
          LAST: ({ lastAskedAt }) => new Date(lastAskedAt).toISOString().slice(0, 10),
          QUESTION: ({ question }) => cut(question),
          WHY: ({ reason }) => REASONS[reason],
          "NEAREST PAGE": ({ nearest }) =>
            nearest ? `${nearest.path} (${nearest.relevance.toFixed(2)})` : "-",
          STATE: ({ state, askedAgain }) =>
            askedAgain ? `${state}, ${verdict(askedAgain.answered)}` : state,
          ID: ({ id }) => id,
        },
        noneNote(site.domain, query.state, waiting),
      );
    if (hasMore) printNote(context, `Only the first ${GAPS_SHOWN} are shown.`);
    if (waiting > 0) printNote(context, waitingNote(waiting));
    return undefined;
  },
};

/**
 * What is printed where there are no gaps. Says that every question has an answer only where all were asked
 * for and all are placed.
 */
function noneNote(domain: string, state: GapState | undefined, waiting: number): string {
  if (state !== undefined) return `${domain} has no gaps that are ${state}.`;
  if (waiting > 0) return `${domain} has no gaps yet.`;
  return `${domain} has no gaps: every question that was asked has an answer.`;
}

function waitingNote(waiting: number): string {
  const what = waiting === 1 ? "1 more question is" : `${waiting} more questions are`;
  return `${what} in no gap yet: list them again.`;
}

export const gapsSet: Command = {
  words: [3, 3],
  settings: READING,
  json: { shape: JSON_SCHEMAS.gap },
  async run(context) {
    const { people, reports } = await context.openParts();
    const site = await people.sites.get(word(context, 0));
    const gap = await reports.gaps.set(site, word(context, 1), readState(word(context, 2)));
    if (context.options["json"] === true) return printJson(context, gapJson(gap));
    context.terminal.out(`${cut(gap.question)} is ${gap.state}.\n`);
    if (gap.state === "documented")
      context.terminal.out(
        "It is asked again after the next ingest: docent gaps list shows what came of it.\n",
      );
    return undefined;
  },
};

const stateSchema = z.enum(["open", "documented", "dismissed"]);

function readState(given: string): GapState {
  const read = stateSchema.safeParse(given);
  if (read.success) return read.data;
  throw new AppError("invalid_request", `A gap is open, documented or dismissed, not ${given}.`);
}

const verdict = (answered: boolean) => (answered ? "answered now" : "still not answered");

const cut = (text: string) => cutLine(text, QUESTION_SHOWN);
