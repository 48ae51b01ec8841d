/**
 * Headers that keep what stands between Docent and a reader from holding a stream back. nginx buffers unless it is told
 * not to. Caddy 2.6.2, which Debian 12 has, compresses whatever its `encode` matches, `no-transform` or not, and lets
 * nothing out of its compressor before the end: it leaves alone only what names an encoding already.
 */
export const UNBUFFERED_HEADERS = {
  "cache-control": "no-cache, no-transform",
  "x-accel-buffering": "no",
  "content-encoding": "identity",
} as const;
