import { existsSync } from "node:fs";
import type { Parts } from "../../../app/parts.ts";
import { unusedSchedule } from "../../../app/upkeep/scheduled-backups.ts";
import type { Config } from "../../../config/settings.ts";
import { showTime } from "../../output.ts";
import type { Finding } from "./model.ts";

const what = "scheduled backups";

/** How the backups go that the server makes by itself. */
export function backupFindings({ backups }: Pick<Parts, "backups">, config: Config): Finding[] {
  const unused = unusedSchedule({ config });
  if (unused !== undefined) return [{ what, state: "warn", ...unused }];
  const overview = backups.overview();
  // A PostgreSQL database is backed up elsewhere, of which nothing is known here.
  if (overview === undefined)
    return config.database_url === "" ? [{ what, state: "ok", says: "none (backup_every_hours is 0)" }] : [];
  const { good, failure, isOverdue, folder } = overview;
  const newest =
    good === undefined ? "none was made yet" : `the newest is ${good.file}, ${showTime(good.at)} UTC`;
  if (failure !== undefined)
    return [
      {
        what,
        state: "fail",
        says: `${failure.says} (${showTime(failure.at)} UTC); ${newest}`,
        hint: failure.hint,
      },
    ];
  if (isOverdue)
    return [
      {
        what,
        state: "fail",
        says: `overdue; ${newest}`,
        hint: "A server makes them while it runs: is one running?",
      },
    ];
  if (good !== undefined && !existsSync(good.file))
    return [
      { what, state: "warn", says: `${good.file} is not there any more`, hint: `Look into ${folder}.` },
    ];
  return [{ what, state: "ok", says: newest }];
}
