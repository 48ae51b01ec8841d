import { applyMigrations, MIGRATIONS } from "../../src/storage/sqlite/files/migrate.ts";
import { openDatabase } from "../../src/storage/sqlite/files/open.ts";
import { TEST_TIME } from "./fake-clock.ts";
import { openStorageAt } from "./test-storage.ts";

// A program for power-cut.slow.ts: makes a database as an older version left it, with one organization, and opens it.
const [directory = "", migrations = ""] = process.argv.slice(2);
const database = openDatabase(directory, { synchronous: "full" });
applyMigrations(database, MIGRATIONS.slice(0, Number(migrations)), TEST_TIME);
database.run("INSERT INTO organizations VALUES ('older', 'older', 0)");
database.run("PRAGMA wal_checkpoint(TRUNCATE)");
database.close();
(await openStorageAt(directory)).close();
