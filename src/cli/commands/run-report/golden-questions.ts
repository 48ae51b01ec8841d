import { sayPlace } from "@docent/measuring/golden/comparison";
import type { IngestReport } from "@docent/sites/ingest/ingest";
import { z } from "zod";
import type { Context } from "../../command.ts";
import { cutLine } from "../../output.ts";
import { yellow } from "../../terminal/text.ts";

type Outcome = NonNullable<IngestReport["golden"]>;
type Change = Outcome["worse"][number];

const standingShape = z.object({
  rank: z.int().nullable().meta({ description: "The place of its page; null where it is not found." }),
  first: z.string().nullable().meta({ description: "The page that comes first." }),
  isAnswered: z.boolean(),
});
const changeShape = z.object({
  question: z.string(),
  expected: z.array(z.string()),
  before: standingShape,
  after: standingShape,
  why: z.string().nullable(),
});

/** What golden questions say of a run, as JSON. */
export const GOLDEN_SHAPE = z.object({
  asked: z.int(),
  unasked: z.int().meta({ description: "Those for which there was no time." }),
  worse: z.array(changeShape),
  better: z.array(changeShape),
});

export const goldenReportJson = ({
  asked,
  unasked,
  worse,
  better,
}: Outcome): z.infer<typeof GOLDEN_SHAPE> => ({
  asked,
  unasked,
  worse: worse.map(changeJson),
  better: better.map(changeJson),
});

const standingJson = ({ rank, first, isAnswered }: Change["before"]) => ({
  rank: rank ?? null,
  first: first ?? null,
  isAnswered,
});
const changeJson = ({ question, expected, before, after, why }: Change) => ({
  question,
  expected,
  before: standingJson(before),
  after: standingJson(after),
  why: why ?? null,
});

const QUESTION_SHOWN = 80;
const WORSE_SHOWN = 20;

/** Says what gets worse and better, before readers see it. */
export function describeGolden({ terminal }: Context, { asked, unasked, worse, better }: Outcome): void {
  const late = unasked === 0 ? "" : `, ${unasked} not asked for want of time`;
  terminal.out(`Golden questions: ${asked} asked, ${worse.length} worse, ${better.length} better${late}.\n`);
  for (const { question, before, after, why } of worse.slice(0, WORSE_SHOWN))
    terminal.err([
      yellow("worse:"),
      ` ${cutLine(question, QUESTION_SHOWN)}: ${sayPlace(before)} → ${sayPlace(after)}, ${why ?? ""}\n`,
    ]);
  if (worse.length > WORSE_SHOWN)
    terminal.err(`${worse.length - WORSE_SHOWN} more are worse: docent golden checks shows them.\n`);
}
