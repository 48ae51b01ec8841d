import type { ErrorCode } from "../../../errors.ts";
import type { AdminOperation } from "../../admin/operation.ts";
import type { ApiOperation } from "../../operation/operation.ts";

const METHODS = { GET: "get", POST: "post", PUT: "put", PATCH: "patch", DELETE: "delete" } as const;
const SERVER_ONLY = "For owners and keys of the server alone.";
const WRITES = "For owners, and for keys that may write.";

/** The operations that an admin key opens, from the table that makes their routes. */
export function keyedOperations(prefix: string, operations: readonly AdminOperation[]): ApiOperation[] {
  return operations.map((one) => {
    const { summary, description, query, body, example, replies, writes, serverOnly, takesFile } = one;
    const path = prefix + one.path.replace(/:(\w+)/g, "{$1}").replace("*", "{name}");
    const needs = serverOnly ? [SERVER_ONLY] : writes ? [WRITES] : [];
    const notes = [...(description === undefined ? [] : [description]), ...needs];
    return {
      method: METHODS[one.method],
      path,
      tag: tagOf(path),
      key: "admin",
      summary,
      ...(notes.length === 0 ? {} : { description: notes.join(" ") }),
      ...(query === undefined ? {} : { query }),
      ...(body === undefined ? {} : { body, bodyOptional: body.safeParse({}).success }),
      ...(example === undefined ? {} : { example }),
      ...(takesFile === undefined ? {} : { takesFile }),
      replies,
      errors: errorsOf(one),
    };
  });
}

function errorsOf(one: AdminOperation): ErrorCode[] {
  const { path, writes, body, takesFile, findsByQuery, isLimited } = one;
  const mayMiss = /[:*]/.test(path) || body !== undefined || findsByQuery;
  return [
    ...(["invalid_request", "unauthorized", "forbidden"] as const),
    ...(mayMiss ? (["not_found"] as const) : []),
    ...(writes ? (["conflict"] as const) : []),
    ...(isLimited ? (["rate_limited"] as const) : []),
    ...(body === undefined && takesFile === undefined
      ? []
      : (["too_large", "unsupported_media_type"] as const)),
    ...(["internal", "unavailable"] as const),
  ];
}

/** `Admin: sources`: the last part of the path that names a kind of thing. */
function tagOf(path: string): string {
  if (path.startsWith("/v1/analytics/")) return "Analytics";
  const kind = /^\/v1\/admin\/(?:sites\/\{domain\}\/)?([\w-]+)/.exec(path)?.[1] ?? "";
  return `Admin: ${KINDS[kind] ?? kind}`;
}

const KINDS: Record<string, string> = {
  summary: "status",
  ollama: "status",
  server: "status",
  models: "settings",
  defaults: "settings",
  try: "settings",
  "admin-keys": "admin keys",
  keys: "assistant keys",
  "source-rules": "sources",
  uploads: "sources",
  runs: "sources",
  page: "pages",
  explain: "pages",
  threads: "privacy",
  readers: "privacy",
  answers: "curated answers",
};
