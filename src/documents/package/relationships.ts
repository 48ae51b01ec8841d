import { posix } from "node:path";
import { attributeOf, childrenOf, parseXml } from "../xml/xml.ts";
import type { DocumentPackage } from "./parts.ts";

/** What a part refers to by an id. */
export interface Relationship {
  /** The last word of its type: `hyperlink`, `slide`, `footnotes`. */
  type: string;
  /** A part's name, or an address outside. */
  target: string;
  isExternal: boolean;
}

/** The relationships of a part of an Office document, by their ids. "" is the document itself. */
export async function readRelationships(
  source: DocumentPackage,
  part: string,
): Promise<ReadonlyMap<string, Relationship>> {
  const folder = posix.dirname(part);
  const name = posix.join(folder, "_rels", `${posix.basename(part)}.rels`);
  const content = await source.read(name);
  const root = content === undefined ? undefined : parseXml(content).root;
  const found = new Map<string, Relationship>();
  for (const each of root === undefined ? [] : childrenOf(root, "rel:Relationship")) {
    const target = attributeOf(each, "Target") ?? "";
    const isExternal = attributeOf(each, "TargetMode") === "External";
    const type = /[^/]*$/.exec(attributeOf(each, "Type") ?? "")?.[0] ?? "";
    found.set(attributeOf(each, "Id") ?? "", {
      type,
      target: isExternal ? target : partName(folder, target),
      isExternal,
    });
  }
  return found;
}

/** The target of the first relationship of a type that is inside of the document. */
export function targetOfType(
  relationships: ReadonlyMap<string, Relationship>,
  type: string,
): string | undefined {
  for (const each of relationships.values()) if (each.type === type && !each.isExternal) return each.target;
  return undefined;
}

const partName = (folder: string, target: string) =>
  target.startsWith("/") ? posix.normalize(target).slice(1) : posix.join(folder, target);
