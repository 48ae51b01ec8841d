import { chmod, cp } from "node:fs/promises";
import { join } from "node:path";
import { inside, newMachine } from "./chroot.ts";
import { expect, LeftOut, must, run } from "./run.ts";

/** Runs once the machine is up, and shuts it down. What it says is read from outside. */
const SCRIPT = `#!/bin/sh
until_ready() {
  tries=60
  until docent health; do
    tries=$((tries - 1))
    [ $tries -gt 0 ] || return 1
    sleep 1
  done
}
{
  until_ready
  first=$(systemctl show --property=MainPID --value docent)
  grep -E '^(Uid|CapEff|NoNewPrivs|Seccomp):' "/proc/$first/status"
  sed 's#^ExecStart=.*#ExecStart=/usr/bin/docent doctor --self-test#; s#^Restart=.*#Type=oneshot#' \\
    /usr/lib/systemd/system/docent.service >/run/systemd/system/self-test.service
  systemctl daemon-reload
  systemctl start self-test && echo "self-test: good"
  journalctl --unit=self-test --no-pager --output=cat
  dpkg -i /packages/newer.deb
  until_ready
  [ "$first" != "$(systemctl show --property=MainPID --value docent)" ] && echo "restarted: yes"
  dpkg -r docent
  echo "after removal: $(systemctl is-active docent)"
} >/root/said 2>&1
systemctl poweroff --force
`;

const UNIT = `[Unit]
After=docent.service
[Service]
Type=oneshot
ExecStart=/root/script.sh
[Install]
WantedBy=multi-user.target
`;

/** Boots a Debian with the package in it, whose service starts with it, in the sandbox of its unit. */
export async function checkBooted(
  { older, newer }: { older: string; newer: string },
  work: string,
): Promise<string> {
  const root = await newMachine(work, "booted");
  const install = "apt-get update -qq && apt-get install -y -qq --no-install-recommends systemd systemd-sysv";
  const { code } = await run(inside(root, install), { env: { DEBIAN_FRONTEND: "noninteractive" } });
  if (code !== 0) throw new LeftOut("systemd could not be installed on the machine in the folder");
  await cp(older, join(root, "packages/older.deb"));
  await cp(newer, join(root, "packages/newer.deb"));
  await Bun.write(join(root, "root/script.sh"), SCRIPT);
  await chmod(join(root, "root/script.sh"), 0o755);
  await Bun.write(join(root, "etc/systemd/system/check.service"), UNIT);
  await must(inside(root, "dpkg -i /packages/older.deb && systemctl enable docent check"));

  await run([
    "systemd-nspawn",
    "--register=no",
    "--keep-unit",
    "--private-network",
    "--boot",
    "--directory",
    root,
  ]);
  const said = await Bun.file(join(root, "root/said"))
    .text()
    .catch(() => "");
  if (said === "") throw new LeftOut("no systemd boots in a container here");
  const expected: [what: string, pattern: RegExp][] = [
    ["the service has an account of its own", /^Uid:\s+[1-9]/m],
    ["it has no capability", /^CapEff:\s+0+$/m],
    ["it gets no new privilege", /^NoNewPrivs:\s+1$/m],
    ["its system calls are filtered", /^Seccomp:\s+2$/m],
    [
      "the program works in the sandbox",
      /^OK: this program works[\s\S]*^self-test: good$|^self-test: good$[\s\S]*^OK: this program works/m,
    ],
    ["an upgrade restarts it", /^Restarting Docent[\s\S]*^restarted: yes$/m],
    ["removing stops it", /^after removal: (?:inactive|unknown)$/m],
  ];
  for (const [what, pattern] of expected) expect(pattern.test(said), `${what}: ${said.slice(-3000)}`);
  return "started by a systemd that booted, self-tested in the unit's sandbox, restarted by an upgrade, stopped by removing";
}
