import { AppError, type ErrorCode } from "@docent/kernel/errors";
import type { AuditKind } from "@docent/people/audit/audit";
import { Elysia } from "elysia";
import type { z } from "zod";
import { checkBody, readBody, readForm } from "./request/body.ts";

/**
 * What opens an operation: a key; a member's session; either an admin key or a session, for `admin`; an assistant key
 * where the site is not public, for `public`.
 */
export type KeyKind = "assistant" | "public" | "admin" | "session" | "none";

/** A request as it arrived, before anything of its body has been read. */
export interface ArrivedRequest {
  request: Request;
  /** Aborted when the sender goes away. */
  signal: AbortSignal;
  /** What names the request in the log, and in the reply's headers. */
  requestId: string;
  /** The named parts of the path; null is one that cannot be decoded. */
  params: Readonly<Record<string, string | null | undefined>>;
  /** The address at the other end of the connection. */
  peer(): string | undefined;
  /** Headers that the reply gets whatever it is, an error too. */
  replyHeaders: Record<string, unknown>;
  /** Lets the connection stay quiet for as long as the answer takes. */
  waitWithoutEnd(): void;
}

/** Decides who may use operations. */
export interface Guard<Who extends object = object> {
  opens: KeyKind;
  /** A sentence for the documentation, where not every key or member is let in. */
  note?: string;
  /** What the guard answers those whom it refuses, and what may fail behind it whatever is asked. */
  errors: readonly ErrorCode[];
  /** What the operation gets to know of the sender. Raises for everyone who is not let in. */
  admit(sent: ArrivedRequest): Promise<Who> | Who;
}

/** What an operation knows when it runs: who asks, as its guard found out, and what was sent. */
export type Asked<Who, Body, Query> = Who &
  ArrivedRequest & {
    /** A part of the path; empty where it has none of that name. */
    param(name: string): string;
    /** A number in the path. Raises `not_found` for anything else. */
    number(name: string): number;
    /** The body, read and checked when it is asked for. Reading ends with the signal: the request's own otherwise. */
    body(signal?: AbortSignal): Promise<Body>;
    /** The query, checked. */
    query(): Query;
  };

/** What an operation answers with where all is well. */
export interface Reply {
  description: string;
  /** JSON, unless it is named. */
  contentType?: string;
  /** What it may be instead, where that is asked for. */
  otherTypes?: readonly string[];
  schema?: z.ZodType;
}

/** The headings of the documentation; `openapi/document.ts` says what each is for. */
export type Tag =
  | "Assistant"
  | "Search"
  | "Widget"
  | "Feedback"
  | "OpenAI"
  | "Chat"
  | "Analytics"
  | "Admin: status"
  | "Admin: organizations"
  | "Admin: sites"
  | "Admin: readers"
  | "Admin: settings"
  | "Admin: assistant keys"
  | "Admin: admin keys"
  | "Admin: members"
  | "Admin: sources"
  | "Admin: pages"
  | "Admin: generations"
  | "Admin: golden questions"
  | "Admin: curated answers"
  | "Admin: privacy"
  | "Admin: notices"
  | "Admin: backup"
  | "Admin: audit log"
  | "Signing in"
  | "MCP"
  | "Server";

/**
 * One operation of the API, whichever door it belongs to: it is stated here once, beside the code that does it. Its route
 * is mounted from this (`mount`), and the API's documentation is written from it (`openapi/`).
 */
export interface Operation<Who extends object = object, Body = unknown, Query = unknown> {
  /** A verb, then what it is done to. Programs that are made from the documentation call it so: it never changes. */
  id: string;
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Below the base path, with `:name` for a part of it, and `*` for a last part with slashes in it. */
  path: string;
  /** The heading that it stands under in the documentation. */
  tag: Tag;
  /** What it does, in one short sentence. */
  summary: string;
  description?: string;
  deprecated?: true;
  /** The same is below `/discovery`, for clients that have that prefix. */
  isInDiscovery?: true;
  guard: Guard<Who>;
  /** The kinds of entries that it leaves in the audit log, whoever uses it. */
  records?: readonly AuditKind[];
  query?: z.ZodType<Query>;
  body?: z.ZodType<Body>;
  /** A request without a body is one with an empty object. */
  mayLackBody?: boolean;
  /** The largest body that it takes, where that is not the server's own bound. */
  bodyBytesMax?: number;
  /** Its body is a file, which `run` reads itself. */
  takesFile?: true;
  /** Its body is a form's fields. */
  takesForm?: true;
  /** A body that it takes. */
  example?: unknown;
  replies: Record<number, Reply>;
  /** What else it may answer, besides what its guard, its path and its body bring with them. */
  errors?: readonly ErrorCode[];
  /** Its errors are written as OpenAI's API writes them. */
  hasOpenaiErrors?: true;
  run(asked: Asked<Who, Body, Query>): Promise<Response> | Response;
}

