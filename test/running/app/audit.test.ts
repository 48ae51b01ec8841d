import { expect, test } from "bun:test";
import { startAdminDoor } from "../../helpers/admin-door.ts";
import { databaseOf } from "../../helpers/database-of.ts";
import { startDocent } from "../../helpers/docent.ts";
import { isShared } from "../../helpers/shared-database.ts";
import { temporaryDirectory } from "../../helpers/temporary-directory.ts";

const DAY_MS = 24 * 3600 * 1000;
const ALWAYS = { from: 0, to: Number.MAX_SAFE_INTEGER };

test("a server removes what the audit log keeps no longer, and keeps the rest", async () => {
  using directory = temporaryDirectory();
  const start = (days: number) =>
    startDocent({
      data: directory.path,
      docs: null,
      settings: { audit_days: "30" },
      clock: () => Date.now() + days * DAY_MS,
    });
  for (const [days, site] of [
    [0, "old"],
    [10, "young"],
  ] as const) {
    const server = await start(days);
    await server.app.parts.people.audit.record({ kind: "command-line" }, { kind: "site.added", site });
    await server.close();
  }
  const server = await start(31);
  const left = async () => {
    const { signal } = new AbortController();
    const filter = { kinds: ["site.added"] };
    const { entries } = await server.app.parts.people.audit.list(ALWAYS, filter, { limit: 10 }, signal);
    return entries.map(({ site }) => site);
  };
  while ((await left()).includes("old")) await Bun.sleep(10);
  expect(await left()).toEqual(["young"]);
  await server.close();
});

test.if(!isShared)("a change whose entry cannot be written is not said to be made", async () => {
  const door = await startAdminDoor({ expectErrors: true });
  databaseOf(door.app).run(
    "CREATE TRIGGER refused BEFORE INSERT ON audit_entries BEGIN SELECT RAISE(ABORT, 'no room'); END",
  );
  const { status } = await door.ask("POST", "/keys", { body: { name: "unrecorded" } });
  expect(status).toBeGreaterThanOrEqual(500);
  await door.close();
});
