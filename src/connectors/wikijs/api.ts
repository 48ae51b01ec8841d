import { z } from "zod";
import { AppError } from "../../errors.ts";
import type { ServerAccess, ServerRequest } from "../connector.ts";

const HINT =
  "The variable holds a key made at Administration → API Access, for a group that may read pages and assets (read:pages, read:assets) and nothing else.";

const REPLY = z.object({
  data: z.unknown().optional(),
  errors: z.array(z.object({ message: z.string().default("") })).optional(),
});
const NOT_ALLOWED = /forbidden|unauthorized|not authorized|authenticated|access/i;

/** The answer to a question in GraphQL. Wiki.js says no with status 200, and with 500 to a key that was revoked. */
export async function askWiki<T>(
  base: string,
  server: ServerAccess,
  question: { query: string; data: z.ZodType<T>; headers?: ServerRequest["headers"] },
): Promise<T> {
  const address = `${base}/graphql`;
  const { query, data: schema, headers = {} } = question;
  const reply = await server.json(address, REPLY, { json: { query }, headers }).catch((error: unknown) => {
    throw sayingMore(error, base);
  });
  const data = schema.safeParse(reply.data);
  if (data.success) return data.data;
  const said = reply.errors?.[0]?.message ?? "";
  if (NOT_ALLOWED.test(said))
    throw new AppError("forbidden", `${base} does not let whoever signs in with this read it.`, {
      hint: HINT,
      cause: new Error(said.slice(0, 500)),
    });
  throw new AppError("unavailable", `${address} answers with something that cannot be read.`, {
    hint: "Wiki.js 2 is read. Look at the address of the source, and at what the server answers there.",
    cause: new Error(said.slice(0, 500), { cause: data.error }),
  });
}

function sayingMore(error: unknown, base: string): unknown {
  if (!(error instanceof AppError)) return error;
  if (error.code === "not_found")
    return new AppError("not_found", `No Wiki.js was found at ${base}.`, {
      hint: "Name the address of the wiki, or of a page of it, as a browser shows it. Wiki.js 2 is read.",
    });
  const hint =
    error.code === "unavailable" && error.message.endsWith("500.")
      ? `A key that was revoked, and an API that is turned off, are answered so, too. ${HINT}`
      : (error.hint ?? "");
  return new AppError(error.code, error.message, { hint, cause: error.cause });
}

const PROFILE = z.object({ users: z.object({ profile: z.object({ id: z.number() }) }) });

/** Raises where a key is none: without this, the wiki would take whoever holds it for a guest, and not say so. */
export async function mustBeSignedIn(
  base: string,
  server: ServerAccess,
  headers: Readonly<Record<string, string>>,
): Promise<void> {
  await askWiki(base, server, { query: "{ users { profile { id } } }", data: PROFILE, headers });
}
