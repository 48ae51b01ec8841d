import { describeVectorStore } from "../contract/vector-store.ts";
import { hasPostgres } from "../helpers/postgres.ts";
import { openTestPostgres } from "../helpers/test-postgres.ts";
import { openTestStorage } from "../helpers/test-storage.ts";

describeVectorStore("SQLite", openTestStorage);
if (hasPostgres) describeVectorStore("PostgreSQL", openTestPostgres);
