import { AppError } from "@docent/kernel/errors";
import { Elysia } from "elysia";
import type { Asset, Assets } from "../assets.ts";
import { accepts } from "../request/compress.ts";
import { isKnownEtag } from "../request/etag.ts";

const YEAR_SECONDS = 31_536_000;
/** Pages of other sites load the widget, and what it loads. None of it is anybody's in particular. */
const HEADERS = {
  "x-content-type-options": "nosniff",
  "access-control-allow-origin": "*",
  "cross-origin-resource-policy": "cross-origin",
  vary: "accept-encoding",
};

/** `/widget.js`, and the files whose names change with what is in them, below `/assets`. */
export function assetRoutes(assets: Assets) {
  return new Elysia()
    .get("/widget.js", ({ request }) => send(assets, "widget.js", request, "public, max-age=300"))
    .get("/assets/:name", ({ params, request }) =>
      send(assets, params.name, request, `public, max-age=${YEAR_SECONDS}, immutable`),
    );
}

async function send(assets: Assets, name: string, request: Request, cacheControl: string): Promise<Response> {
  const asset = await assets.find(name);
  if (!asset) throw new AppError("not_found", "Not found");
  // What stands in for another file does so for now.
  const caching = asset.name === name ? cacheControl : "no-cache";
  const headers = { ...HEADERS, etag: asset.etag, "cache-control": caching };
  if (isKnownEtag(asset.etag, request.headers.get("if-none-match")))
    return new Response(null, { status: 304, headers });
  const { body, encoding } = encoded(asset, request);
  return new Response(body, { headers: { ...headers, ...encoding, "content-type": asset.contentType } });
}

function encoded({ bytes, gzipped }: Asset, request: Request) {
  return accepts(request, "gzip")
    ? { body: gzipped, encoding: { "content-encoding": "gzip" } }
    : { body: bytes, encoding: {} };
}
