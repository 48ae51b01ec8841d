import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import {
  DOCUMENT_BOUNDS,
  type DocumentKind,
  readDocument,
} from "../../../src/reading/documents/documents.ts";
import { ownMs } from "../../helpers/own-time.ts";

const bytes = (mail: string) => Uint8Array.from(Buffer.from(mail, "latin1"));
const lines = (...given: string[]) => given.join("\r\n");

async function read(content: Uint8Array, kind: DocumentKind = "eml", bounds = DOCUMENT_BOUNDS) {
  const document = await readDocument(content, kind, bounds);
  if ("unreadable" in document) throw new Error(document.unreadable);
  return document;
}

const HEAD = lines("From: Ann <ann@docent.test>", "Subject: Tea", "MIME-Version: 1.0");
const SAID = "From: Ann \\<ann@docent.test>\n\n";

/** The text of a mail with a header of its own besides that of every mail here. */
async function body(header: string, ...text: string[]): Promise<string> {
  const { markdown } = await read(bytes(lines(HEAD, header, "", ...text)));
  expect(markdown).toStartWith(SAID);
  return markdown.slice(SAID.length);
}

const multipart = (kind: string, ...parts: string[]) =>
  lines(
    `Content-Type: multipart/${kind}; boundary="b-${kind}"`,
    "",
    ...parts.map((part) => `--b-${kind}\r\n${part}`),
    `--b-${kind}--`,
  );
const mail = (content: string) => bytes(lines(HEAD, content));
const part = (type: string, ...text: string[]) => lines(`Content-Type: ${type}`, "", ...text);

describe("a mail", () => {
  test("says its subject, who wrote it to whom, and when", async () => {
    const { data, markdown } = await read(
      bytes(
        lines(
          "From: =?utf-8?q?J=C3=B6rg?= =?utf-8?b?IE3DvGxs?= <jm@docent.test>",
          'To: "Beispiel, Ben" <ben@docent.test>,',
          " cem@docent.test",
          "Subject: =?iso-8859-1?Q?gr=FCner?=",
          "  Tee",
          "Date: Sat, 9 Mar 2024 11:20:30 +0100 (CET)",
          "",
          "words",
        ),
      ),
    );
    expect(data).toEqual({
      title: "grüner Tee",
      author: "Jörg Müll <jm@docent.test>",
      from: "Jörg Müll <jm@docent.test>",
      to: "Beispiel, Ben <ben@docent.test>; cem@docent.test",
      date: "2024-03-09T10:20:30.000Z",
    });
    expect(markdown).toBe(
      "From: Jörg Müll \\<jm@docent.test>\\\nTo: Beispiel, Ben \\<ben@docent.test>; cem@docent.test\\\nDate: 2024-03-09 10:20 UTC\n\nwords",
    );
  });

  test("is read in its encoding, and in the one that it has where it names another", async () => {
    expect(await body("Content-Type: text/plain; charset=koi8-r", "\xd4\xc5\xd3\xd4")).toBe("тест");
    expect(
      await body("Content-Type: text/plain; charset=us-ascii", Buffer.from("für").toString("latin1")),
    ).toBe("für");
    expect(await body("Content-Type: text/plain; charset=klingon", "f\xfcr alle")).toBe("für alle");
    expect(await body("Content-Type: text/plain; charset=utf-7", "f+APw-r")).toBe("für");
  });

  test("is read as it was made fit for sending, and where that is broken", async () => {
    const encoded = (encoding: string, text: string) =>
      body(`Content-Transfer-Encoding: ${encoding}\r\nContent-Type: text/plain; charset=utf-8`, text);
    expect(await encoded("quoted-printable", "f=C3=BC=\r\nr 50=% a=3Db")).toBe("für 50=% a=b");
    expect(await encoded("base64", "ZsO8ciBh\r\n!bGxl")).toBe("für alle");
    expect(await encoded("base64", "ZsO8cg==\r\nIHp3ZWk=")).toBe("für zwei");
  });

  test("keeps quotes as quotes, and a signature as a paragraph", async () => {
    expect(await body("Content-Type: text/plain", "> > first", "> second", "my *words*", "-- ", "Ann")).toBe(
      "> > first\n>\n> second\n\nmy \\*words\\*\n\nAnn",
    );
  });

  test("has its lines joined where they flow", async () => {
    expect(
      await body("Content-Type: text/plain; format=flowed", "one ", "two ", "three", ">quoted ", ">on"),
    ).toBe("one two three\n\n> quoted on");
    expect(await body("Content-Type: text/plain; format=flowed; delsp=yes", "a ", "b")).toBe("ab");
  });

  test("is read without the armour of a signature", async () => {
    const signed = [
      "-----BEGIN PGP SIGNED MESSAGE-----",
      "Hash: SHA1",
      "",
      "- - words",
      "-----BEGIN PGP SIGNATURE-----",
      "",
      "abc",
      "-----END PGP SIGNATURE-----",
    ];
    expect(await body("Content-Type: text/plain", ...signed)).toBe("\\- words");
  });
});

