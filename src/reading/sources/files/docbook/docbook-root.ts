import { readProlog } from "./dtd.ts";

const PUBLIC = /\b(?:DocBook|DocBk)\b/i;
const SYSTEM = /(?:^|\/)(?:x?docbook\w*|dbcent\w*|kdedbx\d*|simple-?docbook\w*|sdocbook)\.dtd$/i;
const NAMESPACE = "http://docbook.org/ns/docbook";
const ROOT_CHARACTERS_MAX = 20_000;

/** What a document says that it is: the name of its first element, where its DOCTYPE or that element says that it is DocBook. */
export function docbookRoot(text: string): string | undefined {
  const { publicId, systemId, end } = readProlog(text);
  const root = /^<((?:([\w.-]{1,60}):)?([\w.-]{1,60}))(?=[\s/>])((?:[^>"']|"[^"]*"|'[^']*')*)>/.exec(
    text.slice(end, end + ROOT_CHARACTERS_MAX),
  );
  if (root === null) return undefined;
  const [, , prefix, name, attributes = ""] = root;
  if (PUBLIC.test(publicId) || SYSTEM.test(systemId)) return name;
  const declared = prefix === undefined ? "xmlns" : `xmlns:${prefix}`;
  const namespace = new RegExp(`(?:^|\\s)${declared.replace(".", "\\.")}\\s*=\\s*["']([^"']*)["']`).exec(
    attributes,
  )?.[1];
  return namespace === NAMESPACE ? name : undefined;
}
