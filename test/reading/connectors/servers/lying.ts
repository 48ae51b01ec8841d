import type { WikiServer } from "../../../contract/connector.ts";

/** A reply of an honest server, before a lie is made of it. */
export interface Told {
  status: number;
  headers: Headers;
  text: string;
  isJson: boolean;
}

interface Asked {
  /** How many requests came before. */
  nth: number;
  url: URL;
}

/** Makes a lie of a reply; undefined passes it on as it is. */
export type Lie = (told: Told, asked: Asked) => Response | undefined;

export interface LyingServer extends WikiServer {
  /** How many requests have come. */
  readonly asked: number;
}

/** Stands before an honest server of a kind, under an address of its own, and lies. */
export function startLying(honest: WikiServer, lie: Lie): LyingServer {
  let asked = 0;
  const { origin } = new URL(honest.address);
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    idleTimeout: 0,
    async fetch(request): Promise<Response> {
      const url = new URL(request.url);
      const nth = asked++;
      const reply = await passOn(request, origin + url.pathname + url.search);
      const isText = /json|html/.test(reply.headers.get("content-type") ?? "");
      const body = await reply.arrayBuffer();
      const renamed = (text: string) => text.replaceAll(origin, url.origin);
      const headers = new Headers(reply.headers);
      headers.delete("content-length");
      const link = headers.get("link");
      if (link !== null) headers.set("link", renamed(link));
      const { status } = reply;
      const text = renamed(new TextDecoder().decode(body));
      const isJson = /json/.test(headers.get("content-type") ?? "");
      const lied = isText ? lie({ status, headers, text, isJson }, { nth, url }) : undefined;
      return lied ?? new Response(isText ? text : body, { status, headers });
    },
  });
  return {
    ...honest,
    address: honest.address.replace(origin, server.url.origin),
    get asked() {
      return asked;
    },
    async [Symbol.asyncDispose]() {
      await server.stop(true);
      await honest[Symbol.asyncDispose]();
    },
  };
}

async function passOn(request: Request, address: string): Promise<Response> {
  const headers = new Headers(request.headers);
  for (const name of ["host", "accept-encoding", "connection"]) headers.delete(name);
  const { method } = request;
  const body = method === "POST" ? { body: await request.text() } : {};
  return fetch(address, { method, headers, redirect: "manual", ...body });
}

/** The same reply with another body or other headers. */
export function liedReply(
  told: Told,
  lied: { body?: BodyInit; status?: number; headers?: Record<string, string> },
): Response {
  const headers = new Headers(told.headers);
  for (const [name, value] of Object.entries(lied.headers ?? {})) headers.set(name, value);
  return new Response(lied.body ?? told.text, { status: lied.status ?? told.status, headers });
}

/** The ways to each value in a JSON value; of a list, to its first item alone. */
export function placesIn(value: unknown, way: readonly string[] = []): (readonly string[])[] {
  if (typeof value !== "object" || value === null) return [way];
  const inside = Array.isArray(value) ? Object.entries(value).slice(0, 1) : Object.entries(value);
  return [way, ...inside.flatMap(([name, each]) => placesIn(each, [...way, name]))];
}

export function valueAt(value: unknown, [name, ...way]: readonly string[]): unknown {
  if (name === undefined) return value;
  const inside = new Map(Object.entries(typeof value === "object" && value !== null ? value : {}));
  return valueAt(inside.get(name), way);
}

/** The value with another one at a place. */
export function withValueAt(value: unknown, [name, ...way]: readonly string[], put: unknown): unknown {
  if (name === undefined) return put;
  if (typeof value !== "object" || value === null) return value;
  const changed = (each: unknown, key: string) => (key === name ? withValueAt(each, way, put) : each);
  return Array.isArray(value)
    ? value.map((each, index) => changed(each, String(index)))
    : Object.fromEntries(Object.entries(value).map(([key, each]) => [key, changed(each, key)]));
}
