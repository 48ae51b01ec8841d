import { readdirSync } from "node:fs";
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

/**
 * Installs, upgrades and removes the package with RPM. The machine in the folder is a Debian, of whose packages RPM knows
 * nothing: what the package needs of others is not looked for.
 */
export async function checkRpm(
  { older, newer }: { older: string; newer: string },
  work: string,
): Promise<string> {
  const root = await newMachine(work, "fedora");
  const rpm = (...words: string[]) => must(["rpm", "--root", root, "--nodeps", ...words]);
  await must(["rpm", "--checksig", "--verbose", newer]);

  const installed = await rpm("-i", older);
  expect(installed.includes("Nothing was started"), "the package says that nothing was started");
  await checkInstalled(root);
  expect(
    (await run(["rpm", "--root", root, "--verify", "--nodeps", "docent"])).said.trim() === "",
    "what was installed is whole",
  );

  await must(inside(root, `echo ${SETTING} >> /etc/docent/docent.env`));
  await leaveOlderDatabase(root, work);
  await rpm("-U", newer);
  await checkUpgraded(root, SETTING);
  await withServer(asService(root, "docent serve"), async (url) => {
    const reply = await fetch(`${url}/health/ready`, { proxy: false });
    expect(reply.ok, "the server is ready");
  });

  await rpm("-e", "docent");
  expect((await run(inside(root, "command -v docent"))).code !== 0, "the program is gone");
  await must(inside(root, "test -f /var/lib/docent/docent.db"));
  expect(readdirSync(join(root, "etc/docent")).join() === "docent.env.rpmsave", "changed settings are kept");
  return "installed, upgraded from 0.1.0 with an older database, served, removed with rpm --root; what it needs of other packages was not resolved";
}
