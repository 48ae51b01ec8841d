import { SECOND_MS } from "@docent/kernel/lib/clock";

const NAME = "docent_session";
/** Browsers keep a cookie of this prefix to https, to the whole of one host, and from everything beside it. */
const HOST_PREFIX = "__Host-";
/** Browsers keep a cookie of this prefix to https. It may be for one path, which the other prefix does not allow. */
const SECURE_PREFIX = "__Secure-";

/** The cookie that a signed-in browser has. */
export interface SessionCookie {
  /** Reads the secret from a request's cookies. */
  read(request: Request): string | undefined;
  /** The header that gives a browser a secret. */
  give(secret: string): string;
  /** The header that takes it away. */
  take(): string;
}

/** The cookie of a server at that address. No script can read it, and no page of another site makes a browser send it. */
export function sessionCookie(publicUrl: string, basePath: string, lifetimeMs: number): SessionCookie {
  const isSecure = URL.parse(publicUrl)?.protocol === "https:";
  const prefix = basePath === "" ? HOST_PREFIX : SECURE_PREFIX;
  const name = isSecure ? `${prefix}${NAME}` : NAME;
  const flags = `Path=${basePath || "/"}; HttpOnly; SameSite=Strict${isSecure ? "; Secure" : ""}`;
  return {
    read: (request) => cookieValue(request, name),
    give: (secret) => `${name}=${secret}; Max-Age=${Math.floor(lifetimeMs / SECOND_MS)}; ${flags}`,
    take: () => `${name}=; Max-Age=0; ${flags}`,
  };
}

/** The cookie by which a browser is known in which somebody has signed in before. It goes where one signs in, alone. */
export interface DeviceCookie {
  /** The tokens that a request brings. */
  read(request: Request): string[];
  /** The header that gives a browser its tokens. */
  give(tokens: readonly string[]): string;
}

const DEVICE_NAME = "docent_device";
/** No token contains it. */
const BETWEEN_TOKENS = "~";

export function deviceCookie(publicUrl: string, path: string, lifetimeMs: number): DeviceCookie {
  const isSecure = URL.parse(publicUrl)?.protocol === "https:";
  const name = isSecure ? `${SECURE_PREFIX}${DEVICE_NAME}` : DEVICE_NAME;
  const flags = `Path=${path}; HttpOnly; SameSite=Strict${isSecure ? "; Secure" : ""}`;
  return {
    read: (request) => cookieValue(request, name)?.split(BETWEEN_TOKENS) ?? [],
    give: (tokens) =>
      `${name}=${tokens.join(BETWEEN_TOKENS)}; Max-Age=${Math.floor(lifetimeMs / SECOND_MS)}; ${flags}`,
  };
}

/** The value of a request's cookie of that name. */
export function cookieValue(request: Request, name: string): string | undefined {
  const pairs = (request.headers.get("cookie") ?? "").split(";").map((pair) => pair.trim());
  return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1);
}

const READER_NAME = "docent_reads";

/** The cookie of a browser in which a reader has signed in. */
export type ReaderCookie = SessionCookie;

/**
 * It goes with links from elsewhere, as from a chat to a page, and for the reader site's addresses alone: nothing but reading
 * is done with it.
 */
export function readerCookie(publicUrl: string, basePath: string, lifetimeMs: number): ReaderCookie {
  const isSecure = URL.parse(publicUrl)?.protocol === "https:";
  const name = isSecure ? `${SECURE_PREFIX}${READER_NAME}` : READER_NAME;
  const flags = `Path=${basePath}/sites; HttpOnly; SameSite=Lax${isSecure ? "; Secure" : ""}`;
  return {
    read: (request) => cookieValue(request, name),
    give: (secret) => `${name}=${secret}; Max-Age=${Math.floor(lifetimeMs / SECOND_MS)}; ${flags}`,
    take: () => `${name}=; Max-Age=0; ${flags}`,
  };
}
