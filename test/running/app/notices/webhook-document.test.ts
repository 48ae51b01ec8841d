import { describe, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { z } from "zod";
import { openApiDocument } from "../../../../src/doors/openapi/document.ts";
import { systemClock } from "../../../../src/kernel/lib/clock.ts";
import { createLooks } from "../../../../src/running/upkeep/notices.ts";
import { NOTICE_KINDS } from "../../../../src/sites/notices/notices.ts";
import { GOLDEN_DOCS, openGoldenSite } from "../../../helpers/golden-site.ts";
import { testLog } from "../../../helpers/test-log.ts";

const NEVER = new AbortController().signal;
const bodySchema = z.object({ kind: z.string(), state: z.string() }).loose();

const webhookSchema = z.object({
  post: z.object({
    parameters: z.array(z.object({ name: z.string(), in: z.literal("header"), required: z.literal(true) })),
    requestBody: z.object({ content: z.record(z.string(), z.object({ schema: z.unknown() })) }),
  }),
});

/** What the document says that a webhook is sent. */
function described() {
  const { webhooks, components } = openApiDocument({ version: "1", url: "http://docent", operations: [] });
  const ajv = addFormats(new Ajv2020({ strict: false, allErrors: true }));
  const referring = (schema: unknown) =>
    JSON.parse(JSON.stringify(schema).replaceAll('"$ref":"#/', '"$ref":"document#/'));
  ajv.addSchema(referring({ $id: "document", components }));
  return Object.fromEntries(
    Object.entries(webhooks).map(([name, webhook]) => {
      const { parameters, requestBody } = webhookSchema.parse(webhook).post;
      const isRight = ajv.compile(referring(requestBody.content["application/json"]?.schema));
      const headers = parameters.map((each) => each.name);
      return [
        name,
        {
          headers,
          faultsOf: (body: unknown) => (isRight(body) ? "" : ajv.errorsText(isRight.errors)),
        },
      ];
    }),
  );
}

describe("the webhooks of the OpenAPI document", () => {
  test("are as what is really sent: a sample, a source that fails, what is well again, reports of generations", async () => {
    const received: { headers: Headers; body: z.infer<typeof bodySchema> }[] = [];
    const hook = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      async fetch(request) {
        received.push({ headers: request.headers, body: bodySchema.parse(await request.json()) });
        return new Response("ok");
      },
    });
    await using it = await openGoldenSite(GOLDEN_DOCS, {
      settings: { hand_over_hosts: `127.0.0.1:${hook.port}` },
    });
    const { parts, data, docs } = it;
    const { log } = testLog();
    let freeBytes = 1e8;
    const look = createLooks({
      parts,
      directory: data,
      publicUrl: "http://docent.example",
      clock: systemClock,
      log,
      freeBytes: async () => freeBytes,
    });
    const round = async () => {
      await look.often(NEVER);
      await parts.notices.sendDue(NEVER);
    };
    const { id } = await parts.notices.add({
      organizationId: undefined,
      name: "program",
      channel: "webhook",
      address: `http://127.0.0.1:${hook.port}/x`,
      kinds: NOTICE_KINDS,
    });
    await it.keep("How do I install Acme on Linux?", "install");
    await parts.notices.try(id, NEVER);
    await round();
    await it.run({ "install.md": undefined, "new.md": "# New\n\nA giraffe." }, { force: true });
    await round();
    await parts.sources.generations.rollBack(it.siteId, 1);
    freeBytes = 9e9;
    rmSync(docs, { recursive: true });
    await it.run().catch(() => {});
    await round();
    await hook.stop(true);

    const webhooks = described();
    const nameOf = ({ kind }: z.infer<typeof bodySchema>) =>
      kind === "generation-report" ? "generationReport" : "notice";
    const seen = received.map(({ headers, body }) => {
      const said = webhooks[nameOf(body)];
      expect(said?.faultsOf(body), JSON.stringify(body)).toBe("");
      for (const header of said?.headers ?? ["none"])
        expect([header, headers.has(header)]).toEqual([header, true]);
      return `${body.kind} ${body.state}`;
    });
    expect(new Set(seen)).toEqual(
      new Set([
        "test bad",
        "disk-full bad",
        "disk-full well",
        "golden-worse bad",
        "source-failing bad",
        "generation-report news",
        "generation-report undone",
      ]),
    );
    // What one of them is sent is not what the other is.
    for (const { body } of received)
      expect(webhooks[nameOf(body) === "notice" ? "generationReport" : "notice"]?.faultsOf(body)).not.toBe(
        "",
      );
  });
});
