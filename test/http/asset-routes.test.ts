import { expect, test } from "bun:test";
import { assetRoutes } from "../../src/http/dashboard/assets.ts";
import { createAssets } from "../../src/web/assets.ts";

const routes = assetRoutes(
  createAssets(async () => [
    { name: "widget.js", contentType: "text/javascript", bytes: new TextEncoder().encode("let a;") },
  ]),
);
const get = (headers: Record<string, string>) =>
  routes.handle(new Request("http://localhost/widget.js", { headers }));

test("a script that a browser has already is not sent again, also by way of a proxy that compressed it", async () => {
  const { headers } = await get({});
  const etag = headers.get("etag") ?? "";
  for (const known of [etag, `W/${etag}`, `"other", W/${etag}`])
    expect((await get({ "if-none-match": known })).status).toBe(304);
  expect((await get({ "if-none-match": '"other"' })).status).toBe(200);
});
