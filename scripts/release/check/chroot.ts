import { existsSync } from "node:fs";
import { cp, mkdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { applyMigrations, MIGRATIONS } from "../../../src/storage/sqlite/files/migrate.ts";
import { openDatabase } from "../../../src/storage/sqlite/files/open.ts";
import { expect, LeftOut, must, run } from "./run.ts";

const SUITE = "bookworm";
/** So many migrations had a database when the version before had just come out. */
const OLDER_MIGRATIONS = 20;
/** It takes a minute of a processor, and longer on a machine that does other things. */
const DEBOOTSTRAP_MS = 900_000;
const MADE_AT = Date.UTC(2026, 0, 1);

/** Another machine in a folder: a small Debian, whose files are made once, and copied for each check. */
export async function newMachine(work: string, name: string): Promise<string> {
  const base = join(work, "debian-base");
  if (!existsSync(base)) {
    const unfinished = `${base}.new`;
    // An earlier one that was stopped left the processes of this machine in it, which nothing may remove or copy.
    await run(["umount", join(unfinished, "proc")]);
    await rm(unfinished, { recursive: true, force: true });
    const { code } = await run(["debootstrap", "--variant=minbase", SUITE, unfinished], {
      ms: DEBOOTSTRAP_MS,
    });
    if (code !== 0) throw new LeftOut("debootstrap could not fetch a Debian");
    await rename(unfinished, base);
  }
  const root = join(work, name);
  await rm(root, { recursive: true, force: true });
  await must(["cp", "--archive", base, root]);
  await mkdir(join(root, "packages"));
  return root;
}

/** A command line on that machine, with processes of its own. */
export const inside = (root: string, line: string): string[] => [
  "unshare",
  "--mount",
  "--pid",
  "--fork",
  "--kill-child",
  `--mount-proc=${join(root, "proc")}`,
  "chroot",
  root,
  "sh",
  "-c",
  line,
];

/** The same as the account of the service, with the settings that the service reads. */
export const asService = (root: string, line: string): string[] =>
  inside(
    root,
    `export DOCENT_DATA=/var/lib/docent; set -a; . /etc/docent/docent.env; set +a; cd /; exec setpriv --reuid=docent --regid=docent --clear-groups ${line}`,
  );

/** Puts a database there that an older version left, with one organization in it. */
export async function leaveOlderDatabase(root: string, work: string): Promise<void> {
  const folder = join(work, "older");
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const database = openDatabase(folder, { synchronous: "full" });
  applyMigrations(database, MIGRATIONS.slice(0, OLDER_MIGRATIONS), MADE_AT);
  database.run("INSERT INTO organizations VALUES ('older', 'older', 0)");
  database.run("PRAGMA wal_checkpoint(TRUNCATE)");
  database.close();
  await cp(join(folder, "docent.db"), join(root, "var/lib/docent/docent.db"));
  await must(
    inside(root, "chown docent:docent /var/lib/docent/docent.db && chmod 600 /var/lib/docent/docent.db"),
  );
}

/** What has to be so on a machine on which a package was installed. */
export async function checkInstalled(root: string): Promise<void> {
  const stat = await must(
    inside(root, "stat -c '%a %U' /var/lib/docent /etc/docent/docent.env /usr/bin/docent"),
  );
  expect(stat === "700 docent\n600 root\n755 root\n", `owners and modes are ${stat}`);
  await must(asService(root, "docent doctor --self-test"));
  await must(inside(root, "bash -c '. /usr/share/bash-completion/completions/docent && complete -p docent'"));
  await must(inside(root, "gzip -dc /usr/share/man/man1/docent.1.gz | grep -q '^.TH DOCENT 1'"));
  await must(inside(root, "test -f /usr/lib/systemd/system/docent.service"));
}

/** What has to be so after an upgrade: settings, and the older database, upgraded and copied before. */
export async function checkUpgraded(root: string, setting: string): Promise<void> {
  expect((await must(inside(root, "cat /etc/docent/docent.env"))).includes(setting), "the settings are kept");
  expect((await must(asService(root, "docent orgs list"))).includes("older"), "the data is kept");
  expect(/\.db/.test(await must(inside(root, "ls /var/lib/docent/backups"))), "a backup was made before");
}
