/** The labels of one series, by name. */
type Labels<Name extends string> = Readonly<Record<Name, string>>;

/** A number that only grows. */
interface Counter<Name extends string> {
  add(labels: Labels<Name>, by?: number): void;
}

/** Measurements, counted by size. */
interface Histogram<Name extends string> {
  observe(labels: Labels<Name>, value: number): void;
}

interface Description<Name extends string> {
  name: string;
  help: string;
  labels?: readonly Name[];
}

/** One value that is read on demand. */
export interface Reading<Name extends string> {
  labels: Labels<Name>;
  value: number;
}

/** The metrics of one process, in Prometheus' text format. */
export interface Metrics {
  counter<Name extends string>(description: Description<Name>): Counter<Name>;
  /** Buckets are upper bounds, the smallest first. */
  histogram<Name extends string>(
    description: Description<Name> & { buckets: readonly number[] },
  ): Histogram<Name>;
  /** A value that is read on demand. A `counter` only grows. */
  reading<Name extends string>(
    description: Description<Name> & { type: "gauge" | "counter" },
    read: () => Promise<Reading<Name>[]> | Reading<Name>[],
  ): void;
  render(): Promise<string>;
}

/** The content type of that format. */
export const METRICS_CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8";

const OTHER = "other";

type Render = () => Promise<string[]> | string[];

/**
 * The metrics of one process. The number of series in a family is bounded: further ones are counted together
 * under the label `other`, so that no caller can fill the memory.
 */
export function createMetrics({ seriesMax }: { seriesMax: number }): Metrics {
  const families = new Map<string, Render>();

  function add(name: string, type: string, help: string, render: Render): void {
    if (families.has(name)) throw new Error(`${name} is measured twice`);
    const head = [`# HELP ${name} ${escapeHelp(help)}`, `# TYPE ${name} ${type}`];
    families.set(name, async () => {
      const lines = await render();
      return lines.length === 0 ? [] : [...head, ...lines];
    });
  }

  return {
    counter({ name, help, labels = [] }) {
      const series = createSeries(labels, seriesMax, () => ({ sum: 0 }));
      add(name, "counter", help, () => series.all().map(([shown, { sum }]) => line(name, shown, sum)));
      return {
        add(values, by = 1) {
          series.of(values).sum += by;
        },
      };
    },

    histogram({ name, help, labels = [], buckets }) {
      const series = createSeries(labels, seriesMax, () => ({ sum: 0, counts: [...buckets, 0].fill(0) }));
      add(name, "histogram", help, () =>
        series.all().flatMap(([shown, state]) => histogramLines(name, shown, buckets, state)),
      );
      return { observe: (values, value) => observe(series.of(values), buckets, value) };
    },

    reading({ name, help, type, labels = [] }, read) {
      add(name, type, help, async () => {
        const readings = await read();
        return readings.slice(0, seriesMax).map(({ labels: values, value }) =>
          line(
            name,
            labels.map((each) => label(each, values[each])),
            value,
          ),
        );
      });
    },

    async render() {
      const lines = await Promise.all([...families.values()].map((render) => render()));
      return `${lines.flat().join("\n")}\n`;
    },
  };
}

interface HistogramState {
  sum: number;
  /** The number of values in each bucket, and above the last one. */
  counts: number[];
}

function observe(histogram: HistogramState, buckets: readonly number[], value: number): void {
  const found = buckets.findIndex((bound) => value <= bound);
  const index = found < 0 ? buckets.length : found;
  histogram.counts[index] = (histogram.counts[index] ?? 0) + 1;
  // A clock that was set back must not shrink what only grows.
  histogram.sum += Math.max(0, value);
}

function histogramLines(
  name: string,
  labels: readonly string[],
  buckets: readonly number[],
  { sum, counts }: HistogramState,
): string[] {
  let count = 0;
  const bounds = [...buckets.map(String), "+Inf"];
  const lines = bounds.map((bound, index) => {
    count += counts[index] ?? 0;
    return line(`${name}_bucket`, [...labels, label("le", bound)], count);
  });
  return [...lines, line(`${name}_sum`, labels, sum), line(`${name}_count`, labels, count)];
}

/** The series of one family. Without labels its one series exists from the start. */
function createSeries<Name extends string, State>(
  names: readonly Name[],
  seriesMax: number,
  empty: () => State,
) {
  const series = new Map<string, [labels: string[], state: State]>();

  function of(values: Labels<Name>): State {
    const labels = names.map((name) => label(name, values[name]));
    const key = labels.join();
    const known = series.get(key);
    if (known) return known[1];
    if (series.size >= seriesMax && names.some((name) => values[name] !== OTHER)) return of(others);
    const state = empty();
    series.set(key, [labels, state]);
    return state;
  }

  const others = Object.fromEntries(names.map((name) => [name, OTHER])) as Labels<Name>;
  if (names.length === 0) of(others);
  return { of, all: () => [...series.values()] };
}

const line = (name: string, labels: readonly string[], value: number) =>
  `${name}${labels.length === 0 ? "" : `{${labels.join(",")}}`} ${value}`;

const label = (name: string, value: string) =>
  `${name}="${value.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n")}"`;

const escapeHelp = (help: string) => help.replaceAll("\\", "\\\\").replaceAll("\n", "\\n");
