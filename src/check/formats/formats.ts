import type { CheckReport, Finding, Severity } from "../check.ts";

export { writeJunit } from "./junit.ts";
export { writeSarif } from "./sarif.ts";

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
