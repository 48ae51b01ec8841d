import { expect, test } from "bun:test";
import { createAssets } from "../../src/doors/assets.ts";
import { assetRoutes } from "../../src/doors/dashboard/assets.ts";

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

test("a page that was open during an upgrade is given what came in the place of what it asks for, for now", async () => {
  const named = (name: string) => ({
    name,
    contentType: "text/javascript",
    bytes: new TextEncoder().encode(name),
  });
  const files = ["widget.js", "turns-abc.js", "labels-zh-abc.js", "labels-zh-Hant-abc.js", "reader-abc.js"];
  const server = assetRoutes(createAssets(async () => files.map(named)));
  const ask = async (name: string) => {
    const response = await server
      .handle(new Request(`http://localhost/assets/${name}`))
      .catch(() => undefined);
    return response?.ok ? `${await response.text()} ${response.headers.get("cache-control")}` : "";
  };
  expect(await ask("turns-old.js")).toBe("turns-abc.js no-cache");
  expect(await ask("turns-abc.js")).toEndWith("immutable");
  expect(await ask("labels-zh-old.js")).toBe("labels-zh-abc.js no-cache");
  expect(await ask("labels-zh-Hant-old.js")).toBe("labels-zh-Hant-abc.js no-cache");
  for (const name of ["labels-de-old.js", "reader-old.js", "turns-.js", "turns-old.css"])
    expect(await ask(name)).toBe("");
});
