import { createHash } from "node:crypto";

/** The part of Ollama's API that adds models, with what it was given. It can be told to refuse. */
export function startFakeModelStore() {
  const blobs = new Map<string, number>();
  const models = new Map<string, unknown>();
  const state = { refuses: "" };
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      const { pathname } = new URL(request.url);
      const what = `${request.method} ${pathname.split("/").slice(0, 3).join("/")}`;
      if (state.refuses === what) return Response.json({ error: "no space left on device" }, { status: 500 });
      if (pathname.startsWith("/api/blobs/")) return blob(request, pathname.slice("/api/blobs/".length));
      const body = Object(await request.json());
      const name = String(body.model ?? body.source);
      switch (what) {
        case "POST /api/create": {
          const missing = Object.values(body.files).find((digest) => !blobs.has(String(digest)));
          if (missing !== undefined) return Response.json({ error: `no blob ${missing}` }, { status: 400 });
          models.set(name, body);
          return Response.json({ status: "success" });
        }
        case "POST /api/show":
          return models.has(name)
            ? Response.json({})
            : Response.json({ error: "not found" }, { status: 404 });
        case "POST /api/copy":
          models.set(String(body.destination), models.get(name));
          return new Response();
        case "DELETE /api/delete":
          return new Response("", { status: models.delete(name) ? 200 : 404 });
        default:
          return new Response("", { status: 404 });
      }
    },
  });
  async function blob(request: Request, digest: string): Promise<Response> {
    if (request.method === "HEAD") return new Response("", { status: blobs.has(digest) ? 200 : 404 });
    const bytes = await request.bytes();
    const found = `sha256:${createHash("sha256").update(bytes).digest("hex")}`;
    if (found !== digest) return Response.json({ error: "digest mismatch" }, { status: 400 });
    blobs.set(digest, bytes.length);
    return new Response("", { status: 201 });
  }
  return {
    url: `http://127.0.0.1:${server.port}`,
    blobs,
    models,
    /** Refuses a kind of request, such as `POST /api/create`; none when empty. */
    refuse(what: string): void {
      state.refuses = what;
    },
    [Symbol.asyncDispose]: () => server.stop(true),
  };
}
