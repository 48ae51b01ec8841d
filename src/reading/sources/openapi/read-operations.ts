import type { ApiDocument } from "./document.ts";
import type { ApiOperation, SecurityNeed } from "./model.ts";
import { readExchange } from "./read-exchange.ts";
import { pointerTo, type References } from "./references.ts";
import { listOf, recordOf, textOf, textsOf } from "./values.ts";

const METHODS = ["get", "put", "post", "delete", "options", "head", "patch", "trace", "query"];
const OPERATIONS_MAX = 10_000;

/** A part of a document that could not be read. */
export interface ApiFault {
  pointer: string;
  detail: string;
}

/** Every operation and webhook of a document, in its order. One that is broken does not cost the others. */
export function readOperations(
  document: ApiDocument,
  references: References,
): { operations: ApiOperation[]; faults: ApiFault[] } {
  const operations: ApiOperation[] = [];
  const faults: ApiFault[] = [];
  for (const [section, kind] of [
    ["paths", "operation"],
    ["webhooks", "webhook"],
  ] as const) {
    for (const [target, raw] of Object.entries(recordOf(document[section]))) {
      if (target.startsWith("x-")) continue;
      const item = references.follow(raw)?.value;
      if (!item) faults.push({ pointer: pointerTo(section, target), detail: "is no object with operations" });
      for (const method of Object.keys(item ?? {}).filter((name) => METHODS.includes(name))) {
        const pointer = pointerTo(section, target, method);
        // Not what the specification allows, but what descriptions in many files do.
        const own = references.follow(item?.[method])?.value;
        if (operations.length === OPERATIONS_MAX)
          return {
            operations,
            faults: [...faults, { pointer, detail: `is more than ${OPERATIONS_MAX} operations can be` }],
          };
        if (own && item)
          operations.push(readOperation({ document, references, item, own, kind, pointer, method, target }));
        else faults.push({ pointer, detail: "is no operation" });
      }
    }
  }
  return { operations, faults };
}

interface Place {
  document: ApiDocument;
  references: References;
  item: Record<string, unknown>;
  own: Record<string, unknown>;
  kind: ApiOperation["kind"];
  pointer: string;
  method: string;
  target: string;
}

function readOperation({
  document,
  references,
  item,
  own,
  kind,
  pointer,
  method,
  target,
}: Place): ApiOperation {
  return {
    kind,
    pointer,
    method: method.toUpperCase(),
    target,
    id: textOf(own["operationId"]),
    summary: textOf(own["summary"]) || textOf(item["summary"]),
    description: textOf(own["description"]) || textOf(item["description"]),
    deprecated: own["deprecated"] === true,
    tags: textsOf(own["tags"]).filter(Boolean),
    security: readSecurity(own["security"] ?? document["security"]),
    servers: serverAddresses(own["servers"] ?? item["servers"]),
    ...readExchange(document, references, item, own),
    callbacks: Object.keys(recordOf(own["callbacks"])),
  };
}

function readSecurity(value: unknown): SecurityNeed[][] {
  return listOf(value).map((need) =>
    Object.entries(recordOf(need)).map(([scheme, scopes]) => ({ scheme, scopes: textsOf(scopes) })),
  );
}

/** The addresses of servers, with what stands for their variables by default. */
export function serverAddresses(value: unknown): string[] {
  return listOf(value).flatMap((server) => {
    const { url, variables } = recordOf(server);
    const address = textOf(url).replace(/\{([^{}]*)\}/g, (whole, name: string) => {
      const given = recordOf(recordOf(variables)[name])["default"];
      return given === undefined ? whole : String(given);
    });
    return address === "" ? [] : [address];
  });
}
