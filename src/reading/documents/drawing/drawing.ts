import type { Block } from "../blocks/blocks.ts";
import { type DocumentPackage, type Relationship, readRelationships } from "../package/package.ts";
import { attributeOf, childrenOf, descendantsOf, parseXml, textIn, type XmlElement } from "../xml/xml.ts";
import { readChart } from "./chart.ts";

export { readChart } from "./chart.ts";

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