describe("a mail of several parts", () => {
  test("is read from its HTML, without pictures", async () => {
    const html =
      "<p>Tea, <b>green</b></p><ul><li>one</ul><img src=cid:x><img alt='a leaf' src=y><table><tr><td>x</table>";
    const { markdown, faults } = await read(
      mail(
        multipart(
          "related",
          multipart("alternative", part("text/plain", "plain"), part("text/html", html)),
          lines("Content-Type: image/png; name=x.png", "Content-ID: <x>", "", "x"),
        ),
      ),
    );
    expect(markdown).toBe(`${SAID}Tea, **green**\n\n- one\n\na leaf\n\nx`);
    expect(faults).toEqual([]);
  });

  test("is read from its plain text where the HTML says nothing", async () => {
    const { markdown } = await read(
      mail(multipart("alternative", part("text/plain", "plain"), part("text/html", "<p>&nbsp;</p>"))),
    );
    expect(markdown).toBe(`${SAID}plain`);
  });

  test("says which attachments are not read", async () => {
    const named = "Content-Disposition: attachment; filename*0*=utf-8''%C3%BC; filename*1=ber.pdf";
    const { faults } = await read(
      mail(
        multipart(
          "mixed",
          part("text/plain", "words"),
          lines("Content-Type: application/pdf", named, "", "x"),
          lines("Content-Type: text/plain; name=b.txt", "Content-Disposition: attachment", "", "x"),
        ),
      ),
    );
    expect(faults).toEqual(["has 2 attachments that are not read: über.pdf, b.txt"]);
  });

  test("has a section for each mail that is attached", async () => {
    const inner = lines(
      "Content-Type: message/rfc822",
      "",
      "From: Ben <b@docent.test>",
      "Subject: # Milk",
      "",
      "about milk",
    );
    const { markdown } = await read(mail(multipart("mixed", part("text/plain", "see below"), inner)));
    expect(markdown).toBe(`${SAID}see below\n\n## # Milk\n\nFrom: Ben \\<b@docent.test>\n\nabout milk`);
  });

  test("is read up to where it was cut off", async () => {
    const cut =
      multipart("mixed", part("text/plain", "one"), part("text/plain", "two and more")).split(" and")[0] ??
      "";
    expect((await read(mail(cut))).markdown).toBe(`${SAID}one\n\ntwo`);
  });

  test("says what an invitation is about, where there are no other words", async () => {
    const event = lines(
      "BEGIN:VCALENDAR",
      "BEGIN:VEVENT",
      "SUMMARY:Tea\\, again",
      "DTSTART;TZID=x:20240309T102030",
      "END:VEVENT",
    );
    expect((await read(mail(part("text/calendar", event)))).markdown).toBe(
      `${SAID}Tea, again\n\nStart: 2024-03-09 10:20`,
    );
  });

  test("is read where it is signed, and said to be encrypted where it is", async () => {
    const signature = part("application/pgp-signature", "abc");
    expect((await read(mail(multipart("signed", part("text/plain", "words"), signature)))).markdown).toBe(
      `${SAID}words`,
    );
    const encrypted = { unreadable: "is encrypted" };
    const secret = multipart(
      "encrypted",
      part("application/pgp-encrypted", "Version: 1"),
      part("application/octet-stream", "x"),
    );
    expect(await readDocument(mail(secret), "eml")).toEqual(encrypted);
    expect(
      await readDocument(mail(part("application/pkcs7-mime; smime-type=enveloped-data", "x")), "eml"),
    ).toEqual(encrypted);
    expect(await readDocument(mail(part("text/plain", "-----BEGIN PGP MESSAGE-----", "x")), "eml")).toEqual(
      encrypted,
    );
  });

  test("is read from inside what S/MIME signed", async () => {
    const content = Buffer.from("Content-Type: text/plain\r\n\r\nsigned words");
    const value = (tag: number, ...inside: Uint8Array[]) => {
      const whole = Buffer.concat(inside);
      return Buffer.concat([Buffer.from([tag, 0x82, whole.length >> 8, whole.length & 0xff]), whole]);
    };
    const oid = (last: number) =>
      value(0x06, Buffer.from([0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x07, last]));
    const pieces = value(0x24, value(0x04, content.subarray(0, 20)), value(0x04, content.subarray(20)));
    const signed = value(
      0x30,
      value(0x02, Buffer.from([1])),
      value(0x31),
      value(0x30, oid(1), value(0xa0, pieces)),
    );
    const encoded = value(0x30, oid(2), value(0xa0, signed)).toString("base64");
    const header =
      "Content-Type: application/pkcs7-mime; smime-type=signed-data\r\nContent-Transfer-Encoding: base64";
    expect((await read(mail(lines(header, "", encoded)))).markdown).toBe(`${SAID}signed words`);
  });
});

