import { encodePath } from "../../page/page-path.ts";
import type { ApiDocument } from "./document.ts";
import { demoteHeadings } from "./markdown.ts";
import type { PlacedOperation } from "./model.ts";
import { signature } from "./operation-page.ts";
import { serverAddresses } from "./read-operations.ts";
import { codeOf, listOf, recordOf, textOf } from "./values.ts";

/** The page of a whole API: what it is, where it is, how one gets in, and every operation. */
export function overviewBody(
  document: ApiDocument,
  operations: PlacedOperation[],
  schemes: ReadonlyMap<string, { words: string; description: string }>,
): { title: string; summary: string; body: string } {
  const info = recordOf(document["info"]);
  const version = typeof info["version"] === "number" ? String(info["version"]) : textOf(info["version"]);
  const addresses = [...serverAddresses(document["servers"]), ...swaggerAddresses(document)];
  const body = [
    version === "" ? "" : `Version ${codeOf(version)}.`,
    demoteHeadings(textOf(info["description"]), 2),
    section(
      "Servers",
      addresses.map((address) => `- ${codeOf(address)}`),
    ),
    section("Authentication", [...schemes].map(schemeItem)),
    ...[...schemes].flatMap(schemeSection),
    ...operationLists(document, operations),
  ];
  return {
    title: textOf(info["title"]) || "API",
    summary: textOf(info["summary"]),
    body: body.filter(Boolean).join("\n\n"),
  };
}

function schemeItem([name, { words, description }]: [
  string,
  { words: string; description: string },
]): string {
  const [first = "", ...rest] = isLong(description) ? [] : description.split("\n");
  return [
    `- ${codeOf(name)}: ${words}.${first === "" ? "" : ` ${first}`}`,
    ...rest.map((line) => `  ${line}`),
  ].join("\n");
}

/** What is said of a scheme in paragraphs, under headings even. */
const schemeSection = ([name, { description }]: [string, { description: string }]): string[] =>
  isLong(description) ? [`### ${codeOf(name)}\n\n${demoteHeadings(description, 4)}`] : [];

const isLong = (description: string) => /\n\s*\n|^ {0,3}(?:#{1,6}\s|`{3}|~{3}|[-*+>|])/m.test(description);

function swaggerAddresses(document: ApiDocument): string[] {
  const host = textOf(document["host"]);
  if (host === "") return [];
  const schemes = listOf(document["schemes"]);
  return (schemes.length > 0 ? schemes : ["https"]).map(
    (scheme) => `${scheme}://${host}${textOf(document["basePath"])}`,
  );
}

function operationLists(document: ApiDocument, operations: PlacedOperation[]): string[] {
  const descriptions = new Map(
    listOf(document["tags"]).map((tag) => [
      textOf(recordOf(tag)["name"]),
      textOf(recordOf(tag)["description"]),
    ]),
  );
  const groups = Map.groupBy(operations, ({ operation }) =>
    operation.kind === "webhook" ? "Webhooks" : (operation.tags[0] ?? "Operations"),
  );
  // Some tags stand for no operations: chapters that whoever shows the description puts before them.
  const chapters = [...descriptions].filter(([name, words]) => words !== "" && !groups.has(name));
  return [...chapters.map(([name]): [string, PlacedOperation[]] => [name, []]), ...groups].map(
    ([name, placed]) =>
      [`## ${name}`, demoteHeadings(descriptions.get(name) ?? "", 3), placed.map(operationItem).join("\n")]
        .filter(Boolean)
        .join("\n\n"),
  );
}

function operationItem({ operation, path }: PlacedOperation): string {
  const deprecated = operation.deprecated ? " (deprecated)" : "";
  const summary = operation.summary === "" ? "" : `: ${operation.summary}`;
  return `- [${signature(operation)}](/${encodePath(path)})${summary}${deprecated}`;
}

const section = (title: string, items: string[]) =>
  items.length === 0 ? "" : `## ${title}\n\n${items.join("\n")}`;
