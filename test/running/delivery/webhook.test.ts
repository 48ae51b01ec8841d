import { expect, test } from "bun:test";
import { UNSEALED } from "../../../src/kernel/lib/seal/seal.ts";
import { createWebhooks } from "../../../src/running/delivery/delivery.ts";
import { type DeliveryOptions, deliveryContract, LETTER, type OtherSide } from "../../contract/delivery.ts";

const replies: Record<Exclude<OtherSide, "gone">, () => Response | Promise<Response>> = {
  takes: () => new Response("ok"),
  refuses: () => new Response("no", { status: 403 }),
  silent: () => new Promise<Response>(() => {}),
};

function hook(
  otherSide: OtherSide = "takes",
  reply = otherSide === "gone" ? replies.takes : replies[otherSide],
) {
  const received: string[] = [];
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    async fetch(request) {
      received.push(await request.text());
      return reply();
    },
  });
  const destination = `http://127.0.0.1:${server.port}/services/T0/secret`;
  return { received, destination, close: () => server.stop(true), host: `127.0.0.1:${server.port}` };
}

const options = (hosts: string[], timeoutMs = 300_000) => ({
  seal: UNSEALED,
  hosts,
  certificateAuthorities: [],
  timeoutMs,
});

deliveryContract(async ({ otherSide, isAllowed }: DeliveryOptions) => {
  const { received, destination, close, host } = hook(otherSide);
  if (otherSide === "gone") await close();
  return {
    delivery: createWebhooks(
      options(isAllowed ? [host] : ["hooks.acme.example"], otherSide === "silent" ? 300 : undefined),
    ),
    destination,
    received: () => received,
    close,
  };
});

test("a webhook gets JSON whose text a chat program can show, with answers of which none is left out", async () => {
  const { received, destination, close, host } = hook();
  await createWebhooks(options([host])).deliver(LETTER, destination);
  await close();
  const sent: unknown = JSON.parse(received[0] ?? "");
  expect(sent).toMatchObject({
    type: "hand_over",
    site: { domain: "acme", name: "Acme" },
    reader: { name: "Zoë Ångström", email: "zoe@reader.example" },
    turns: [{ answer: "Run `acme install` [1]." }, { answer: "(no answer)" }],
    text: expect.stringContaining("From: Zoë Ångström <zoe@reader.example>"),
  });
});

test("a webhook that leads elsewhere is not followed", async () => {
  const other = hook();
  const first = hook("takes", () => Response.redirect(other.destination, 307));
  const webhooks = createWebhooks(options([first.host, other.host]));
  await expect(webhooks.deliver(LETTER, first.destination)).rejects.toBeInstanceOf(Error);
  await Promise.all([first.close(), other.close()]);
  expect(other.received).toEqual([]);
});

test("a host is named with its port, and another port of it is another place", async () => {
  const { destination, close } = hook();
  expect(createWebhooks(options(["127.0.0.1"])).fault(destination)).toContain("hand_over_hosts");
  await close();
});
