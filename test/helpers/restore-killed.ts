import { restore } from "../../src/storage/sqlite/files/restore.ts";
import { TEST_TIME } from "./fake-clock.ts";
import { recordingDisk } from "./stopped-disk.ts";

// A program for restore-killed.test.ts: restores a backup into a data directory, and is killed before its step of that
// number. Says every step as it comes to it.
const [directory = "", file = "", last = ""] = process.argv.slice(2);
let step = 0;
const { disk } = recordingDisk((said) => {
  process.stdout.write(`${said}\n`);
  if (step++ === Number(last)) process.kill(process.pid, "SIGKILL");
});
restore(directory, file, TEST_TIME, { disk });
