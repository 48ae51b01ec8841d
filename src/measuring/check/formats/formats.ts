import { type CheckReport, type Finding, RULE_NAMES, RULES, type Severity } from "../check.ts";

export { writeJunit } from "./junit.ts";
/** What programs are told of a check. */
export interface Reported {
  report: CheckReport;
  /** Docent's version. */
  version: string;
  /** From which severity a finding counts as a failure; undefined: none does. */
  failsOn: Severity | undefined;
  /** Whether a finding counts besides by its severity. */
  counts(finding: Finding): boolean;
  /** A file as the tool that reads the report knows it. */
  placeOf(file: string): string;
}

const SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/** A report as a SARIF 2.1.0 log, which code hosts show beside the lines that it names. */
export function writeSarif(reported: Reported): string {
  const { report, version } = reported;
  const rules = RULE_NAMES.map((id) => ({
    id,
    shortDescription: { text: RULES[id].summary },
    defaultConfiguration: { level: RULES[id].severity },
  }));
  const log = {
    $schema: SCHEMA,
    version: "2.1.0",
    runs: [
      {
        tool: { driver: { name: "docent", version, rules } },
        columnKind: "utf16CodeUnits",
        results: report.findings.map((finding) => resultOf(finding, reported)),
      },
    ],
  };
  return `${JSON.stringify(log, null, 2)}\n`;
}

function resultOf({ rule, severity, file, line, message, isNew }: Finding, { placeOf }: Reported) {
  const artifactLocation = { uri: placeOf(file).split("/").map(encodeURIComponent).join("/") };
  return {
    ruleId: rule,
    ruleIndex: RULE_NAMES.indexOf(rule),
    level: severity,
    message: { text: message },
    ...(isNew === undefined ? {} : { baselineState: isNew ? "new" : "unchanged" }),
    // Code hosts show what has no line at the first one.
    locations: [{ physicalLocation: { artifactLocation, region: { startLine: line ?? 1 } } }],
  };
}
