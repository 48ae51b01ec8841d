import { Elysia } from "elysia";
import { z } from "zod";
import { gives, noGuard, type Operation, operation } from "../operation.ts";

interface OpenApiOptions {
  version: string;
  /** Every operation that is described: all but pages for people. */
  operations: () => readonly Operation[];
  /** Where readers reach this server, with its base path. Known once it listens. */
  url: () => string;
  /** How the page for people looks. */
  styles: () => Promise<string>;
}

/** The descriptions of an API for programs, and for people. */
export interface ApiDescription {
  json(): Promise<string>;
  html(): Promise<string>;
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

/**
 * Describes operations when that is first asked for, and keeps what was written: it takes long, no key is needed, and
 * nothing in it changes. What writes it is loaded only then.
 */
export function describeApi({ version, operations, url, styles }: OpenApiOptions): ApiDescription {
  let kept: { at: string; texts: ReturnType<typeof write> } | undefined;
  const write = async (at: string) => {
    const { openApiDocument } = await import("./document.ts");
    const { referencePage } = await import("./reference-page.ts");
    const document = openApiDocument({ version, url: at, operations: operations() });
    return { json: JSON.stringify(document), html: referencePage(document, operations(), await styles()) };
  };
  const texts = () => {
    const at = url();
    if (kept?.at !== at) kept = { at, texts: write(at) };
    return kept.texts;
  };
  return { json: async () => (await texts()).json, html: async () => (await texts()).html };
}

const documentShape = z.lazy(() => z.looseObject({ openapi: z.string() }).meta({ id: "OpenapiDocument" }));

/** Gives the OpenAPI document. */
export const openApiOperation = (description: ApiDescription): Operation =>
  operation({
    id: "getOpenapiDocument",
    method: "GET",
    path: "/openapi.json",
    tag: "Server",
    guard: noGuard,
    summary: "Give this document",
    replies: gives(200, "An OpenAPI 3.1 document.", documentShape),
    run: async () => new Response(await description.json(), { headers: JSON_HEADERS }),
  });

/** `/reference`: the same as a page for people. */
export const referenceRoute = (description: ApiDescription) =>
  new Elysia().get(
    "/reference",
    async () => new Response(await description.html(), { headers: PAGE_HEADERS }),
  );