/** An operation whose guard, body and query say what its `run` is given. */
export function operation<Who extends object, Body = never, Query = never>(
  one: Operation<Who, Body, Query>,
): Operation {
  return one;
}

/** The reply of that status, in JSON; without a schema, one that has no content. */
export function gives(status: number, description: string, schema?: z.ZodType): Record<number, Reply> {
  return { [status]: schema === undefined ? { description } : { description, schema } };
}

/** A reply as JSON. */
export function reply(
  value: unknown,
  { status = 200, location }: { status?: number; location?: string } = {},
) {
  return Response.json(value, { status, headers: location === undefined ? {} : { location } });
}

/** A reply without content: it is done. */
export const done = () => new Response(null, { status: 204 });

/** Lets everybody in. */
export const noGuard: Guard = { opens: "none", errors: [], admit: () => ({}) };

interface BodyBounds {
  bytesMax: number;
  /** How long its sender may take. */
  milliseconds: number;
}

/**
 * The routes of operations: for each its guard, and only then what was sent. Elysia's own schemas are not used, because
 * Elysia reads and parses a whole body before any guard has run, without a bound on its time, its values or its depth; and
 * its faults are not told in our words.
 */
export function mount(operations: readonly Operation[], bounds: BodyBounds) {
  const routes = new Elysia();
  // One instance for all behind one guard: making one for each operation would be felt at every start.
  for (const [guard, own] of Map.groupBy(operations, (each) => each.guard))
    routes.use(guardedRoutes(guard, own, bounds));
  return routes;
}

/** Makes a plugin without a name, on purpose: Elysia merges plugins of one name, whatever they were given. */
function guardedRoutes(guard: Guard, operations: readonly Operation[], bounds: BodyBounds) {
  const routes = new Elysia().derive(async ({ request, params, server, set }) => {
    const sent = sentIn(request, params, server, set.headers);
    return { sent, who: await guard.admit(sent) };
  });
  for (const one of operations)
    routes.route(
      one.method,
      one.path,
      ({ sent, who }) => one.run({ ...who, ...sent, ...inputOf(one, sent, bounds) }),
      // Nothing is read of a body before the operation asks for it.
      { parse: "none" },
    );
  return routes;
}

function sentIn(
  request: Request,
  params: ArrivedRequest["params"] | undefined,
  server: Bun.Server<unknown> | null,
  replyHeaders: Record<string, unknown>,
): ArrivedRequest {
  return {
    request,
    signal: request.signal,
    requestId: String(replyHeaders["x-request-id"] ?? ""),
    // Elysia gives no parameters where the path has none.
    params: params ?? {},
    peer: () => server?.requestIP(request)?.address,
    replyHeaders,
    waitWithoutEnd: () => server?.timeout(request, 0),
  };
}

function inputOf(
  one: Operation,
  { request, params, signal: whileThere }: ArrivedRequest,
  bounds: BodyBounds,
) {
  const param = (name: string) => params[name] ?? "";
  return {
    param,
    number: (name: string) => (/^\d{1,15}$/.test(param(name)) ? Number(param(name)) : notFound()),
    body: async (signal = whileThere) => {
      if (one.body === undefined) return undefined;
      if (one.mayLackBody && request.body === null) return checkBody(one.body, {}, "The body");
      const bytesMax = one.bodyBytesMax ?? bounds.bytesMax;
      const read = one.takesForm === true ? readForm : readBody;
      return read(request, one.body, { ...bounds, bytesMax, signal });
    },
    query: () => one.query && checkBody(one.query, queryOf(request), "The query"),
  };
}

/** Each name of the query once: of one that is repeated, all values. */
function queryOf(request: Request): Record<string, string | string[]> {
  const { searchParams } = new URL(request.url);
  return Object.fromEntries(
    [...new Set(searchParams.keys())].map((name) => {
      const values = searchParams.getAll(name);
      return [name, values.length > 1 ? values : (values[0] ?? "")];
    }),
  );
}

/** Raises what is said of everything that is not there, or not to be seen. */
export function notFound(): never {
  throw new AppError("not_found", "Not found");
}
