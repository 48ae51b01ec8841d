import { type Finding, isAsGrave, RULE_NAMES, RULES } from "../check.ts";
import type { Reported } from "./formats.ts";

/** What XML 1.0 does not allow, however it is written. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is taken out.
const NOT_IN_XML = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/g;
const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "\n": "&#10;",
  "\t": "&#9;",
  "\r": "&#13;",
};

const escaped = (text: string) =>
  text
    .toWellFormed()
    .replace(NOT_IN_XML, "\uFFFD")
    .replace(/[&<>"\n\t\r]/g, (mark) => ENTITIES[mark] ?? mark);

interface Case {
  name: string;
  file?: string;
  line?: number | undefined;
  /** What a failed one says. */
  failure?: { type: string; message: string };
  /** What one says that does not fail. */
  output?: string;
}

/**
 * A report as JUnit XML: a suite for each rule, a case for each finding. A rule that finds nothing has one case, which
 * passes; what does not count as a failure passes, and says in its output what was found.
 */
export function writeJunit(reported: Reported): string {
  const suites = RULE_NAMES.map((rule) => {
    const findings = reported.report.findings.filter((finding) => finding.rule === rule);
    const cases = findings.map((finding) => caseOf(reported, finding));
    return { rule, cases: cases.length > 0 ? cases : [{ name: RULES[rule].summary }] };
  });
  const all = suites.flatMap(({ cases }) => cases);
  const lines = suites.flatMap(({ rule, cases }) => [
    `  <testsuite name="${rule}" ${totalsOf(cases)}>`,
    ...cases.flatMap((each) => caseLines(rule, each)),
    "  </testsuite>",
  ]);
  const head = '<?xml version="1.0" encoding="UTF-8"?>';
  return [head, `<testsuites name="docent check" ${totalsOf(all)}>`, ...lines, "</testsuites>", ""].join(
    "\n",
  );
}

function totalsOf(cases: readonly Case[]): string {
  const failures = cases.filter(({ failure }) => failure !== undefined).length;
  return `tests="${cases.length}" failures="${failures}" errors="0" skipped="0" time="0"`;
}

function caseOf({ failsOn, counts, placeOf }: Reported, finding: Finding): Case {
  const { rule, severity, line, message } = finding;
  const file = placeOf(finding.file);
  const name = line === undefined ? file : `${file}:${line}`;
  const fails = failsOn !== undefined && isAsGrave(severity, failsOn) && counts(finding);
  const said = { type: rule, message: `${severity}: ${message}` };
  return { name, file, line, ...(fails ? { failure: said } : { output: said.message }) };
}

function caseLines(rule: string, { name, file, line, failure, output }: Case): string[] {
  const place = file === undefined ? "" : ` file="${escaped(file)}"`;
  const at = line === undefined ? "" : ` line="${line}"`;
  const head = `    <testcase classname="docent.${rule}" name="${escaped(name)}"${place}${at} time="0"`;
  if (failure !== undefined) {
    const said = escaped(failure.message);
    return [
      `${head}>`,
      `      <failure type="${escaped(failure.type)}" message="${said}">${said}</failure>`,
      "    </testcase>",
    ];
  }
  if (output === undefined) return [`${head}/>`];
  return [`${head}>`, `      <system-out>${escaped(output)}</system-out>`, "    </testcase>"];
}
