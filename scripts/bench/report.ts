import {
  type Aim,
  type ComparedRow,
  type Figure,
  isMet,
  least,
  type Measure,
  median,
  most,
  showWith,
} from "./figures.ts";

/** The row that the terminal and the page both show. */
function cells(figure: Figure): string[] {
  const { name, unit, values, shown, aim } = figure;
  const single = values.length === 1;
  return [
    name,
    shown === undefined ? showWith(median(values), unit) : `${shown}${unit === "" ? "" : ` ${unit}`}`,
    single ? "" : showWith(least(values), unit),
    single ? "" : showWith(most(values), unit),
    aimed(aim, unit, isMet(figure)),
  ];
}

function comparedCells({ name, unit, values, aim }: ComparedRow): string[] {
  const [first] = values;
  const isAimMet = isMet({ aim, values: typeof first === "number" ? [first] : [] });
  return [
    name,
    ...values.map((value) => (typeof value === "string" ? value : showWith(value, unit))),
    aimed(aim, unit, isAimMet),
  ];
}

function aimed(aim: Aim | undefined, unit: Figure["unit"], met: boolean | undefined): string {
  if (aim === undefined) return "";
  const bound = "below" in aim ? `under ${aim.below}` : `at least ${aim.atLeast}`;
  return `${bound}${unit === "" ? "" : ` ${unit}`}: ${met ? "met" : "missed"}`;
}

const HEADS = ["", "median", "least", "most", "aim"];

/** Tables of a measure, each with its heads in the first row. */
function tablesOf({ figures, compared }: Measure): string[][][] {
  return [
    ...(figures.length === 0 ? [] : [[HEADS, ...figures.map(cells)]]),
    ...(compared === undefined
      ? []
      : [[["", ...compared.columns, "aim"], ...compared.rows.map(comparedCells)]]),
  ];
}

/** A measure as text for the terminal. */
export function toText(measure: Measure): string {
  const { title, how } = measure;
  const tables = tablesOf(measure);
  if (tables.length === 0) return `${title}\n${how}\n`;
  return tables
    .map(([heads = [], ...rows]) => `${inColumns([[title, ...heads.slice(1)], ...rows]).join("\n")}\n`)
    .join("\n");
}

function inColumns(rows: string[][]): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd(),
  );
}

/** The page for the documentation. */
export function toPage(measures: Measure[], machine: [string, string][]): string {
  const rows = machine.map(([name, value]) => `| ${name} | ${value} |`);
  const sections = measures.map((measure) => toSection(measure));
  return `---
title: Benchmarks
description: What Docent costs - start, memory, size, first byte, 500 streams at once, the queue, prompts - and how it was measured, on one machine.
nav_order: 39
---

# Benchmarks

\`make bench\` measures the binary on your machine and writes this page. Everything runs on that one machine, over
loopback: the server, a fake model that answers at once, and the readers. So these figures show what Docent itself
costs; with a real model, nearly all of the time to an answer is the model's own. Sections that say so ask a real
Ollama, with the smallest model that there is, on one thread: look at their proportions, not at their seconds.

## The machine

| | |
| --- | --- |
${rows.join("\n")}

${sections.join("\n")}`;
}

function toSection(measure: Measure, ...notes: string[]): string {
  const tables = tablesOf(measure).map(toTable);
  return `## ${[measure.title, measure.how, ...notes, ...tables].join("\n\n")}\n`;
}

/** The page with some of its sections measured anew, because the whole takes an hour; a new one follows the one before it. */
export function withMeasures(page: string, measures: Measure[], machine: [string, string][]): string {
  const { Docent: version = "", Date: date = "" } = Object.fromEntries(machine);
  const note = `Measured again on ${date}, with Docent ${version}.`;
  const [top = "", ...sections] = page.split(/^(?=## )/m);
  let behind = sections.length;
  for (const measure of measures) {
    const at = sections.findIndex((section) => areAlike(headOf(section), measure.title));
    if (at < 0) sections.splice(behind, 0, toSection(measure, note));
    else sections[at] = toSection(measure, note);
    behind = at < 0 ? behind + 1 : at + 1;
  }
  return [top.trimEnd(), ...sections.map((section) => section.trimEnd())].join("\n\n").concat("\n");
}

const headOf = (section: string) => section.slice("## ".length, section.indexOf("\n"));

const NUMBER = /\d[\d,]*/g;
const SAME_RATIO_MAX = 1.5;

/** Whether two titles are those of one measure: how many passages the same pages have may change a little. */
function areAlike(one: string, other: string): boolean {
  const [mine, theirs] = [one, other].map((title) =>
    (title.match(NUMBER) ?? []).map((number) => Number(number.replaceAll(",", ""))),
  );
  return (
    one.replace(NUMBER, "#") === other.replace(NUMBER, "#") &&
    (mine ?? []).every((number, index) => {
      const ratio = number / (theirs?.[index] ?? number);
      return ratio < SAME_RATIO_MAX && ratio > 1 / SAME_RATIO_MAX;
    })
  );
}

function toTable([heads = [], ...rows]: string[][]): string {
  return [heads, heads.map(() => "---"), ...rows].map((row) => `| ${row.join(" | ")} |`).join("\n");
}