describe("a file that is no mail, or an empty one,", () => {
  test.each([
    ["words", "just words", "is damaged: it has no header of a mail"],
    ["nothing", "", "is damaged: it has no header of a mail"],
    ["a header", HEAD, "has no text"],
    [
      "attachments only",
      lines(HEAD, "Content-Type: application/pdf; name=a.pdf", "", "x"),
      "has no text and has 1 attachment that is not read: a.pdf",
    ],
  ])("of %s is not read", async (_, content, unreadable) => {
    expect(await readDocument(bytes(content), "eml")).toEqual({ unreadable });
  });
});

const nested = Array.from(
  { length: 20_000 },
  (_, at) => `--b${at}\r\nContent-Type: multipart/mixed; boundary="b${at + 1}"\r\n\r\n`,
).join("");

test.each([
  ["parts in parts", lines(HEAD, 'Content-Type: multipart/mixed; boundary="b0"', "", nested)],
  [
    "parts",
    lines(HEAD, 'Content-Type: multipart/mixed; boundary="b"', "", "--b\r\n\r\nwords\r\n".repeat(100_000)),
  ],
  [
    "parts of HTML",
    lines(
      HEAD,
      'Content-Type: multipart/mixed; boundary="b"',
      "",
      "--b\r\nContent-Type: text/html\r\n\r\n<p>a\r\n".repeat(100_000),
    ),
  ],
  ["mails in mails", lines(HEAD, "Content-Type: message/rfc822\r\n\r\n".repeat(50_000))],
  ["a subject", lines(`Subject: ${"x".repeat(5_000_000)}`, "", "words")],
  ["encoded words", lines(`Subject: ${"=?utf-8?B?aGVsbG8=?= ".repeat(300_000)}`, "", "words")],
  ["addresses", lines(`To: ${"a@b.c, ".repeat(300_000)}`, "", "words")],
  ["parameters", lines(`${HEAD}\r\nContent-Type: text/plain; ${'a*0="x"; '.repeat(300_000)}`, "", "words")],
  ["line breaks", lines(HEAD, "", "\n".repeat(3_000_000), "words")],
  ["quotes", lines(HEAD, "", `${">".repeat(1_000)}\n`.repeat(2_000), "words")],
  [
    "soft breaks",
    lines(HEAD, "Content-Transfer-Encoding: quoted-printable", "", `words${"=  ".repeat(1_000_000)}`),
  ],
])("a mail of %s without end is read in bounded time, or not at all", async (_, content) => {
  expect(await ownMs(() => readDocument(bytes(content), "eml"))).toBeLessThan(6_000);
});

