import { describeNoticeStore } from "../contract/notice-store.ts";
import { hasPostgres } from "../helpers/postgres.ts";
import { openTestPostgres } from "../helpers/test-postgres.ts";
import { openTestStorage } from "../helpers/test-storage.ts";

describeNoticeStore("SQLite", openTestStorage);
if (hasPostgres) describeNoticeStore("PostgreSQL", openTestPostgres);
