import { describeMemberStore } from "../contract/member-store.ts";
import { hasPostgres } from "../helpers/postgres.ts";
import { openTestPostgres } from "../helpers/test-postgres.ts";
import { openTestStorage } from "../helpers/test-storage.ts";

describeMemberStore("SQLite", openTestStorage);
if (hasPostgres) describeMemberStore("PostgreSQL", openTestPostgres, { isShared: true });
