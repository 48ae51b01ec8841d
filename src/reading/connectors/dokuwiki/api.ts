import { AppError } from "@docent/kernel/errors";
import { z } from "zod";
import type { ServerAccess, ServerRequest } from "../connector.ts";
import { isRefusal, orRefusal } from "../refusal.ts";
import { jsonSaid } from "../said.ts";

/** DokuWiki's API. */
interface DokuWikiApi {
  /** Where the wiki is, without a slash at its end. */
  base: string;
  ask<T>(method: string, parameters: Readonly<Record<string, unknown>>, result: z.ZodType<T>): Promise<T>;
}

const PLACE = "/lib/exe/jsonrpc.php/core.";
const HINT =
  "The variable holds name:password, or a token that a user made in their profile. The setting “remoteuser” must name that user or a group of theirs, and the rights of the wiki should let them read what all readers may.";
const NONE_HINT =
  "DokuWiki 2024-02 (“Kaos”) and later are read, where the setting “remote” is on. Earlier ones are read by their folder.";

export function createApi(
  base: string,
  server: ServerAccess,
  headers?: ServerRequest["headers"],
): DokuWikiApi {
  return {
    base,
    async ask(method, parameters, result) {
      const request = { json: parameters, ...(headers === undefined ? {} : { headers }) };
      const asked = server.json(`${base}${PLACE}${method}`, z.object({ result }), request);
      return (await orRefusal(asked, HINT)).result;
    },
  };
}

const FOLDERS_MAX = 6;

/** Finds the wiki to which an address belongs: addresses may be rewritten, so that none tells where its folder ends. */
export async function findWiki(address: URL, server: ServerAccess): Promise<string> {
  const [folder = ""] = address.pathname.split(/\/(?:doku\.php|lib\/exe\/|feed\.php|index\.php)/, 1);
  const parts = folder.split("/").filter((part) => part !== "");
  const isSaid = folder !== address.pathname;
  const folders = isSaid
    ? [parts]
    : Array.from({ length: parts.length + 1 }, (_, count) => parts.slice(0, count));
  for (const each of folders.slice(0, FOLDERS_MAX)) {
    const base = [address.origin, ...each].join("/");
    if (await isWiki(base, server)) return base;
  }
  throw new AppError("not_found", `No DokuWiki that answers questions was found at ${address.href}.`, {
    hint: `Name the address of the wiki, or of a page of it. ${NONE_HINT}`,
  });
}

/** Whoever asks is told the version. */
async function isWiki(base: string, server: ServerAccess): Promise<boolean> {
  const reply = await server.ask(`${base}${PLACE}getAPIVersion`, { json: {} }).catch((error: unknown) => {
    if (isRefusal(error)) return undefined;
    throw error;
  });
  if (reply === undefined || reply.status >= 300) return false;
  return z.object({ result: z.number() }).safeParse(jsonSaid(reply.body)).success;
}

/** Raises where a wiki that is open to all takes whoever signs in for a guest. */
export async function mustBeSignedIn(api: DokuWikiApi): Promise<void> {
  const { login } = await api.ask("whoAmI", {}, z.object({ login: z.string().default("") }));
  if (login !== "") return;
  throw new AppError("forbidden", `${api.base} does not take what the source signs in with.`, { hint: HINT });
}
