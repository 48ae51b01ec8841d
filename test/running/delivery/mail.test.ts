import { expect, test } from "bun:test";
import { createServer } from "node:net";
import { UNSEALED } from "../../../src/kernel/lib/seal/seal.ts";
import { createMail } from "../../../src/running/delivery/delivery.ts";
import { type DeliveryOptions, deliveryContract, LETTER } from "../../contract/delivery.ts";
import { startMailServer } from "../../helpers/mail-server.ts";
import { ownAuthority } from "../../helpers/own-authority.ts";

const TO = "support@acme.example";
const options = (
  server: string,
  more: { from?: string; certificateAuthorities?: string[]; timeoutMs?: number } = {},
) => ({
  seal: UNSEALED,
  server,
  from: "",
  certificateAuthorities: [],
  timeoutMs: 300_000,
  ...more,
});

/** A long line of a mail is cut, and says so. */
const withoutSoftBreaks = (source: string) => source.replaceAll("=\r\n", "");

/** Takes connections, and says nothing. */
async function silentServer() {
  const server = createServer(() => {});
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve()));
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return { url: `smtp://docs%40acme.example:x@127.0.0.1:${port}`, close: async () => void server.close() };
}

deliveryContract(async ({ otherSide, isAllowed }: DeliveryOptions) => {
  if (otherSide === "silent") {
    const { url, close } = await silentServer();
    return {
      delivery: createMail(options(url, { timeoutMs: 1000 })),
      destination: TO,
      received: () => [],
      close,
    };
  }
  const server = await startMailServer({ password: "geheim ü", isFull: otherSide === "refuses" });
  if (otherSide === "gone") await server.close();
  return {
    delivery: createMail(options(isAllowed ? server.url : "")),
    destination: TO,
    received: () => server.received.map(({ source }) => withoutSoftBreaks(source)),
    close: otherSide === "gone" ? async () => {} : server.close,
  };
});

test("whoever gets the mail answers to the reader, and a question adds no header to it", async () => {
  const server = await startMailServer({ password: "p" });
  await createMail(options(server.url)).deliver(LETTER, `mailto:${TO}`);
  await server.close();
  const [mail] = server.received;
  expect(mail).toMatchObject({ from: "docs@acme.example", to: [TO] });
  const head = mail?.source.split("\r\n\r\n")[0] ?? "";
  expect(head).toMatch(/^Reply-To: .*<zoe@reader\.example>/m);
  expect(head).toMatch(/^From: Acme <docs@acme\.example>/m);
  expect(head).not.toMatch(/^Bcc:/im);
});

test("a wrong password, and a sender that is no address, are faults", async () => {
  const server = await startMailServer({ password: "p" });
  const wrong = server.url.replace(":p@", ":q@");
  await expect(createMail(options(wrong)).deliver(LETTER, TO)).rejects.toBeInstanceOf(Error);
  expect(createMail(options("smtp://relay.acme.example")).fault(TO)).toContain("mail_from");
  expect(
    createMail(options("smtp://relay.acme.example", { from: "d@acme.example" })).fault(TO),
  ).toBeUndefined();
  await server.close();
});

test("a mail server behind an authority of one's own is trusted where that is named, and not otherwise", async () => {
  const { authority, tls } = await ownAuthority("localhost");
  const server = await startMailServer({ password: "p", tls });
  await expect(createMail(options(server.url)).deliver(LETTER, TO)).rejects.toBeInstanceOf(Error);
  expect(server.received).toEqual([]);
  await createMail(options(server.url, { certificateAuthorities: [authority] })).deliver(LETTER, TO);
  expect(server.received).toHaveLength(1);
  await server.close();
});
