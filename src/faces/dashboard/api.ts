import { jsonIn } from "@docent/kernel/text/json";
import { createContext, useContext } from "react";
import { ApiError, apiErrorOf, offlineError } from "./api-error.ts";

/** What a query may hold. What is undefined or empty is left out. */
export type ApiQuery = Readonly<Record<string, string | number | boolean | undefined>>;

/** How an upload is watched and stopped. */
interface UploadOptions {
  /** The share that has been sent, 0 to 1. */
  onProgress?: (share: number) => void;
  signal?: AbortSignal;
  method?: "POST" | "PUT";
  contentType?: string;
}

/** The server's operations. What is answered with an error rejects with `ApiError`. */
export interface Api {
  get<T>(path: string, options?: { query?: ApiQuery; signal?: AbortSignal }): Promise<T>;
  post<T>(path: string, body?: unknown, options?: { signal?: AbortSignal }): Promise<T>;
  put<T>(path: string, body?: unknown, options?: { signal?: AbortSignal }): Promise<T>;
  patch<T>(path: string, body?: unknown, options?: { signal?: AbortSignal }): Promise<T>;
  delete<T = void>(path: string, body?: unknown, options?: { signal?: AbortSignal }): Promise<T>;
  upload<T>(path: string, content: Blob, options?: UploadOptions): Promise<T>;
}

interface ApiDeps {
  base: string;
  fetch(url: string, init: RequestInit): Promise<Response>;
  /** Lets the member sign in again; says whether they did. What was refused is then sent once more. */
  signInAgain(): Promise<boolean>;
}

/** The paths that answer 401 to whoever is not signed in: no other sign-in is asked for there. */
const SIGNING_IN = /^\/v1\/session(?:\/link)?$/;

/** Speaks to the server in JSON, with the cookie of the session. */
export function createApi({ base, fetch, signInAgain }: ApiDeps): Api {
  async function again<T>(path: string, attempt: () => Promise<T>): Promise<T> {
    try {
      return await attempt();
    } catch (error) {
      const isRefused = error instanceof ApiError && error.status === 401;
      if (!isRefused || SIGNING_IN.test(path) || !(await signInAgain())) throw error;
      return await attempt();
    }
  }

  async function send<T>(path: string, init: RequestInit): Promise<T> {
    const reply = await fetch(base + path, { ...init, credentials: "same-origin" }).catch((error) => {
      throw isAbort(error) ? error : offlineError(error);
    });
    return (await readReply(reply)) as T;
  }

  const writing =
    (method: string) =>
    <T>(path: string, body?: unknown, { signal }: { signal?: AbortSignal } = {}) =>
      again(path, () => send<T>(path, { method, ...jsonBody(body), ...(signal && { signal }) }));

  return {
    get: <T>(path: string, { query = {}, signal }: { query?: ApiQuery; signal?: AbortSignal } = {}) =>
      again(path, () => send<T>(withQuery(path, query), signal ? { signal } : {})),
    post: writing("POST"),
    put: writing("PUT"),
    patch: writing("PATCH"),
    delete: writing("DELETE"),
    upload: <T>(path: string, content: Blob, options: UploadOptions = {}) =>
      again(path, () => upload(base + path, content, options) as Promise<T>),
  };
}

/** The context in which the app hands out its `Api`. */
export const ApiContext = createContext<Api | undefined>(undefined);

/** The server's operations, for a component. */
export function useApi(): Api {
  const api = useContext(ApiContext);
  if (!api) throw new Error("useApi is used outside of the app");
  return api;
}

/** A path with its query. */
export function withQuery(path: string, query: ApiQuery): string {
  const given = Object.entries(query).flatMap(([name, value]) =>
    value === undefined || value === "" ? [] : [[name, String(value)]],
  );
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given)}`;
}

/** Whether an error is that of an aborted request: nobody is told. */
export const isAbort = (error: unknown) =>
  (error instanceof DOMException || error instanceof Error) && error.name === "AbortError";

async function readReply(reply: Response): Promise<unknown> {
  const text = await reply.text();
  const isJson = reply.headers.get("content-type")?.includes("json") ?? false;
  const body: unknown = isJson && text !== "" ? JSON.parse(text) : undefined;
  if (!reply.ok) throw apiErrorOf(reply.status, body, reply.headers.get("x-request-id"));
  return body;
}

const jsonBody = (body: unknown): RequestInit =>
  body === undefined ? {} : { body: JSON.stringify(body), headers: { "content-type": "application/json" } };

/** Sends a file. XMLHttpRequest, because `fetch` tells nothing of how much was sent. */
function upload(
  url: string,
  content: Blob,
  { onProgress, signal, method = "POST", contentType }: UploadOptions,
): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const stop = () => request.abort();
    const settle = (then: () => void) => () => {
      signal?.removeEventListener("abort", stop);
      then();
    };
    request.open(method, url);
    request.setRequestHeader("content-type", contentType ?? (content.type || "application/octet-stream"));
    request.upload.onprogress = ({ loaded, total, lengthComputable }) => {
      if (lengthComputable && total > 0) onProgress?.(loaded / total);
    };
    request.onload = settle(() => {
      const body = bodyOf(request);
      if (request.status >= 200 && request.status < 300) resolve(body);
      else reject(apiErrorOf(request.status, body, request.getResponseHeader("x-request-id")));
    });
    request.onerror = settle(() => reject(offlineError()));
    request.onabort = settle(() => reject(new DOMException("The upload was stopped.", "AbortError")));
    signal?.addEventListener("abort", stop);
    if (signal?.aborted) reject(new DOMException("The upload was stopped.", "AbortError"));
    else request.send(content);
  });
}

function bodyOf(request: XMLHttpRequest): unknown {
  if (!request.getResponseHeader("content-type")?.includes("json")) return undefined;
  return jsonIn(request.responseText);
}
