import { existsSync } from "node:fs";
import type { Config } from "@docent/kernel/config/settings";
import type { Parts } from "@docent/running/app/parts";
import { unusedSchedule } from "@docent/running/upkeep/open-backups";
import { showTime } from "../../output.ts";
import type { Finding } from "./model.ts";

const what = "scheduled backups";

const NONE = "none (backup_every_hours is 0)";

/** Where this command has no schedule. A server may have one, by its flags or its service's file of settings. */
function unscheduled({ good, failure }: ReturnType<Parts["backups"]["last"]>): Finding {
  if (good === undefined && failure === undefined) return { what, state: "ok", says: NONE };
  const newest = good === undefined ? "" : `; the newest was ${good.file}, ${showTime(good.at)} UTC`;
  const failed = failure === undefined ? "" : `; since then: ${failure.says} (${showTime(failure.at)} UTC)`;
  return {
    what,
    state: failure === undefined ? "ok" : "warn",
    says: `${NONE}, but a server has made some${newest}${failed}`,
    hint: "Give docent doctor the settings of the server, to know whether one is overdue: DOCENT_BACKUP_EVERY_HOURS in the environment of both.",
  };
}

/** How the backups go that the server makes by itself. */
export function backupFindings({ backups }: Pick<Parts, "backups">, config: Config): Finding[] {
  const unused = unusedSchedule({ config });
  if (unused !== undefined) return [{ what, state: "warn", ...unused }];
  const overview = backups.overview();
  // A PostgreSQL database is backed up elsewhere, of which nothing is known here.
  if (overview === undefined) return config.database_url === "" ? [unscheduled(backups.last())] : [];
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
