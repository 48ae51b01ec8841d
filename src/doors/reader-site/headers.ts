const SANDBOX = [
  "sandbox",
  "allow-scripts",
  "allow-forms",
  "allow-top-navigation-by-user-activation",
  "allow-popups",
  "allow-popups-to-escape-sandbox",
].join(" ");

interface ReaderHeaderOptions {
  /** This is the one address at which the page is published. */
  isCanonical?: boolean;
  /** What `ownOrigins` gives, where the page asks the server for anything. */
  origins?: readonly string[];
}

/**
 * Docs text is nobody's program. Only the scripts that carry the response's own number run, nothing comes from or goes
 * to anywhere else, and the page has an origin of its own: it can't reach what the dashboard, which is at the same
 * address, keeps in the browser. Links leave without saying where from: the address may be a signed one.
 */
export function readerHeaders(
  nonce: string,
  { isCanonical = false, origins = [] }: ReaderHeaderOptions = {},
): Record<string, string> {
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    ["connect-src 'self'", ...origins].join(" "),
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    SANDBOX,
  ];
  // What is published on the site itself should be found there, and each page once.
  const robots = isCanonical ? {} : NO_INDEX;
  return { ...HEADERS, ...robots, "content-security-policy": policy.join("; ") };
}

/**
 * The page's own origin by name: in a sandboxed page that came over plain http, WebKit's `'self'` allows no request. As it
 * is known outside, and as this reader has it; `http` allows `https` of the same host too.
 */
export function ownOrigins(request: Request, publicUrl: string): string[] {
  const host = URL.parse(request.url)?.host;
  const asked = host !== undefined && PLAIN_HOST.test(host) ? [`http://${host}`] : [];
  return [...new Set([new URL(publicUrl).origin, ...asked])];
}

/** Names in addresses may have a semicolon, which would begin another rule. */
const PLAIN_HOST = /^[a-z0-9.:[\]_-]+$/;

const NO_INDEX = { "x-robots-tag": "noindex" };
const HEADERS = {
  "content-type": "text/html; charset=utf-8",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "referrer-policy": "no-referrer",
  "cache-control": "private, no-cache",
};

/** Of a page that says no more than that there is none: whatever was asked for, it is the same. */
export const PLAIN_HEADERS: Record<string, string> = {
  ...HEADERS,
  ...NO_INDEX,
  "content-security-policy": `default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox`,
};
