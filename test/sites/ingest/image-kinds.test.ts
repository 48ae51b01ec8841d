import { describe, expect, test } from "bun:test";
import { inspectImage } from "../../../src/sites/ingest/images/images.ts";
import { pngBytes, SVG } from "../../helpers/image-bytes.ts";

const bytes = (...parts: (string | number[])[]) =>
  new Uint8Array(
    Buffer.concat(
      parts.map((part) => (typeof part === "string" ? Buffer.from(part, "latin1") : Buffer.from(part))),
    ),
  );
const text = (svg: string) => new TextEncoder().encode(svg);

describe("an image is what its bytes say", () => {
  const KINDS: [string, Uint8Array, string, number | undefined, number | undefined][] = [
    ["PNG", pngBytes(7, 5), "image/png", 7, 5],
    ["GIF", bytes("GIF89a", [10, 0, 4, 1, 0, 0, 0]), "image/gif", 10, 260],
    [
      "JPEG, whose size is behind other segments",
      bytes([0xff, 0xd8, 0xff, 0xe0, 0, 4, 1, 1, 0xff, 0xc2, 0, 8, 8, 0, 30, 1, 0, 3]),
      "image/jpeg",
      256,
      30,
    ],
    [
      "WebP with loss",
      bytes("RIFF", [0, 0, 0, 0], "WEBPVP8 ", [0, 0, 0, 0, 0, 0, 0, 0x9d, 1, 0x2a, 20, 0, 9, 0]),
      "image/webp",
      20,
      9,
    ],
    [
      "WebP without loss",
      bytes("RIFF", [0, 0, 0, 0], "WEBPVP8L", [0, 0, 0, 0, 0x2f, 9, 0x40, 1, 0]),
      "image/webp",
      10,
      6,
    ],
    [
      "WebP of several pictures",
      bytes("RIFF", [0, 0, 0, 0], "WEBPVP8X", [0, 0, 0, 0, 0, 0, 0, 0, 99, 0, 0, 49, 1, 0]),
      "image/webp",
      100,
      306,
    ],
    [
      "AVIF",
      bytes(
        [0, 0, 0, 28],
        "ftypavif",
        [0, 0, 0, 0],
        "ispe",
        [0, 0, 0, 0, 0, 0, 0, 8, 0, 0, 0, 6, 0, 0, 0, 0],
      ),
      "image/avif",
      8,
      6,
    ],
    ["SVG by its view box", text(SVG), "image/svg+xml", 120, 80],
    ["SVG by its size", text('<svg width="30px" height="20" viewBox="0 0 3 2"/>'), "image/svg+xml", 30, 20],
    [
      "SVG of no size",
      text('<?xml version="1.0"?>\n<!-- x --><svg width="100%"/>'),
      "image/svg+xml",
      undefined,
      undefined,
    ],
    ["one that is cut off", bytes("GIF89a"), "image/gif", undefined, undefined],
    [
      "a JPEG that is cut off",
      bytes([0xff, 0xd8, 0xff, 0xe0, 0, 4, 1, 1]),
      "image/jpeg",
      undefined,
      undefined,
    ],
  ];
  for (const [name, content, type, width, height] of KINDS)
    test(name, () => expect(inspectImage(content)).toEqual({ type, width, height }));

  const UNSHOWN: [string, Uint8Array][] = [
    ["words", text("# A page")],
    ["HTML", text("<html><body><script>alert(1)</script></body></html>")],
    ["a PDF", bytes("%PDF-1.7")],
    ["nothing", bytes()],
    ["bytes", bytes([0, 1, 2, 255, 254])],
    ["a pointer of git LFS", text("version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n")],
  ];
  for (const [name, content] of UNSHOWN)
    test(`${name}: none`, () => expect(inspectImage(content)).toMatchObject({ fault: expect.any(String) }));
});

describe("an SVG with more than a picture in it is not shown", () => {
  const inSvg = (inside: string) => `<svg xmlns="http://www.w3.org/2000/svg">${inside}</svg>`;
  const ACTIVE = [
    inSvg("<script>alert(1)</script>"),
    inSvg("<SCRIPT href='x.js'/>"),
    inSvg('<s:script xmlns:s="http://www.w3.org/2000/svg">alert(1)</s:script>'),
    '<svg onload="alert(1)"/>',
    "<svg\tonload = 'alert(1)'/>",
    inSvg('<g/onclick="alert(1)"/>'),
    inSvg('<a href="javascript:alert(1)"><text>x</text></a>'),
    inSvg('<a href="java\nscript:alert(1)"/>'),
    inSvg('<foreignObject><iframe src="https://elsewhere.example"/></foreignObject>'),
    inSvg(
      '<foreignObject><meta http-equiv="refresh" content="0;url=https://elsewhere.example"/></foreignObject>',
    ),
    inSvg("<embed src='x'/>"),
    `<!DOCTYPE svg [<!ENTITY a "<script>">]>${inSvg("&a;")}`,
    `<?xml-stylesheet href="x.css"?>${inSvg("")}`,
    `<?xml version="1.0" encoding="UTF-7"?>${inSvg("")}`,
  ];
  for (const svg of ACTIVE)
    test(svg, () =>
      expect(inspectImage(text(svg))).toMatchObject({ fault: expect.stringContaining("is an SVG") }),
    );

  test("one with words, links and styles is", () => {
    const svg = inSvg(
      '<style>.a{fill:red}</style><metadata/><linearGradient id="l"/><a href="https://example.com"><text>connection = on</text></a><foreignObject><div>words</div></foreignObject>',
    );
    expect(inspectImage(text(svg))).toMatchObject({ type: "image/svg+xml" });
  });

  test("one of a million letters is judged at once", () => {
    const svg = inSvg(`${"<svg ".repeat(100_000)}${"j a v a s ".repeat(50_000)}${" on".repeat(50_000)}`);
    expect(inspectImage(text(svg))).toMatchObject({ type: "image/svg+xml" });
  });
});
