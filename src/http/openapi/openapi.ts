import { Elysia } from "elysia";
import type { ApiOperation } from "../operation/operation.ts";
import { openApiDocument } from "./document.ts";
import { referencePage } from "./reference-page.ts";

export interface OpenApiOptions {
  version: string;
  operations: readonly ApiOperation[];
  /** Where readers reach this server, with its base path. Known once it listens. */
  url: () => string;
}

/** It tells nothing that is not in these docs, so that pages of other origins may read it. */
const JSON_HEADERS = {
  "content-type": "application/json; charset=utf-8",
  "access-control-allow-origin": "*",
};
/** Nothing runs on the page, and nothing is loaded for it. */
const PAGE_HEADERS = {
  "content-type": "text/html; charset=utf-8",
  "content-security-policy":
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "x-frame-options": "DENY",
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
};

/** `/openapi.json`, and the same for people at `/reference`. */
export function openApiRoutes({ version, operations, url }: OpenApiOptions) {
  // Made when it is first asked for, and kept: it takes long, no key is needed, and nothing in it changes.
  let kept: ReturnType<typeof make> | undefined;
  const make = (at: string) => {
    const document = openApiDocument({ version, url: at, operations });
    return { at, json: JSON.stringify(document), html: referencePage(document, operations) };
  };
  const texts = () => {
    const at = url();
    if (kept?.at !== at) kept = make(at);
    return kept;
  };
  return new Elysia()
    .get("/openapi.json", () => new Response(texts().json, { headers: JSON_HEADERS }))
    .get("/reference", () => new Response(texts().html, { headers: PAGE_HEADERS }));
}
