import type { ApiOperation } from "../../operation/operation.ts";
import type { SessionOperation } from "../../session/guard.ts";

const METHODS = { GET: "get", POST: "post", PUT: "put", DELETE: "delete" } as const;

/** The operations by which members sign in, from the table that makes their routes. */
export function sessionApiOperations(
  prefix: string,
  operations: readonly SessionOperation[],
): ApiOperation[] {
  return operations.map(({ method, path, needsSession, run: _, ...told }) => ({
    ...told,
    method: METHODS[method],
    path: prefix + path.replace(/:(\w+)/g, "{$1}"),
    tag: "Signing in",
    key: needsSession ? "session" : "none",
  }));
}
