import { readXml } from "../../xml/xml.ts";

/** An object of an export: everything that the wiki's database knows of a page, a label, a right. */
export interface ExportedObject {
  kind: string;
  id: string;
  /** Plain values by their names; those that are too long are not held. */
  values: ReadonlyMap<string, string>;
  /** The ids of the objects that it names, by the names of its properties and collections. */
  references: ReadonlyMap<string, readonly string[]>;
}

const VALUE_CHARACTERS_MAX = 2_000;
const REFERENCES_MAX = 100_000;

/** Which objects are wanted, and which of their values however long. */
interface WantedObjects {
  isWanted(kind: string): boolean;
  isLong(value: string): boolean;
  take(object: ExportedObject): void;
}

/**
 * Reads the objects of `entities.xml` one by one:
 * `<object class="Page"><id name="id">1</id><property name="title">…</property><collection name="…">…`.
 */
export const readObjects = (text: string, wanted: WantedObjects): Promise<string | undefined> =>
  readXml(text, createReading(wanted));

function createReading({ isWanted, isLong, take }: WantedObjects) {
  let depth = 0;
  let object:
    | { kind: string; id: string; values: Map<string, string>; references: Map<string, string[]> }
    | undefined;
  let member = "";
  let words: string[] = [];
  let length = 0;
  let isReference = false;
  const end = () => {
    const text = words.join("");
    words = [];
    length = 0;
    // A part of a string keeps all of it in memory, here hundreds of megabytes: this is a copy of the part alone.
    return text === "" ? "" : Buffer.from(text).toString();
  };
  return {
    open(name: string, attributes: Readonly<Record<string, string>>) {
      depth += 1;
      end();
      const kind = attributes["class"] ?? "";
      if (depth === 2 && name === "object" && isWanted(kind))
        object = { kind, id: "", values: new Map(), references: new Map() };
      if (depth !== 3) return;
      member = name === "id" ? "" : (attributes["name"] ?? "");
      isReference = name === "collection" || attributes["class"] !== undefined;
    },
    close(name: string) {
      const text = end();
      if (object !== undefined && name === "id" && depth === 3) object.id = text.trim();
      else if (object !== undefined && name === "id") addReference(object.references, member, text.trim());
      else if (object !== undefined && depth === 3 && !isReference) object.values.set(member, text);
      if (depth === 2 && object !== undefined) {
        take(object);
        object = undefined;
      }
      depth -= 1;
    },
    words(text: string) {
      if (object === undefined || depth < 3) return;
      length += text.length;
      if (length <= VALUE_CHARACTERS_MAX || isLong(member)) words.push(text);
      else words = [];
    },
  };
}

function addReference(references: Map<string, string[]>, name: string, id: string): void {
  const named = references.get(name);
  if (named === undefined) references.set(name, [id]);
  else if (named.length < REFERENCES_MAX) named.push(id);
}

/** The id that a property names; undefined where it names none. */
export const referenceOf = (object: ExportedObject, ...names: string[]): string | undefined =>
  names.map((name) => object.references.get(name)?.[0]).find((id) => id !== undefined && id !== "");

/** A plain value, "" where there is none. */
export const plainValue = (object: ExportedObject, ...names: string[]): string =>
  names.map((name) => object.values.get(name)?.trim() ?? "").find((value) => value !== "") ?? "";
