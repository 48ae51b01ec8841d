import { asList, asRecord, asText, isRecord } from "@docent/kernel/text/json";
import { readConfig } from "../config/config.ts";
import { type DocsTree, nameOf, stemOf } from "../docs-tree.ts";
import { belowRoot } from "./settings.ts";

/** The OpenAPI files of a site, which are read when a page names an operation. */
export interface ApiFiles {
  tree: DocsTree;
  root: string;
  read: Map<string, Promise<Readonly<Record<string, unknown>>>>;
}

/** An operation of an API, as far as a page of it shows it. */
interface Operation {
  method: string;
  path: string;
  summary: string | undefined;
  description: string | undefined;
  parameters: { name: string; type: string; isRequired: boolean; description: string }[];
}

const WRITTEN = /^(?:(\S+)\s+)?(get|post|put|patch|delete|head|options|trace|query|webhook)\s+(\S+)$/i;
const FILES_MAX = 50;
const PARAMETERS_MAX = 300;

/** The operation that front matter names: `openapi: "/openapi.json POST /users"`. */
export async function operationOf(api: ApiFiles, written: string): Promise<Operation | undefined> {
  const [, file, method = "", path = ""] = WRITTEN.exec(written.trim()) ?? [];
  if (method === "") return undefined;
  for (const location of filesOf(api, file)) {
    const spec = await specAt(api, location);
    const place = asRecord(asRecord(spec[method.toLowerCase() === "webhook" ? "webhooks" : "paths"])[path]);
    const operation = place[method.toLowerCase() === "webhook" ? "post" : method.toLowerCase()];
    if (isRecord(operation)) return described(spec, method, path, operation, place);
  }
  return undefined;
}

/** A file that is named with its place, or by its name alone; without a name, all that may be meant. */
function filesOf({ tree, root }: ApiFiles, file: string | undefined): string[] {
  const specs = tree.below(root).filter((location) => /\.(?:json|ya?ml)$/i.test(location));
  if (file === undefined)
    return specs.filter((each) => /api|swagger/i.test(nameOf(each))).slice(0, FILES_MAX);
  const wanted = file.replace(/^\/+/, "");
  const exact = specs.filter((location) => belowRoot(root, location) === wanted);
  return exact.length > 0
    ? exact
    : specs.filter((each) => stemOf(nameOf(each)) === wanted).slice(0, FILES_MAX);
}

function specAt({ tree, read }: ApiFiles, location: string): Promise<Readonly<Record<string, unknown>>> {
  const known = read.get(location);
  if (known !== undefined) return known;
  const reading = readConfig(tree, location).then((file) => asRecord(file?.value));
  read.set(location, reading);
  return reading;
}

function described(
  spec: Readonly<Record<string, unknown>>,
  method: string,
  path: string,
  operation: Record<string, unknown>,
  place: Readonly<Record<string, unknown>>,
): Operation {
  const listed = [...asList(place["parameters"]), ...asList(operation["parameters"])].map((each) =>
    asRecord(followed(spec, each)),
  );
  const parameters = listed.flatMap((each) => {
    const name = asText(each["name"]);
    const type = asText(asRecord(followed(spec, each["schema"]))["type"]) ?? "";
    const description = asText(each["description"]) ?? "";
    return name === undefined ? [] : [{ name, type, isRequired: each["required"] === true, description }];
  });
  return {
    method: method.toUpperCase(),
    path,
    summary: asText(operation["summary"]),
    description: asText(operation["description"]),
    parameters: [...parameters, ...bodyOf(spec, operation)].slice(0, PARAMETERS_MAX),
  };
}

function bodyOf(
  spec: Readonly<Record<string, unknown>>,
  operation: Readonly<Record<string, unknown>>,
): Operation["parameters"] {
  const content = asRecord(asRecord(followed(spec, operation["requestBody"]))["content"]);
  const schema = asRecord(followed(spec, asRecord(Object.values(content)[0])["schema"]));
  const required = asList(schema["required"]);
  return Object.entries(asRecord(schema["properties"])).map(([name, value]) => {
    const property = asRecord(followed(spec, value));
    return {
      name,
      type: asText(property["type"]) ?? "",
      isRequired: required.includes(name),
      description: asText(property["description"]) ?? "",
    };
  });
}

const REFERENCES_DEEP_MAX = 10;

/** What `{"$ref": "#/components/…"}` stands for. */
function followed(spec: Readonly<Record<string, unknown>>, value: unknown): unknown {
  let found = value;
  for (let depth = 0; depth < REFERENCES_DEEP_MAX; depth++) {
    const reference = asText(asRecord(found)["$ref"]);
    if (reference === undefined || !reference.startsWith("#/")) return found;
    found = reference
      .slice(2)
      .split("/")
      .reduce<unknown>(
        (inner, name) => asRecord(inner)[name.replaceAll("~1", "/").replaceAll("~0", "~")],
        spec,
      );
  }
  return found;
}

/** An operation as the body of its page. */
export function writeOperation({ method, path, description, parameters }: Operation): string {
  const rows = parameters.map(({ name, type, isRequired, description: said }) => {
    const facts = [`**\`${name}\`**`, type && `\`${type}\``, isRequired ? "required" : ""].filter(Boolean);
    const words = said.replace(/\s+/g, " ").trim();
    return `- ${facts.join(", ")}${words === "" ? "" : `: ${words}`}`;
  });
  return [`\`${method} ${path}\``, description?.trim() ?? "", rows.join("\n")]
    .filter((part) => part !== "")
    .join("\n\n");
}
