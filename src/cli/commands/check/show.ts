import { printableLine } from "@docent/kernel/lib/printable";
import { type CheckReport, type Finding, RULES, type Severity } from "@docent/measuring/check/check";
import { counted } from "../../output.ts";
import { bold, dim, red, type Text, yellow } from "../../terminal/text.ts";

const MARKS: Readonly<Record<Severity, (text: string) => Text>> = { error: red, warning: yellow, note: dim };
/** Of the pages and questions that have changed, so many are named. */
const CHANGES_SHOWN = 20;

interface Shown {
  /** The findings that are shown: of older ones, those of `--new-only` have none. */
  findings: readonly Finding[];
  /** Of each rule at most so many. */
  most: number;
  placeOf(file: string): string;
}

/** A report for people: the findings of each rule together, the gravest first, then what has changed, then a summary. */
export function show(report: CheckReport, { findings, most, placeOf }: Shown): Text {
  const groups = Map.groupBy(findings, ({ rule }) => rule);
  return [
    ...[...groups].flatMap(([rule, some]) => groupLines(rule, some, { most, placeOf })),
    ...changeLines(report),
    summaryOf(report, findings),
  ];
}

function groupLines(
  rule: Finding["rule"],
  findings: readonly Finding[],
  { most, placeOf }: Pick<Shown, "most" | "placeOf">,
): Text[] {
  const { severity, summary } = RULES[rule];
  const more = findings.length - most;
  return [
    [MARKS[severity](severity), " ", bold(rule), dim(` ${summary}`), "\n"],
    ...findings.slice(0, most).map(({ file, line, message, isNew }): Text => {
      const place = printableLine(line === undefined ? placeOf(file) : `${placeOf(file)}:${line}`);
      return [`  ${place}`, isNew === true ? " (new)" : "", `\n    ${printableLine(message)}\n`];
    }),
    ...(more > 0 ? [dim(`  and ${more} more: --show ${findings.length} lists them\n`)] : []),
    "\n",
  ];
}

function changeLines({ changes }: CheckReport): Text[] {
  if (changes === undefined) return [];
  const { against, added, removed, moved, questions } = changes;
  const lines = [
    ...added.map((path) => `added /${path}`),
    ...removed.map((path) => `removed /${path}`),
    ...moved.map(
      ({ from, to, isRedirected }) => `moved /${from} -> /${to}${isRedirected ? "" : " without a redirect"}`,
    ),
    ...questions.map(
      ({ question, before, now, isBetter }) =>
        `${isBetter ? "better" : "worse"}: "${question}" ${rankShown(before)} -> ${rankShown(now)}`,
    ),
  ];
  const more = lines.length - CHANGES_SHOWN;
  return [
    bold(`Against ${printableLine(against)}\n`),
    ...(lines.length === 0 ? ["  no page was added, removed or moved\n"] : []),
    ...lines.slice(0, CHANGES_SHOWN).map((line) => `  ${printableLine(line)}\n`),
    ...(more > 0 ? [dim(`  and ${more} more\n`)] : []),
    "\n",
  ];
}

const rankShown = (rank: number | undefined) => (rank === undefined ? "not answered" : `place ${rank}`);

function summaryOf(
  { pages, isPart, generator, counts, questions }: CheckReport,
  shown: readonly Finding[],
): Text {
  const docs = generator === undefined ? "" : ` of ${printableLine(generator)}`;
  const found = `${counted(counts.error, "error")}, ${counted(counts.warning, "warning")}, ${counted(counts.note, "note")}`;
  const answered = questions?.filter(({ isAnswered }) => isAnswered).length;
  const asked = questions && ` ${counted(questions.length, "question")} asked, ${answered} answered.`;
  const all = counts.error + counts.warning + counts.note;
  const older = all > shown.length ? ` ${all - shown.length} of them are not shown.` : "";
  const part = isPart ? " There are more pages, which were not looked at." : "";
  return `${counted(pages, "page")}${docs}: ${found}.${older}${asked ?? ""}${part}\n`;
}
