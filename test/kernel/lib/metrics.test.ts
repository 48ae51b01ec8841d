import { describe, expect, test } from "bun:test";
import { createMetrics } from "../../../src/kernel/lib/metrics.ts";
import { parseExposition, readingOf } from "../../helpers/exposition.ts";

const created = (seriesMax = 100) => createMetrics({ seriesMax });

describe("metrics", () => {
  test("are told with their help and their type, before their values", async () => {
    const metrics = created();
    metrics.counter({ name: "a_total", help: "How many." }).add({}, 2);
    expect(await metrics.render()).toBe("# HELP a_total How many.\n# TYPE a_total counter\na_total 2\n");
  });

  test("have labels that survive quotes, backslashes and line ends", async () => {
    const metrics = created();
    const label = 'a "b" \\ c\nd,e="f"} 7';
    metrics.counter({ name: "a_total", help: "x\\y\nz", labels: ["x"] }).add({ x: label });
    const text = await metrics.render();
    expect(text.split("\n")).toHaveLength(4);
    expect(parseExposition(text).get("a_total")?.samples).toEqual([
      { name: "a_total", labels: { x: label }, value: 1 },
    ]);
  });

  test("count what is measured into the first bucket that holds it, and into all larger ones", async () => {
    const metrics = created();
    const times = metrics.histogram({ name: "t_seconds", help: "x", labels: ["by"], buckets: [0.1, 1] });
    for (const value of [0.05, 0.1, 0.5, 7]) times.observe({ by: "me" }, value);
    const families = parseExposition(await metrics.render());
    const bucket = (le: string) => readingOf(families, "t_seconds_bucket", { by: "me", le });
    expect([bucket("0.1"), bucket("1"), bucket("+Inf")]).toEqual([2, 3, 4]);
    expect(readingOf(families, "t_seconds_sum", { by: "me" })).toBeCloseTo(7.65);
    expect(readingOf(families, "t_seconds_count", { by: "me" })).toBe(4);
  });

  test("never shrink, though a clock was put back while something was timed", async () => {
    const metrics = created();
    const times = metrics.histogram({ name: "t_seconds", help: "x", buckets: [1] });
    for (const value of [2, -3600]) times.observe({}, value);
    const families = parseExposition(await metrics.render());
    expect(readingOf(families, "t_seconds_sum")).toBe(2);
    expect(readingOf(families, "t_seconds_count")).toBe(2);
  });

  test("without labels are there from the beginning, as zero", async () => {
    const metrics = created();
    metrics.counter({ name: "a_total", help: "x" });
    metrics.histogram({ name: "t_seconds", help: "x", buckets: [1] });
    metrics.counter({ name: "b_total", help: "x", labels: ["y"] });
    const families = parseExposition(await metrics.render());
    expect([...families.keys()]).toEqual(["a_total", "t_seconds"]);
    expect(readingOf(families, "a_total")).toBe(0);
  });

  test("beyond their bound are counted together, and nothing is lost", async () => {
    const metrics = created(3);
    const counter = metrics.counter({ name: "a_total", help: "x", labels: ["x", "y"] });
    for (let index = 0; index < 1000; index++) counter.add({ x: String(index), y: "1" });
    counter.add({ x: "1", y: "1" });
    const { samples = [] } = parseExposition(await metrics.render()).get("a_total") ?? {};
    expect(samples).toHaveLength(4);
    expect(samples.at(-1)).toEqual({ name: "a_total", labels: { x: "other", y: "other" }, value: 997 });
    expect(samples.reduce((sum, { value }) => sum + value, 0)).toBe(1001);
  });

  test("are read when they are asked for", async () => {
    const metrics = created();
    let now = 1;
    metrics.reading({ name: "g", type: "gauge", help: "x" }, async () => [{ labels: {}, value: now }]);
    now = 2;
    expect(readingOf(parseExposition(await metrics.render()), "g")).toBe(2);
  });

  test("of one name are there once", () => {
    const metrics = created();
    metrics.counter({ name: "a_total", help: "x" });
    expect(() => metrics.counter({ name: "a_total", help: "y" })).toThrow("measured twice");
  });
});
