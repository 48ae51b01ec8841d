import { Elysia } from "elysia";
import type { z } from "zod";
import { AppError } from "../../errors.ts";
import type { Admin } from "../../keys/admin.ts";
import type { Site } from "../../sites/sites.ts";
import type { ApiReply } from "../operation/operation.ts";
import { type BodyBounds, bodyPieces, checkBody, readBody } from "../request/body.ts";
import {
  type AdminGuardDeps,
  type AdminGuarded,
  type AdminRights,
  adminGuardPlugin,
  whileAdmitted,
} from "./guard.ts";

/** What every operation of the admin API needs. */
export interface AdminDoor {
  guard: AdminGuardDeps;
  bodyBytesMax: number;
  bodyMs: number;
}

/** What an operation knows of what is asked. */
export interface Asked<Body, Query> {
  admin: Admin;
  /** The site in the path, which the admin sees; where something is written, one that it may change. */
  site(): Site;
  /** A part of the path. */
  param(name: string): string;
  /** A number in the path. Raises `not_found` for anything else. */
  number(name: string): number;
  body(): Promise<Body>;
  query(): Query;
  /** The body as it comes, of an operation that takes a file. Raises where its sender may do this no more. */
  sent(milliseconds: number): { content: AsyncIterable<Uint8Array>; announcedBytes: number | undefined };
  signal: AbortSignal;
  /** What names it in the log, and in the reply's headers. */
  requestId: string;
  request: Request;
}

/** One operation of the admin API. */
export interface AdminOperation<Body = unknown, Query = unknown> {
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  path: string;
  /** What it does, in one short sentence. */
  summary: string;
  description?: string;
  /** It takes who may change things: a viewer and a key that reads are refused. */
  writes?: true;
  /** It takes an owner or a key of the server: those of an organization are refused. */
  serverOnly?: true;
  body?: z.ZodType<Body>;
  query?: z.ZodType<Query>;
  /** Its query names what may not be there. */
  findsByQuery?: true;
  /** Its body is a file, as it is. */
  takesFile?: true;
  /** What it does is counted, and may be refused for a while. */
  isLimited?: true;
  /** A body that it takes. */
  example?: unknown;
  replies: Record<number, ApiReply>;
  run(asked: Asked<Body, Query>): Promise<Response>;
}

/** An operation, with the types of what is sent to it in one place. */
export function operation<Body = never, Query = never>(one: AdminOperation<Body, Query>): AdminOperation {
  return one;
}

/** A reply as JSON. */
export function reply(
  value: unknown,
  { status = 200, location }: { status?: number; location?: string } = {},
) {
  return Response.json(value, { status, headers: location === undefined ? {} : { location } });
}

/** A reply that says no more than that it is done. */
export const done = () => new Response(null, { status: 204 });

/** The routes of operations below a path. */
export function operationRoutes(door: AdminDoor, prefix: string, operations: readonly AdminOperation[]) {
  const reading = operations.filter(({ writes }) => writes !== true);
  const writing = operations.filter(({ writes }) => writes === true);
  return new Elysia({ prefix })
    .use(guardedRoutes(door, { write: false }, reading))
    .use(guardedRoutes(door, { write: true }, writing));
}

/** All behind one guard: making one for each would be felt at every start. */
function guardedRoutes(door: AdminDoor, rights: AdminRights, operations: readonly AdminOperation[]) {
  const routes = new Elysia().use(adminGuardPlugin(door.guard, rights));
  for (const one of operations)
    routes.route(one.method, one.path, (asked) => runOperation(door, one, asked), { parse: "none" });
  return routes;
}

interface AskedRoute extends AdminGuarded {
  request: Request;
  /** There are none where the path has none, and null is one that cannot be decoded. */
  params: Readonly<Record<string, string | null | undefined>> | undefined;
  set: { headers: Record<string, unknown> };
}

/** Who asks and site are known, so what is the server's comes next, then what was sent. */
function runOperation(
  { bodyBytesMax, bodyMs }: AdminDoor,
  one: AdminOperation,
  { request, params, admin, site, admitAgain, set }: AskedRoute,
): Promise<Response> | Response {
  if (one.serverOnly && !admin.isServer) throw serverNeeded(admin);
  const bounds = { bytesMax: bodyBytesMax, milliseconds: bodyMs, signal: request.signal };
  const { signal } = request;
  const param = (name: string) => params?.[name] ?? "";
  return one.run({
    admin,
    param,
    signal,
    request,
    requestId: String(set.headers["x-request-id"] ?? ""),
    site: () => site ?? notFound(),
    number: (name) => (/^\d{1,15}$/.test(param(name)) ? Number(param(name)) : notFound()),
    body: async () => one.body && readSent(request, one.body, bounds),
    sent: (milliseconds) => ({
      content: whileAdmitted(bodyPieces(request, { milliseconds, signal }), admitAgain),
      announcedBytes: Number(request.headers.get("content-length") ?? Number.NaN) || undefined,
    }),
    query: () => one.query && checkBody(one.query, queryOf(request), "The query"),
  });
}

/** A body may be left out where everything in it may be. */
async function readSent<T>(request: Request, schema: z.ZodType<T>, bounds: BodyBounds): Promise<T> {
  return request.body === null ? checkBody(schema, {}, "The body") : readBody(request, schema, bounds);
}

/** Each name once: of one that is repeated, all values. */
function queryOf(request: Request): Record<string, string | string[]> {
  const { searchParams } = new URL(request.url);
  return Object.fromEntries(
    [...new Set(searchParams.keys())].map((name) => {
      const values = searchParams.getAll(name);
      return [name, values.length > 1 ? values : (values[0] ?? "")];
    }),
  );
}

function notFound(): never {
  throw new AppError("not_found", "Not found");
}

function serverNeeded({ kind }: Admin): AppError {
  return new AppError(
    "forbidden",
    kind === "key"
      ? "This needs an admin key of the server: this key is an organization's."
      : "This is for owners of the server.",
  );
}
