import type { Box } from "../deck/deck.ts";
import { type DocumentPackage, readRelationships, targetOfType } from "../package/package.ts";
import { attributeOf, childOf, descendantsOf, parseXml, type XmlElement } from "../xml/xml.ts";

/** What a slide's layout says of a shape that fills a place of it. */
interface Placeholder {
  box: Box | undefined;
  listStyle: XmlElement | undefined;
}

/** Finds the place of a layout that a shape fills. */
export type Layout = (type: string, index: string | undefined) => Placeholder | undefined;

export interface Layouts {
  of(slideRelationships: Awaited<ReturnType<typeof readRelationships>>): Promise<Layout>;
}

/** The layouts of a presentation, each read once. */
export function createLayouts(source: DocumentPackage): Layouts {
  const known = new Map<string, Layout>();
  const read = async (part: string): Promise<Layout> => {
    const found = known.get(part);
    if (found !== undefined) return found;
    const content = await source.read(part);
    const master = targetOfType(await readRelationships(source, part), "slideMaster");
    const own = content === undefined ? NOTHING : layoutOf(parseXml(content).root);
    const outer = master === undefined || master === part ? NOTHING : await readMaster(master);
    const layout: Layout = (type, index) => {
      const here = own(type, index);
      const there = outer(type, undefined);
      return here === undefined ? there : { box: here.box ?? there?.box, listStyle: here.listStyle };
    };
    known.set(part, layout);
    return layout;
  };
  const readMaster = async (part: string): Promise<Layout> => {
    const found = known.get(part);
    if (found !== undefined) return found;
    const content = await source.read(part);
    const master = content === undefined ? NOTHING : layoutOf(parseXml(content).root);
    known.set(part, master);
    return master;
  };
  return {
    async of(relationships) {
      const part = targetOfType(relationships, "slideLayout");
      return part === undefined ? NOTHING : await read(part);
    },
  };
}

const NOTHING: Layout = () => undefined;

function layoutOf(root: XmlElement | undefined): Layout {
  const byIndex = new Map<string, Placeholder>();
  const byType = new Map<string, Placeholder>();
  for (const shape of descendantsOf(root, "p:sp")) {
    const mark = childOf(shape, "p:nvSpPr", "p:nvPr", "p:ph");
    if (mark === undefined) continue;
    const placeholder = {
      box: boxOf(childOf(shape, "p:spPr", "a:xfrm")),
      listStyle: childOf(shape, "p:txBody", "a:lstStyle"),
    };
    const index = attributeOf(mark, "idx");
    if (index !== undefined) byIndex.set(index, placeholder);
    const type = attributeOf(mark, "type") ?? "body";
    if (!byType.has(type)) byType.set(type, placeholder);
  }
  return (type, index) => (index === undefined ? undefined : byIndex.get(index)) ?? byType.get(type);
}

/** The place of a shape by its transformation. */
export function boxOf(transform: XmlElement | undefined): Box | undefined {
  const offset = childOf(transform, "a:off");
  const extent = childOf(transform, "a:ext");
  const [left, top] = [Number(attributeOf(offset, "x")), Number(attributeOf(offset, "y"))];
  if (offset === undefined || !Number.isFinite(left) || !Number.isFinite(top)) return undefined;
  return {
    left,
    top,
    width: Number(attributeOf(extent, "cx")) || 0,
    height: Number(attributeOf(extent, "cy")) || 0,
  };
}
