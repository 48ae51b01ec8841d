import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { question, startDocent, type TestDocent } from "../helpers/docent.ts";
import { hasPostgres, newDatabase } from "../helpers/postgres.ts";
import { openWay, type Way } from "../helpers/postgres-way.ts";

describe.if(hasPostgres)("a server that cannot reach PostgreSQL", () => {
  let way: Way;
  let docent: TestDocent;
  beforeAll(async () => {
    way = await openWay(await newDatabase());
    docent = await startDocent({
      // Nothing that is written unasked is to fail meanwhile.
      expectErrors: true,
      settings: { database_url: way.url, database_connections: "4" },
    });
  });
  afterAll(async () => {
    await docent.close();
    way.close();
  });

  const statusOf = async (path: string) => {
    const reply = await fetch(`${docent.url}${path}`);
    return [reply.status, await reply.json()];
  };
  const READY = [200, { status: "ok" }];

  test("says that it is not ready, runs all the same, and is ready again once it can", async () => {
    expect(await statusOf("/health/ready")).toEqual(READY);
    way.cut({ stays: true });
    while ((await fetch(`${docent.url}/health/ready`)).ok) await Bun.sleep(20);
    expect(await statusOf("/health/ready")).toEqual([503, { status: "disconnected" }]);
    expect(await statusOf("/health/live")).toEqual(READY);

    const refused = await docent.post(question("How do I install it?"));
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "5"]);
    expect(await refused.json()).toMatchObject({ code: "unavailable" });

    way.mend();
    while (!(await fetch(`${docent.url}/health/ready`)).ok) await Bun.sleep(20);
    expect((await docent.post(question("How do I install it?"))).status).toBe(200);
  });
});
