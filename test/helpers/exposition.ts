/** One value, as Prometheus would store it. */
export interface Sample {
  name: string;
  labels: Record<string, string>;
  value: number;
}

/** All samples of one metric, with what is said of it. */
export interface Family {
  name: string;
  type: string;
  help: string;
  samples: Sample[];
}

const NAME = /^[a-zA-Z_:][a-zA-Z0-9_:]*$/;
const HEAD = /^# (HELP|TYPE) (\S+) (.+)$/;
const SAMPLE = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (\S+)$/;
const LABEL = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\[\\"n])*)"(,|$)/y;
const VALUE = /^(?:[+-]?(?:\d+\.?\d*(?:e[+-]?\d+)?|Inf)|NaN)$/;

/**
 * Reads Prometheus' text format, version 0.0.4, more strictly than Prometheus does: HELP and TYPE before the samples,
 * each metric once and in one piece, no series twice, histograms whole and cumulative. Throws at the first fault.
 */
export function parseExposition(text: string): Map<string, Family> {
  if (!text.endsWith("\n") || text.endsWith("\n\n")) throw new Error("the text ends with one line end");
  const families = new Map<string, Family>();
  let current: Family | undefined;
  let help: string | undefined;
  for (const line of text.slice(0, -1).split("\n")) {
    const [, kind, named = "", rest = ""] = HEAD.exec(line) ?? [];
    if (kind === "HELP") {
      if (families.has(named) || !NAME.test(named)) throw new Error(`told twice, or no name: ${line}`);
      help = rest;
    } else if (kind === "TYPE") {
      if (help === undefined || !/^(counter|gauge|histogram)$/.test(rest)) throw new Error(`a TYPE: ${line}`);
      current = { name: named, type: rest, help, samples: [] };
      families.set(named, current);
      help = undefined;
    } else {
      const sample = parseSample(line);
      if (current === undefined || !belongs(sample.name, current)) throw new Error(`out of place: ${line}`);
      current.samples.push(sample);
    }
  }
  for (const family of families.values()) checkFamily(family);
  return families;
}

function parseSample(line: string): Sample {
  const [, name = "", inside = "", value = ""] = SAMPLE.exec(line) ?? [];
  if (name === "" || !VALUE.test(value)) throw new Error(`not a sample: ${line}`);
  const labels: Record<string, string> = {};
  LABEL.lastIndex = 0;
  for (let read = 0; read < inside.length; read = LABEL.lastIndex) {
    const [, key = "", quoted = ""] = LABEL.exec(inside) ?? [];
    if (key === "" || key in labels) throw new Error(`labels: ${line}`);
    labels[key] = quoted.replace(/\\(.)/g, (_, escaped) => (escaped === "n" ? "\n" : escaped));
  }
  return { name, labels, value: Number(value.replace("Inf", "Infinity")) };
}

const belongs = (name: string, { name: family, type }: Family) =>
  type === "histogram"
    ? [`${family}_bucket`, `${family}_sum`, `${family}_count`].includes(name)
    : name === family;

function checkFamily({ name, type, samples }: Family): void {
  if (samples.length === 0) throw new Error(`${name} has no samples`);
  const keys = samples.map(
    (sample) => `${sample.name} ${JSON.stringify(Object.entries(sample.labels).sort())}`,
  );
  if (new Set(keys).size < keys.length) throw new Error(`${name} has a series twice`);
  if (type === "counter" && !name.endsWith("_total")) throw new Error(`${name} is a counter without _total`);
  if (type !== "gauge" && samples.some(({ value }) => !(value >= 0)))
    throw new Error(`${name} is below zero`);
  if (type === "histogram") checkHistogram(name, samples);
}

function checkHistogram(name: string, samples: Sample[]): void {
  const seriesOf = ({ labels: { le: _, ...labels } }: Sample) => JSON.stringify(labels);
  for (const [series, own] of Map.groupBy(samples, seriesOf)) {
    const buckets = own.filter((sample) => sample.name === `${name}_bucket`);
    const bounds = buckets.map(({ labels }) => Number((labels["le"] ?? "NaN").replace("Inf", "Infinity")));
    const ascending = (values: number[]) =>
      values.every((value, index) => index === 0 || value >= (values[index - 1] ?? 0));
    const count = own.find((sample) => sample.name === `${name}_count`)?.value;
    const whole =
      bounds.at(-1) === Infinity && ascending(bounds) && ascending(buckets.map(({ value }) => value));
    if (!whole || count !== buckets.at(-1)?.value) throw new Error(`${name} ${series} is no histogram`);
    if (!own.some((sample) => sample.name === `${name}_sum`)) throw new Error(`${name} ${series} has no sum`);
  }
}

/** The value of one series, or undefined where it is not there. */
export function readingOf(
  families: Map<string, Family>,
  name: string,
  labels: Record<string, string> = {},
): number | undefined {
  const family = families.get(name) ?? families.get(name.replace(/_(bucket|sum|count)$/, ""));
  return family?.samples.find((sample) => sample.name === name && Bun.deepEquals(sample.labels, labels))
    ?.value;
}
