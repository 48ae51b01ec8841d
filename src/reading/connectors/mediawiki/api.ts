import { AppError } from "@docent/kernel/errors";
import { z } from "zod";
import { attribute, elementsIn, parseHtml } from "../../markdown/html/html.ts";
import type { ServerAccess, ServerRequest } from "../connector.ts";
import { createOnward } from "../onward.ts";
import { isRefusal } from "../refusal.ts";

/** MediaWiki's API. Every reply can be an error, with status 200. */
export interface MediaWikiApi {
  /** Where it is. */
  address: string;
  ask<T>(parameters: Parameters, schema: z.ZodType<T>, request?: ServerRequest): Promise<T>;
  /** All parts of a list that comes in several. */
  parts<T>(parameters: Parameters, schema: z.ZodType<T>): AsyncGenerator<T>;
}

type Parameters = Readonly<Record<string, string>>;

const PARTS_MAX = 2_000;
const COMMON = { format: "json", formatversion: "2" };

const ERROR = z.object({ error: z.object({ code: z.string(), info: z.string().default("") }) });
const CONTINUED = z.object({ continue: z.record(z.string(), z.coerce.string()).optional() });

export function createApi(address: string, server: ServerAccess): MediaWikiApi {
  const raw = async (parameters: Parameters, request?: ServerRequest) => {
    const query = new URLSearchParams({ ...COMMON, ...parameters });
    const reply = await server.json(`${address}?${query}`, z.unknown(), request);
    const failed = ERROR.safeParse(reply);
    if (failed.success) throw refusal(address, failed.data.error);
    return reply;
  };
  const read = <T>(reply: unknown, schema: z.ZodType<T>): T => {
    const parsed = schema.safeParse(reply);
    if (parsed.success) return parsed.data;
    throw unreadable(address, parsed.error);
  };
  return {
    address,
    ask: async (parameters, schema, request) => read(await raw(parameters, request), schema),
    async *parts(parameters, schema) {
      const isNew = createOnward(address);
      let more: Parameters | undefined = {};
      for (let part = 0; more !== undefined && part < PARTS_MAX; part++) {
        isNew(String(new URLSearchParams(more)));
        const reply = await raw({ ...parameters, ...more });
        yield read(reply, schema);
        more = read(reply, CONTINUED).continue;
      }
    },
  };
}

export const unreadable = (address: string, cause: unknown) =>
  new AppError("unavailable", `${address} answers with something that cannot be read.`, {
    hint: "MediaWiki 1.31 and later are read.",
    cause,
  });

const NOT_ALLOWED = /denied|permission|notloggedin|badtoken|assert|blocked|unauthorized/i;

/** What the wiki says in its own words may be in any language: it is for the log. */
function refusal(address: string, { code, info }: { code: string; info: string }): AppError {
  const cause = new Error(`${code}: ${info}`.slice(0, 500));
  if (NOT_ALLOWED.test(code))
    return new AppError("forbidden", `${address} lets nobody read it who is not signed in.`, {
      hint: "Name the environment variable that holds a bot password (name@bot:password) or an OAuth token with --authorization.",
      cause,
    });
  return new AppError("unavailable", `${address} could not be read: it answers ${code.slice(0, 100)}.`, {
    hint: "Readers still see what was there before. Run this again when the wiki answers.",
    cause,
  });
}

/** Finds where the API of the wiki is to which an address belongs. */
export async function findApi(address: URL, server: ServerAccess): Promise<string> {
  if (address.pathname.endsWith("/api.php")) return address.origin + address.pathname;
  const named = await apiNamedBy(address, server);
  if (named !== undefined) return named;
  const folder = address.pathname.replace(/[^/]*$/, "");
  for (const place of new Set([`${folder}api.php`, "/w/api.php", "/api.php"]))
    if (await isApi(address.origin + place, server)) return address.origin + place;
  throw new AppError("not_found", `No wiki's API was found at ${address.href}.`, {
    hint: "Name the address of its api.php, such as https://wiki.example.com/w/api.php.",
  });
}

/** Every page of a wiki names it, those too that ask to sign in. */
async function apiNamedBy(address: URL, server: ServerAccess): Promise<string | undefined> {
  const { status, body, url } = await server
    .ask(address, { headers: { accept: "text/html" } })
    .catch(nothing);
  const root = status === 200 ? parseHtml(new TextDecoder().decode(body)) : undefined;
  if (root === undefined) return undefined;
  const [link] = elementsIn(root, (each) => attribute(each, "rel") === "EditURI");
  const named = link === undefined ? null : URL.parse(attribute(link, "href") ?? "", url);
  // A wiki may call itself by another name than the one by which it is reached here.
  return named === null ? undefined : address.origin + named.pathname;
}

async function isApi(place: string, server: ServerAccess): Promise<boolean> {
  const { status, headers } = await server.ask(`${place}?action=query&format=json`).catch(nothing);
  return status === 200 && /json/.test(headers.get("content-type") ?? "");
}

/** What is not there or not to be seen leads to the next place; a server that does not answer ends the search. */
function nothing(error: unknown) {
  if (!isRefusal(error)) throw error;
  return { status: 403, url: "", headers: new Headers(), body: new Uint8Array() };
}
