/**
 * Headers that keep proxies from buffering a stream. nginx buffers unless told not to. Caddy 2.6.2, in Debian
 * 12, compresses whatever its `encode` matches, despite `no-transform`, and releases nothing before the end:
 * it only leaves alone what names an encoding already.
 */
export const UNBUFFERED_HEADERS = {
  "cache-control": "no-cache, no-transform",
  "x-accel-buffering": "no",
  "content-encoding": "identity",
} as const;
