import { acquireLock } from "../../src/storage/sqlite/files/lock.ts";

// A program for lock.test.ts: takes the lock of the path it is given, says so, and holds it until it is killed.
const release = acquireLock(process.argv[2] ?? "");
process.stdout.write(release ? "held\n" : "refused\n");
await Bun.sleep(release ? 60_000 : 0);
