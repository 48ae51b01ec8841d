import { expect, test } from "bun:test";
import { describeAuditStore } from "../contract/audit-store.ts";
import { hasPostgres, queryNow } from "../helpers/postgres.ts";
import { openTestPostgres } from "../helpers/test-postgres.ts";
import { openTestStorage } from "../helpers/test-storage.ts";

describeAuditStore("SQLite", openTestStorage);
if (hasPostgres) describeAuditStore("PostgreSQL", openTestPostgres);

test("SQLite itself refuses to change an entry, whoever asks", async () => {
  using storage = await openTestStorage();
  storage.database.run(
    "INSERT INTO audit_entries VALUES ('a', 1, 'site.added', 'server', NULL, NULL, '[]', NULL, NULL, NULL, '{}')",
  );
  expect(() => storage.database.run("UPDATE audit_entries SET kind = 'site.removed'")).toThrow(
    "stays as it is",
  );
});

test.if(hasPostgres)("PostgreSQL itself refuses it too", async () => {
  using storage = await openTestPostgres();
  const run = (sql: string) => queryNow(new URL(storage.url).pathname.slice(1), sql, []);
  run(
    "INSERT INTO audit_entries (id, at, kind, actor_kind, organizations_json, details_json) VALUES ('a', 1, 'site.added', 'server', '[]', '{}')",
  );
  expect(() => run("UPDATE audit_entries SET kind = 'site.removed'")).toThrow("stays as it is");
});
