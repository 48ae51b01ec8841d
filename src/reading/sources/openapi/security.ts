import type { SecurityNeed } from "./model.ts";
import type { References } from "./references.ts";
import { codeOf, recordOf, textOf } from "./values.ts";

/** The ways in that a document defines, by name, in words. */
export function readSchemes(
  document: Record<string, unknown>,
  references: References,
): Map<string, { words: string; description: string }> {
  const defined = {
    ...recordOf(document["securityDefinitions"]),
    ...recordOf(recordOf(document["components"])["securitySchemes"]),
  };
  return new Map(
    Object.entries(defined).map(([name, raw]) => {
      const scheme = references.follow(raw)?.value ?? {};
      return [name, { words: schemeWords(scheme), description: textOf(scheme["description"]) }];
    }),
  );
}

function schemeWords(scheme: Record<string, unknown>): string {
  switch (scheme["type"]) {
    case "apiKey":
      return `an API key in the ${textOf(scheme["in"])} ${codeOf(textOf(scheme["name"]))}`;
    case "basic":
      return "a user name and password (basic authentication)";
    case "http":
      return httpWords(textOf(scheme["scheme"]).toLowerCase(), textOf(scheme["bearerFormat"]));
    case "oauth2":
      return "an OAuth 2 access token";
    case "openIdConnect":
      return `a token from OpenID Connect (${textOf(scheme["openIdConnectUrl"])})`;
    case "mutualTLS":
      return "a client certificate";
    default:
      return "authentication";
  }
}

function httpWords(scheme: string, bearerFormat: string): string {
  if (scheme === "basic") return "a user name and password (basic authentication)";
  if (scheme !== "bearer") return `${scheme || "HTTP"} authentication`;
  const format = bearerFormat === "" ? "" : `, ${bearerFormat}`;
  return `a bearer token in the header \`Authorization\`${format}`;
}

/** What an operation asks for, in a sentence; "" where the document says nothing. */
export function securityWords(
  ways: SecurityNeed[][],
  schemes: ReadonlyMap<string, { words: string }>,
): string {
  if (ways.length === 0) return "";
  const needed = ways
    .filter((way) => way.length > 0)
    .map((way) => way.map((need) => needWords(need, schemes)).join(" and "));
  if (needed.length === 0) return "No authentication is needed.";
  const optional = needed.length < ways.length ? ", or none" : "";
  return `Authentication: ${needed.join(", or ")}${optional}.`;
}

function needWords(
  { scheme, scopes }: SecurityNeed,
  schemes: ReadonlyMap<string, { words: string }>,
): string {
  const words = schemes.get(scheme)?.words ?? "authentication";
  const scoped = scopes.length === 0 ? "" : `, with ${scopes.map((scope) => codeOf(scope)).join(", ")}`;
  return `${words} (${codeOf(scheme)}${scoped})`;
}
