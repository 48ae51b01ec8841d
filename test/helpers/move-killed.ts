import { z } from "zod";
import { runInProcess } from "./run-in-process.ts";

// A program for move.test.ts: moves everything to another place, and is killed while it says that it comes to a table.
const [to = "", said = "", environment = "{}"] = process.argv.slice(2);
await runInProcess(["move", "--to", to], {
  environment: z.record(z.string(), z.string()).parse(JSON.parse(environment)),
  until: new RegExp(said),
  onUntil: () => process.kill(process.pid, "SIGKILL"),
});
