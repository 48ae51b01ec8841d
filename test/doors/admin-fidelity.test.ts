import { afterAll, beforeAll, expect, test } from "bun:test";
import { z } from "zod";
import { fidelityShape } from "../../src/doors/admin/shapes.ts";
import { type AdminDoorUnderTest, startAdminDoor } from "../helpers/admin-door.ts";
import { zipBytes } from "../helpers/archive-bytes.ts";

const PIXEL = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

let door: AdminDoorUnderTest;
beforeAll(async () => {
  door = await startAdminDoor({ docs: null });
});
afterAll(() => door.close());

async function upload(name: string, files: Record<string, string | Uint8Array>) {
  const sent = await fetch(`${door.url}/v1/admin/sites/acme/uploads?name=${name}`, {
    method: "POST",
    headers: { authorization: `Bearer ${door.keys.server}` },
    body: zipBytes(Object.entries(files).map(([path, text]) => ({ name: path, text }))),
  });
  const { number } = z.object({ number: z.number() }).parse(await sent.json());
  const asked = await door.ask("POST", `/sites/acme/sources/${number}/runs`, { as: "server" });
  const path = String(asked.headers.get("location")).replace("/v1/admin", "");
  while ((await door.expectStatus(200, "GET", path, { as: "server" }))["state"] !== "ended")
    await Bun.sleep(5);
}

const report = async () =>
  fidelityShape.parse(await door.expectStatus(200, "GET", "/sites/acme/fidelity", { as: "own" }));

test("the report of a site without pages is empty", async () => {
  expect(await report()).toMatchObject({ pages: 0, isPart: false, links: { count: 0, examples: [] } });
});

test("the report names what readers do not get as the docs have it, and nothing that they do", async () => {
  await upload("docs.zip", {
    "index.md": [
      "# Home",
      "[a](guide/start.md) [b](./guide/start#run-it) [c](#home) [d](files/setup.zip) [e](guide) [f](?q=x) [g](#top)",
      "[away](https://example.com/none) [gone](./none.md) [moved](guide/start.md#walk-it) [h](#nowhere)",
      '![kept](a.png) ![away](https://example.com/a.png) ![lost](./lost.png) <a id="place"></a>',
      "`{{< ref >}}` is code, {{< shortcode >}} is not.",
    ].join("\n\n"),
    "guide/start.md": "# Start\n\n## Run it\n\nSee [home](../index.md#place).\n\n:::tab[A]\n\nOne.\n\n:::",
    "guide/hidden.md": "---\nnoindex: true\n---\n# Hidden\n\n[gone](none.md)",
    "a.png": PIXEL,
    "lost.txt": "",
    "_part.md": "# Part",
  });
  const { pages, markup, images, links, leftOut } = await report();
  expect(pages).toBe(3);
  expect(markup).toEqual({
    count: 1,
    examples: [{ path: "", place: "Home", detail: "is code, {{< shortcode >}} is not." }],
  });
  expect(images).toEqual({ count: 1, examples: [{ path: "", place: "Home", detail: "./lost.png" }] });
  expect(links.examples.map(({ detail }) => detail)).toEqual([
    "./none.md leads to no page",
    "guide/start.md#walk-it leads to a place that the page does not have",
    "#nowhere leads to a place that the page does not have",
  ]);
  expect(links.count).toBe(3);
  expect(leftOut.examples.map(({ path, place }) => [path, place])).toEqual([[null, "_part.md"]]);
});

test("the report counts all and shows fifty", async () => {
  await upload("many.zip", {
    "many.md": `# Many\n\n${Array.from({ length: 80 }, (_, number) => `[x](none-${number}.md)`).join("\n")}`,
  });
  const { links } = await report();
  expect([links.count, links.examples.length]).toEqual([83, 50]);
});

test("the report is for who may read the site", async () => {
  expect((await door.ask("GET", "/sites/acme/fidelity", { as: "other" })).status).toBe(404);
});
