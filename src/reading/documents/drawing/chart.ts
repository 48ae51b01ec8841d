import type { Block, Cell, Row } from "../blocks/blocks.ts";
import { attributeOf, childOf, childrenOf, descendantsOf, textIn, type XmlElement } from "../xml/xml.ts";

const SERIES_MAX = 50;
const POINTS_MAX = 500;

/** A chart as what it says: its title, those of its axes, and the numbers it draws. */
export function readChart(root: XmlElement | undefined): Block[] {
  const chart = childOf(root, "c:chart");
  const plot = childOf(chart, "c:plotArea");
  if (plot === undefined) return [];
  const title = titleOf(chart);
  const axes = ["c:catAx", "c:valAx", "c:dateAx", "c:serAx"]
    .flatMap((name) => childrenOf(plot, name))
    .map(titleOf)
    .filter((words) => words !== "");
  const said = [title, ...axes].filter(Boolean).join(", ");
  const series = descendantsOf(plot, "c:ser").slice(0, SERIES_MAX);
  const rows = chartRows(series);
  return [
    ...(said === "" ? [] : [paragraph(`Chart: ${said}`)]),
    ...(rows.length > 0 ? [{ kind: "table", table: { rows } } satisfies Block] : []),
  ];
}

const paragraph = (text: string): Block => ({ kind: "paragraph", spans: [{ text }] });
const cell = (text: string): Cell => ({ blocks: text === "" ? [] : [paragraph(text)] });

function titleOf(element: XmlElement | undefined): string {
  return descendantsOf(childOf(element, "c:title"), "a:t").map(textIn).join("").trim();
}

function chartRows(series: readonly XmlElement[]): Row[] {
  const columns = series.map((each, index) => ({
    name: pointsOf(childOf(each, "c:tx"))[0] ?? textIn(childOf(each, "c:tx", "c:v")) ?? `${index + 1}`,
    labels: pointsOf(childOf(each, "c:cat") ?? childOf(each, "c:xVal")),
    values: pointsOf(childOf(each, "c:val") ?? childOf(each, "c:yVal")),
  }));
  const labels = columns.find((column) => column.labels.length > 0)?.labels ?? [];
  const count = Math.max(0, ...columns.map(({ values }) => values.length), labels.length);
  if (count === 0) return [];
  const head = [cell(""), ...columns.map(({ name }) => cell(name))];
  const body = Array.from({ length: count }, (_, at) => ({
    cells: [cell(labels[at] ?? `${at + 1}`), ...columns.map(({ values }) => cell(values[at] ?? ""))],
  }));
  return [{ cells: head }, ...body];
}

/** The points that a chart keeps of what it draws, by their places. */
function pointsOf(element: XmlElement | undefined): string[] {
  const points: string[] = [];
  for (const point of descendantsOf(element, "c:pt").slice(0, POINTS_MAX)) {
    const at = Number(attributeOf(point, "idx") ?? points.length);
    if (Number.isInteger(at) && at >= 0 && at < POINTS_MAX) points[at] = shown(textIn(childOf(point, "c:v")));
  }
  return Array.from(points, (point) => point ?? "");
}

/** Numbers are kept with all the digits that a computer has. */
function shown(value: string): string {
  const number = Number(value);
  return value.trim() !== "" && Number.isFinite(number) && /\.\d{7,}/.test(value)
    ? `${Number(number.toPrecision(6))}`
    : value.trim();
}
