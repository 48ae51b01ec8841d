import { join } from "node:path";
import {
  asService,
  checkInstalled,
  checkUpgraded,
  inside,
  leaveOlderDatabase,
  newMachine,
} from "./chroot.ts";
import { expect, must, run, withServer } from "./run.ts";

const SETTING = "DOCENT_PORT=0";

/** Installs, upgrades, removes and purges the package, on a Debian in a folder. */
export async function checkDeb(
  { older, newer }: { older: string; newer: string },
  work: string,
): Promise<string> {
  const root = await newMachine(work, "debian");
  await must(["cp", older, join(root, "packages/older.deb")]);
  await must(["cp", newer, join(root, "packages/newer.deb")]);

  const installed = await must(inside(root, "dpkg -i /packages/older.deb"));
  expect(installed.includes("Nothing was started"), "the package says that nothing was started");
  await checkInstalled(root);

  await must(inside(root, `echo ${SETTING} >> /etc/docent/docent.env`));
  await leaveOlderDatabase(root, work);
  const upgraded = await must(inside(root, "dpkg -i /packages/newer.deb"));
  expect(!upgraded.includes("Nothing was started"), "an upgrade does not tell how to start");
  await checkUpgraded(root, SETTING);
  await withServer(asService(root, "docent serve"), async (url) => {
    const reply = await fetch(`${url}/health/ready`, { proxy: false });
    expect(reply.ok, "the server is ready");
  });

  await must(inside(root, "dpkg -r docent"));
  expect((await run(inside(root, "command -v docent"))).code !== 0, "the program is gone");
  await must(
    inside(root, "test -f /var/lib/docent/docent.db && test -f /etc/docent/docent.env && id docent"),
  );

  await must(inside(root, "dpkg -i /packages/newer.deb"));
  await checkUpgraded(root, SETTING);
  await must(inside(root, "dpkg -P docent"));
  const left = await must(
    inside(root, "find / -xdev -name '*docent*' ! -path '/proc/*'; getent passwd docent || true"),
  );
  expect(left.trim() === "", `nothing is left: ${left}`);
  return "installed, upgraded from 0.1.0 with an older database, served, removed, purged with dpkg in a chroot";
}
