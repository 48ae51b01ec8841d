import type { Block, Cell, Row } from "../blocks/blocks.ts";
import { type DocumentPackage, type Relationship, readRelationships } from "../package/package.ts";
import {
  attributeOf,
  childOf,
  childrenOf,
  descendantsOf,
  parseXml,
  textIn,
  type XmlElement,
} from "../xml/xml.ts";

const DRAWINGS_MAX = 1_000;

/** What charts and diagrams of a part say, by the ids under which it refers to them. */
export async function readDrawings(
  source: DocumentPackage,
  relationships: ReadonlyMap<string, Relationship>,
): Promise<ReadonlyMap<string, readonly Block[]>> {
  const found = new Map<string, readonly Block[]>();
  for (const [id, { type, target, isExternal }] of relationships) {
    if (isExternal || (type !== "chart" && type !== "diagramData") || found.size >= DRAWINGS_MAX) continue;
    const content = await source.read(target);
    const root = content === undefined ? undefined : parseXml(content).root;
    found.set(id, type === "chart" ? readChart(root) : readDiagram(root));
  }
  return found;
}

/** The words of a diagram (SmartArt), each point as an item. */
function readDiagram(root: XmlElement | undefined): Block[] {
  const points = descendantsOf(root, "dgm:pt").flatMap((point) => childrenOf(point, "dgm:t"));
  return points.flatMap((point) => {
    const text = descendantsOf(point, "a:p")
      .map((paragraph) => descendantsOf(paragraph, "a:t").map(textIn).join(""))
      .filter((words) => words.trim() !== "")
      .join(" ");
    return text === "" ? [] : [{ kind: "item", level: 0, spans: [{ text }] } satisfies Block];
  });
}

/** What is drawn over a sheet: the words of its shapes, and its charts. */
export async function readDrawingPart(source: DocumentPackage, part: string): Promise<Block[]> {
  const content = await source.read(part);
  const root = content === undefined ? undefined : parseXml(content).root;
  const drawings = await readDrawings(source, await readRelationships(source, part));
  const charts = descendantsOf(root, "c:chart").flatMap(
    (chart) => drawings.get(attributeOf(chart, "r:id") ?? "") ?? [],
  );
  const words = descendantsOf(root, "xdr:txBody").flatMap((box) =>
    descendantsOf(box, "a:p").map(paragraphOf),
  );
  return [...words, ...charts];
}

function paragraphOf(paragraph: XmlElement): Block {
  return { kind: "paragraph", spans: [{ text: descendantsOf(paragraph, "a:t").map(textIn).join("") }] };
}

/** What programs write of themselves into a picture's description. */
const BY_MACHINE =
  /(?<!\s)\s*(?:Description automatically generated.*|AI-generated content may be incorrect\.?)$/is;
const FILE = /^\S.{0,200}\.(?:png|svg|jpe?g|gif|webp|avif|bmp|emf|wmf|tiff?)$/i;
const NAME =
  /^(?:picture|image|img|grafik|bild|figure|photo|logo|shape|graphic|object|text ?box|rectangle|group|chart|diagram|table|content placeholder|title|screenshot|[\w-]+ ?placeholder)?[\s_-]*\d*$/i;

/** A picture's description, if it says something: no file's name, and nothing that a program made up. */
export function pictureWords(description: string | undefined): string {
  const words = (description ?? "").replace(BY_MACHINE, "").replace(/\s+/g, " ").trim();
  return FILE.test(words) || NAME.test(words) || /^(?:https?|file):\S+$/i.test(words) ? "" : words;
}

const SERIES_MAX = 50;
const POINTS_MAX = 500;

/** A chart as what it says: its title, those of its axes, and the numbers it draws. */
function readChart(root: XmlElement | undefined): Block[] {
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
