/** A closed root, as the bundled widget makes it. */
const CLOSED = /mode:\s*"closed"/;

/**
 * A server in front of Docent that makes the widget's root open, so that tests see into it: on the reader site, where the
 * policy of the page lets no script of a test run before the page's own.
 */
export function openShadowsOf(docent: string) {
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      const { pathname, search } = new URL(request.url);
      const response = await fetch(`${docent}${pathname}${search}`, {
        method: request.method,
        headers: request.headers,
        body: await request.bytes(),
        redirect: "manual",
        signal: request.signal,
      });
      const headers = new Headers(response.headers);
      // The body is passed on as it was before it was packed.
      for (const name of ["content-encoding", "content-length"]) headers.delete(name);
      const { status } = response;
      if (!pathname.endsWith(".js")) return new Response(response.body, { status, headers });
      const script = await response.text();
      return new Response(script.replace(CLOSED, 'mode:"open"'), { status, headers });
    },
  });
  return { url: `http://127.0.0.1:${server.port}`, close: () => server.stop(true) };
}
