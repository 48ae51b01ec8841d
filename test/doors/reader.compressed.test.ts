import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { brotliDecompressSync } from "node:zlib";
import { startDocent, type TestDocent } from "../helpers/docent.ts";
import { addSiteWithPages } from "../helpers/public-site.ts";

const LONG = `# Looms\n\n${"The shuttle of the loom is oiled every 40 hours. ".repeat(80)}`;

let docent: TestDocent;
beforeAll(async () => {
  docent = await startDocent();
  await addSiteWithPages(docent, "open", { "index.md": "# Start\n\nHello.", "looms.md": LONG });
});
afterAll(() => docent.close());

/** The reply as it came, and its text. */
async function get(path: string, accepted: string, headers: Record<string, string> = {}) {
  const reply = await fetch(`${docent.url}/sites/open/${path}`, {
    headers: { "accept-encoding": accepted, ...headers },
    decompress: false,
  });
  const bytes = new Uint8Array(await reply.arrayBuffer());
  const encoding = reply.headers.get("content-encoding");
  return {
    reply,
    bytes,
    encoding,
    text: new TextDecoder().decode(DECODERS[encoding ?? ""]?.(bytes) ?? bytes),
  };
}
const DECODERS: Record<string, (bytes: Uint8Array<ArrayBuffer>) => Uint8Array> = {
  gzip: (bytes) => Bun.gunzipSync(bytes),
  zstd: (bytes) => Bun.zstdDecompressSync(bytes),
  br: (bytes) => brotliDecompressSync(bytes),
};

describe("pages of the reader site, and their texts for programs", () => {
  test.each([
    ["gzip, deflate, br, zstd", "zstd"],
    ["gzip, deflate, br", "br"],
    ["gzip", "gzip"],
    ["br;q=0, gzip;q=0.5", "gzip"],
    ["*", "zstd"],
    ["identity", null],
    ["", null],
    ["gzip;q=0, *;q=0", null],
  ])("go out compressed as it is accepted: %s", async (accepted, wanted) => {
    for (const path of ["looms", "looms.md"]) {
      const { reply, bytes, encoding, text } = await get(path, accepted);
      expect([path, reply.status, encoding]).toEqual([path, 200, wanted]);
      expect(reply.headers.get("vary")?.toLowerCase()).toContain("accept-encoding");
      expect(text).toContain("oiled every 40 hours");
      if (wanted !== null) expect(bytes.length).toBeLessThan(text.length / 2);
    }
  });

  test("go out as they are where they are short", async () => {
    expect((await get("index.md", "gzip, br")).encoding).toBeNull();
  });
});

describe("a page that a browser has already", () => {
  test("is not sent again, and keeps the policy that it came with", async () => {
    const first = await get("looms", "gzip");
    const etag = first.reply.headers.get("etag") ?? "";
    expect(etag).toStartWith('W/"');
    const again = await get("looms", "gzip", { "if-none-match": etag });
    expect([again.reply.status, again.bytes.length]).toEqual([304, 0]);
    expect(again.reply.headers.get("content-security-policy")).toBeNull();
    expect(again.reply.headers.get("etag")).toBe(etag);
  });

  test("is sent again where anything on it has changed", async () => {
    const first = await get("looms", "gzip");
    const etag = first.reply.headers.get("etag") ?? "";
    await docent.app.parts.people.sites.set("open", { settings: { footerText: "Looms Ltd" } });
    const again = await get("looms", "gzip", { "if-none-match": etag });
    expect([again.reply.status, again.text.includes("Looms Ltd")]).toEqual([200, true]);
  });

  test("is never the same as one that there is not", async () => {
    const missing = await get("nothing", "gzip", { "if-none-match": "*" });
    expect([missing.reply.status, missing.reply.headers.get("etag")]).toEqual([404, null]);
  });
});
