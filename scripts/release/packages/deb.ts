import { ar } from "../archive/ar.ts";
import { type Entry, file, withFolders } from "../archive/entry.ts";
import { gzip } from "../archive/gzip.ts";
import type { Packing } from "../archive/packing.ts";
import { tar } from "../archive/tar.ts";
import type { ReleaseFacts } from "../release-facts.ts";
import { ADD_ACCOUNT, ADD_DATA, RELOAD, RESTART, SAY_HOW_TO_START, STOP } from "./maintenance.ts";
import { type Companions, packageTree, SETTINGS_FILE } from "./tree.ts";

export type DebArchitecture = "amd64" | "arm64";

/** A package for Debian, Ubuntu and what is made from them, whose files are packed in one of the ways that dpkg knows. */
export async function deb(
  binary: Uint8Array,
  companions: Companions,
  { facts, architecture, packing }: { facts: ReleaseFacts; architecture: DebArchitecture; packing: Packing },
): Promise<Uint8Array> {
  const { changedAt } = facts;
  const entries = [
    ...(await packageTree(binary, companions, { zshFolder: "usr/share/zsh/vendor-completions" })),
    file("usr/share/doc/docent/copyright", `${companions.license}\n${companions.thirdParty}`),
    file("usr/share/doc/docent/changelog.gz", await gzip(Buffer.from(companions.changelog))),
  ];
  const archive = (inside: readonly Entry[]) => tar(withFolders(inside), { changedAt, prefix: "./" });
  const controlled = controlFiles(entries, control(entries, { facts, architecture }));
  return ar(
    [
      ["debian-binary", Buffer.from("2.0\n")],
      ["control.tar.gz", await gzip(archive(controlled))],
      [`data.tar.${packing.ending}`, await packing.pack(archive(entries), { x64: architecture === "amd64" })],
    ],
    changedAt,
  );
}

function controlFiles(entries: readonly Entry[], text: string): Entry[] {
  const sums = entries.flatMap((entry) =>
    entry.kind === "file" && entry.path !== SETTINGS_FILE
      ? [`${new Bun.CryptoHasher("md5").update(entry.bytes).digest("hex")}  ${entry.path}\n`]
      : [],
  );
  return [
    file("control", text),
    file("conffiles", `/${SETTINGS_FILE}\n`),
    file("md5sums", sums.join("")),
    ...Object.entries(SCRIPTS).map(([name, script]) => file(name, `#!/bin/sh\nset -e\n${script}`, 0o755)),
  ];
}

function control(
  entries: readonly Entry[],
  { facts, architecture }: { facts: ReleaseFacts; architecture: DebArchitecture },
): string {
  const bytes = entries.reduce((sum, entry) => sum + (entry.kind === "file" ? entry.bytes.length : 0), 0);
  return `Package: docent
Version: ${facts.version}
Architecture: ${architecture}
Maintainer: ${facts.maintainer}
Installed-Size: ${Math.ceil(bytes / 1024)}
Depends: libc6 (>= 2.17), passwd
Recommends: git, openssh-client
Section: web
Priority: optional
Description: documentation assistant in one file
 ${facts.description}
 .
 The service docent keeps everything in /var/lib/docent. Its settings are in
 /etc/docent/docent.env.
`;
}

/** An upgrade keeps the settings and the data; removing keeps both, purging neither. */
const SCRIPTS: Record<string, string> = {
  postinst: `if [ "$1" = configure ]; then
${ADD_ACCOUNT}${ADD_DATA}${RELOAD}if [ -z "$2" ]; then
${SAY_HOW_TO_START}else
${RESTART}fi
fi
`,
  prerm: `if [ "$1" = remove ]; then
${STOP}fi
`,
  postrm: `${RELOAD}if [ "$1" = purge ]; then
rm -rf /var/lib/docent /etc/docent
if getent passwd docent >/dev/null; then
  userdel docent || true
fi
fi
`,
};
