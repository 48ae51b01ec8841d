/** Where a site's assistant is, and what opens it. */
export interface Connection {
  fetch: (url: string, init: RequestInit) => Promise<Response>;
  /** The server with its base path, such as `https://docent.example.com`. */
  endpoint: string;
  domain: string;
  /** The assistant key. */
  key: string;
}

/** An operation of the server: its path, with what stands before and behind the domain. */
export type Operation = readonly [before: string, behind?: string];

/** Posts JSON to one of the site's operations. */
export function post(
  { fetch, endpoint, domain, key }: Connection,
  [before, behind = ""]: Operation,
  body: unknown,
  init: Pick<RequestInit, "signal" | "keepalive"> = {},
): Promise<Response> {
  return fetch(`${endpoint.replace(/\/$/, "")}${before}/${encodeURIComponent(domain)}${behind}`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    credentials: "omit",
    body: JSON.stringify(body),
    ...init,
  });
}
