import { type Figure, isMet, least, type Measure, median, most, show } from "./figures.ts";

/** The row that the terminal and the page both show. */
function cells(figure: Figure): string[] {
  const { name, unit, values, shown, aim } = figure;
  const single = values.length === 1;
  const withUnit = (value: number) => `${show(value)}${unit === "" ? "" : ` ${unit}`}`;
  return [
    name,
    shown === undefined ? withUnit(median(values)) : `${shown}${unit === "" ? "" : ` ${unit}`}`,
    single ? "" : withUnit(least(values)),
    single ? "" : withUnit(most(values)),
    aim === undefined
      ? ""
      : `under ${aim.below}${unit === "" ? "" : ` ${unit}`}: ${isMet(figure) ? "met" : "missed"}`,
  ];
}

const HEADS = ["", "median", "least", "most", "aim"];

/** A measure as text for the terminal. */
export function toText({ title, how, figures }: Measure): string {
  if (figures.length === 0) return `${title}\n${how}\n`;
  const rows = [[title, ...HEADS.slice(1)], ...figures.map(cells)];
  const widths = HEADS.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const lines = rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd(),
  );
  return `${lines.join("\n")}\n`;
}

/** The page for the documentation. */
export function toPage(measures: Measure[], machine: [string, string][]): string {
  const rows = machine.map(([name, value]) => `| ${name} | ${value} |`);
  const sections = measures.map(
    (measure) =>
      `## ${measure.title}\n\n${measure.how}\n${measure.figures.length === 0 ? "" : `\n${toTable(measure.figures)}\n`}`,
  );
  return `---
title: Benchmarks
description: What Docent costs - start, memory, size, first byte, 500 streams at once, the queue, prompts - and how it was measured, on one machine.
nav_order: 38
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

function toTable(figures: Figure[]): string {
  return [HEADS, HEADS.map(() => "---"), ...figures.map(cells)]
    .map((row) => `| ${row.join(" | ")} |`)
    .join("\n");
}
