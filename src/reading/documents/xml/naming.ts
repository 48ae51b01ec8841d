/**
 * The prefixes under which readers know names, whatever prefixes a document uses. The strict variant of Office's XML has
 * other namespaces for the same names.
 */
const PREFIXES: readonly [prefix: string, ...namespaces: string[]][] = [
  // Office Open XML.
  [
    "w",
    "http://schemas.openxmlformats.org/wordprocessingml/2006/main",
    "http://purl.oclc.org/ooxml/wordprocessingml/main",
  ],
  [
    "s",
    "http://schemas.openxmlformats.org/spreadsheetml/2006/main",
    "http://purl.oclc.org/ooxml/spreadsheetml/main",
  ],
  [
    "p",
    "http://schemas.openxmlformats.org/presentationml/2006/main",
    "http://purl.oclc.org/ooxml/presentationml/main",
  ],
  ["a", "http://schemas.openxmlformats.org/drawingml/2006/main", "http://purl.oclc.org/ooxml/drawingml/main"],
  [
    "c",
    "http://schemas.openxmlformats.org/drawingml/2006/chart",
    "http://purl.oclc.org/ooxml/drawingml/chart",
  ],
  [
    "dgm",
    "http://schemas.openxmlformats.org/drawingml/2006/diagram",
    "http://purl.oclc.org/ooxml/drawingml/diagram",
  ],
  [
    "wp",
    "http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing",
    "http://purl.oclc.org/ooxml/drawingml/wordprocessingDrawing",
  ],
  [
    "xdr",
    "http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing",
    "http://purl.oclc.org/ooxml/drawingml/spreadsheetDrawing",
  ],
  [
    "r",
    "http://schemas.openxmlformats.org/officeDocument/2006/relationships",
    "http://purl.oclc.org/ooxml/officeDocument/relationships",
  ],
  [
    "m",
    "http://schemas.openxmlformats.org/officeDocument/2006/math",
    "http://purl.oclc.org/ooxml/officeDocument/math",
  ],
  ["rel", "http://schemas.openxmlformats.org/package/2006/relationships"],
  ["ct", "http://schemas.openxmlformats.org/package/2006/content-types"],
  ["mc", "http://schemas.openxmlformats.org/markup-compatibility/2006"],
  ["wps", "http://schemas.microsoft.com/office/word/2010/wordprocessingShape"],
  ["w14", "http://schemas.microsoft.com/office/word/2010/wordml"],
  ["v", "urn:schemas-microsoft-com:vml"],
  // OpenDocument; the second are of OpenOffice 1.
  ["office", "urn:oasis:names:tc:opendocument:xmlns:office:1.0", "http://openoffice.org/2000/office"],
  ["style", "urn:oasis:names:tc:opendocument:xmlns:style:1.0", "http://openoffice.org/2000/style"],
  ["text", "urn:oasis:names:tc:opendocument:xmlns:text:1.0", "http://openoffice.org/2000/text"],
  ["table", "urn:oasis:names:tc:opendocument:xmlns:table:1.0", "http://openoffice.org/2000/table"],
  ["draw", "urn:oasis:names:tc:opendocument:xmlns:drawing:1.0", "http://openoffice.org/2000/drawing"],
  ["fo", "urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0", "http://www.w3.org/1999/XSL/Format"],
  ["svg", "urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0", "http://www.w3.org/2000/svg"],
  [
    "presentation",
    "urn:oasis:names:tc:opendocument:xmlns:presentation:1.0",
    "http://openoffice.org/2000/presentation",
  ],
  ["chart", "urn:oasis:names:tc:opendocument:xmlns:chart:1.0", "http://openoffice.org/2000/chart"],
  ["meta", "urn:oasis:names:tc:opendocument:xmlns:meta:1.0", "http://openoffice.org/2000/meta"],
  ["manifest", "urn:oasis:names:tc:opendocument:xmlns:manifest:1.0", "http://openoffice.org/2001/manifest"],
  ["loext", "urn:org:documentfoundation:names:experimental:office:xmlns:loext:1.0"],
  ["math", "http://www.w3.org/1998/Math/MathML"],
  // What both have.
  ["dc", "http://purl.org/dc/elements/1.1/", "http://purl.org/dc/elements/1.0/"],
  ["dcterms", "http://purl.org/dc/terms/"],
  ["cp", "http://schemas.openxmlformats.org/package/2006/metadata/core-properties"],
  ["xlink", "http://www.w3.org/1999/xlink"],
  // Books.
  ["html", "http://www.w3.org/1999/xhtml"],
  ["ncx", "http://www.daisy.org/z3986/2005/ncx/"],
  ["opf", "http://www.idpf.org/2007/opf"],
  ["container", "urn:oasis:names:tc:opendocument:xmlns:container"],
  ["enc", "http://www.w3.org/2001/04/xmlenc#"],
];

/** The prefix of a namespace. */
const PREFIX_OF: ReadonlyMap<string, string> = new Map(
  PREFIXES.flatMap(([prefix, ...namespaces]) => namespaces.map((namespace) => [namespace, prefix] as const)),
);

interface Named {
  name: string;
  attributes: ReadonlyMap<string, string>;
}

/** Gives names their usual prefixes while elements open and close. */
export function createNaming(): { open(name: string, given: Record<string, string>): Named; close(): void } {
  /** The usual prefix of each prefix that a document uses here. */
  const usual = new Map<string, string>();
  /** For each open element what it changed, so that it can be undone. */
  const undone: ([prefix: string, before: string | undefined][] | undefined)[] = [];
  const names = new Map<string, string>();

  const declare = (given: Record<string, string>) => {
    let changed: [string, string | undefined][] | undefined;
    for (const name in given) {
      if (!name.startsWith("xmlns")) continue;
      if (name.length > 5 && name[5] !== ":") continue;
      const prefix = name.slice(6);
      changed ??= [];
      changed.push([prefix, usual.get(prefix)]);
      usual.set(prefix, PREFIX_OF.get(given[name]?.trim() ?? "") ?? `?${prefix}`);
      names.clear();
    }
    undone.push(changed);
  };
  const usualName = (written: string, isAttribute: boolean): string => {
    const at = written.indexOf(":");
    if (at < 0 && isAttribute) return written;
    const known = names.get(written);
    if (known !== undefined) return known;
    const own = at < 0 ? "" : written.slice(0, at);
    const prefix = usual.get(own) ?? own;
    const name = prefix === "" ? written : `${prefix}:${written.slice(at + 1)}`;
    // Hostile documents have as many names as elements.
    if (names.size < 10_000) names.set(written, name);
    return name;
  };
  return {
    open(written, given) {
      declare(given);
      const name = usualName(written, false);
      let attributes: Map<string, string> | undefined;
      for (const key in given) {
        if (key.startsWith("xmlns")) continue;
        attributes ??= new Map();
        attributes.set(usualName(key, true), given[key] ?? "");
      }
      return { name, attributes: attributes ?? NONE };
    },
    close() {
      for (const [prefix, before] of undone.pop()?.toReversed() ?? []) {
        if (before === undefined) usual.delete(prefix);
        else usual.set(prefix, before);
        names.clear();
      }
    },
  };
}

const NONE: ReadonlyMap<string, string> = new Map();