/**
 * Compound files that the library `cfb` wrote, with the streams that Outlook writes: the properties of MAPI in UTF-16 or a
 * code page, RTF packed by the Python library `compressed_rtf`. The last has the first bytes of a message of S/MIME.
 */
const outlook = (name: string) =>
  Bun.file(join(import.meta.dir, "../../fixtures/documents/msg", `${name}.msg`)).bytes();

describe("a mail of Outlook", () => {
  test("is read from its HTML, with the mails that are attached, and says what is not read", async () => {
    const { data, markdown, faults } = await read(await outlook("html"), "msg");
    expect(data).toEqual({
      title: "Prices of tea",
      author: "Ann Muster <ann@docent.test>",
      from: "Ann Muster <ann@docent.test>",
      to: "Ben Beispiel, Cem",
      date: "2024-03-09T10:20:30.000Z",
    });
    expect(markdown).toEndWith(
      "\n\n## Tea\n\nIt costs **3 €**, as [the list](https://docent.test/tea) says.\n\n" +
        "## Old prices\n\nFrom: Cem\n\nThey were lower.\n\n> quoted",
    );
    expect(faults).toEqual(["has 1 attachment that is not read: prices.xlsx"]);
  });

  test("is read from the HTML in its RTF, or from RTF itself in a code page", async () => {
    expect(await read(await outlook("rtf-html"), "msg")).toEqual({
      data: { title: "HTML in RTF" },
      markdown: "grüne **words**",
      faults: [],
    });
    const { data, markdown } = await read(await outlook("rtf"), "msg");
    expect([data["title"], markdown]).toEqual(["Привет", "Привет"]);
  });

  test("that is encrypted, cut off or none is not read", async () => {
    expect(await readDocument(await outlook("encrypted"), "msg")).toEqual({ unreadable: "is encrypted" });
    expect(await readDocument(bytes("words"), "msg")).toEqual({
      unreadable: "is damaged: it is no file of Outlook",
    });
    const cut = (await outlook("html")).subarray(0, 1_200);
    expect(await readDocument(cut, "msg")).toHaveProperty("unreadable");
  });

  test("survives sectors that follow themselves", async () => {
    const whole = await outlook("html");
    for (let at = 512; at < whole.length; at += 4) {
      const damaged = whole.slice();
      new DataView(damaged.buffer).setUint32(at, 1, true);
      expect(Object.keys(await readDocument(damaged, "msg")).length).toBeGreaterThan(0);
    }
  });
});

describe("a mailbox", () => {
  const message = (subject: string, ...text: string[]) =>
    lines(
      "From ann@docent.test Mon Jan  1 12:00:00 2024",
      "From: Ann <ann@docent.test>",
      ...(subject === "" ? [] : [`Subject: ${subject}`]),
      "",
      ...text,
      "",
      "",
    );

  test("has a section for each of its mails, and lines of text that look like a new one stay text", async () => {
    const { markdown, data } = await read(
      bytes(message("Tea", ">From here on it rains.", "From my window, too.") + message("", "Milk.")),
      "mbox",
    );
    expect(markdown).toBe(
      "## Tea\n\nFrom: Ann \\<ann@docent.test>\n\nFrom here on it rains.\\\nFrom my window, too.\n\n" +
        "## Mail without a subject\n\nFrom: Ann \\<ann@docent.test>\n\nMilk.",
    );
    expect(data).toEqual({});
  });

  test("that is too large is read as far as it may be, and what is no mail in it is said", async () => {
    const broken = lines("From nobody Mon Jan  1 12:00:00 2024", "", "No header.", "", "");
    const all = bytes(
      message("One", "a".repeat(50)) + broken + message("Two", "b".repeat(200)) + message("Three", "c"),
    );
    const { markdown, faults } = await read(all, "mbox", { ...DOCUMENT_BOUNDS, charactersMax: 100 });
    expect(markdown).not.toContain("Three");
    expect(faults).toEqual([
      "holds a mail without a header, not read",
      "has more than 100 characters: the rest is not read",
    ]);
    expect(await readDocument(bytes("nothing of it"), "mbox", DOCUMENT_BOUNDS)).toEqual({
      unreadable: "holds no mails",
    });
  });
});
