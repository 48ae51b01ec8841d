import { describe, expect, test } from "bun:test";
import { decodeText } from "../../../src/kernel/text/decode-bytes.ts";

const TEXT = "# Grüße, 世界 😀\n\nSome words of documentation.\n";
const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
const latin = (text: string): Uint8Array => Uint8Array.from(text, (character) => character.charCodeAt(0));

function utf16(text: string, littleEndian: boolean): Uint8Array {
  const view = new DataView(new ArrayBuffer(text.length * 2));
  for (let at = 0; at < text.length; at++) view.setUint16(at * 2, text.charCodeAt(at), littleEndian);
  return new Uint8Array(view.buffer);
}

function utf32(text: string, littleEndian: boolean): Uint8Array {
  const codes = Array.from(text, (character) => character.codePointAt(0) ?? 0);
  const view = new DataView(new ArrayBuffer(codes.length * 4));
  codes.forEach((code, at) => {
    view.setUint32(at * 4, code, littleEndian);
  });
  return new Uint8Array(view.buffer);
}

describe("bytes", () => {
  test.each([
    ["UTF-8", utf8(TEXT)],
    ["UTF-8 with a mark", utf8(`\uFEFF${TEXT}`)],
    ["UTF-16, the small end first, with a mark", utf16(`\uFEFF${TEXT}`, true)],
    ["UTF-16, the big end first, with a mark", utf16(`\uFEFF${TEXT}`, false)],
    ["UTF-16, the small end first, without a mark", utf16(TEXT, true)],
    ["UTF-16, the big end first, without a mark", utf16(TEXT, false)],
    ["UTF-32, the small end first", utf32(`\uFEFF${TEXT}`, true)],
    ["UTF-32, the big end first", utf32(`\uFEFF${TEXT}`, false)],
  ])("of %s are read without a fault", (_, bytes) => {
    expect(decodeText(bytes)).toEqual({ text: TEXT });
  });

  test.each([
    ["<meta charset=windows-1251>", "windows-1251", 0xcf, "П"],
    ['<META HTTP-EQUIV="Content-Type" CONTENT="text/html; charset=ISO-8859-2">', "", 0xb1, "ą"],
    ['<?xml version="1.0" encoding="koi8-r"?>', "", 0xf0, "П"],
    ["<meta charset='shift_jis'>", "", 0xb1, "ｱ"],
  ])("of a page that says %p are read as that", (declaration, _, byte, character) => {
    const bytes = Uint8Array.from([...latin(`${declaration}<p>`), byte]);
    expect(decodeText(bytes, { html: true })).toEqual({ text: `${declaration}<p>${character}` });
    expect(decodeText(bytes)?.fault).toContain("UTF-8");
  });

  test("that are UTF-8 stay UTF-8, whatever the page says", () => {
    const page = "<meta charset=iso-8859-1><p>Grüße";
    expect(decodeText(utf8(page), { html: true })).toEqual({ text: page });
    expect(decodeText(utf8("<meta charset=utf-16><p>Grüße"), { html: true })?.text).toContain("Grüße");
    expect(decodeText(utf8("<meta charset=klingon><p>Grüße"), { html: true })?.text).toContain("Grüße");
  });

  test("are read as their sender says", () => {
    expect(decodeText(Uint8Array.from([0xcf, 0xf0]), { charset: "windows-1251" })).toEqual({ text: "Пр" });
  });

  test("of an old Western text are read as Windows-1252, and its author is told", () => {
    expect(decodeText(latin("Caf\xe9 \x93quoted\x94 \x96 na\xefve"))).toEqual({
      text: "Café “quoted” – naïve",
      fault: expect.stringContaining("Windows-1252"),
    });
  });

  test("of UTF-8 with a few wrong ones keep the right ones, and its author is told", () => {
    const bytes = Uint8Array.from([...utf8("Grüße äöü 世界 "), 0xff, ...utf8(" Ende")]);
    expect(decodeText(bytes)).toEqual({
      text: "Grüße äöü 世界 � Ende",
      fault: expect.stringContaining("UTF-8"),
    });
  });

  test("of half a character are told in UTF-16 too", () => {
    const bytes = Uint8Array.from([0xff, 0xfe, ...utf16("ab", true), 0x00, 0xd8]);
    expect(decodeText(bytes)).toEqual({ text: "ab�", fault: expect.stringContaining("UTF-16") });
  });

  test.each([
    [
      "an image",
      Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, 73, 72, 68, 82, 0, 0]),
    ],
    ["a program", Uint8Array.from([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 3, 0, 62, 0])],
    ["noise", Uint8Array.from({ length: 5_000 }, (_, at) => (at * 7919 + ((at * at) >> 3)) & 0xff)],
    ["controls", Uint8Array.from({ length: 100 }, (_, at) => at % 9)],
    ["zeros late in a text", utf8(`${"words ".repeat(2_000)}${"\0".repeat(20)}`)],
  ])("of %s are no text", (_, bytes) => {
    expect(decodeText(bytes)).toBeUndefined();
  });

  test("of a page that shows a zero are text, without it", () => {
    const page = `<p>${"words ".repeat(2_000)}<code>`;
    expect(decodeText(utf8(`${page}\0</code>`), { html: true })).toEqual({ text: `${page}</code>` });
  });

  test("of nothing are an empty text", () => {
    expect(decodeText(new Uint8Array())).toEqual({ text: "" });
  });

  test("of colours and form feeds are text", () => {
    expect(decodeText(utf8("\u001b[1mBold\u001b[0m\f\n"))).toEqual({ text: "\u001b[1mBold\u001b[0m\f\n" });
  });

  test("are read from the middle of a buffer", () => {
    expect(decodeText(utf8(`xx${TEXT}`).subarray(2))).toEqual({ text: TEXT });
    expect(decodeText(Uint8Array.from([1, ...utf32(`\uFEFF${TEXT}`, true)]).subarray(1))).toEqual({
      text: TEXT,
    });
  });
});
