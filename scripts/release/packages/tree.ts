import type { Plan } from "../../../src/cli/commands/service/manager.ts";
import { settingsText, systemdUnit } from "../../../src/cli/commands/service/systemd.ts";
import { type Entry, file, folder } from "../archive/entry.ts";
import { gzip } from "../archive/gzip.ts";

/** What is beside the binary in every package and archive: texts, each made once. */
export interface Companions {
  license: string;
  thirdParty: string;
  readme: string;
  changelog: string;
  man: string;
  completions: Record<"bash" | "zsh" | "fish" | "powershell", string>;
}

/** The service of the packages is the one that `docent service install` writes. */
const PLAN: Plan = {
  scope: "system",
  program: ["/usr/bin/docent"],
  data: "/var/lib/docent",
  account: "docent",
  variables: {},
  memoryMax: "4G",
  addresses: undefined,
  home: "",
  uid: 0,
};

export const SETTINGS_FILE = "etc/docent/docent.env";

/** The files of a package of Linux, without the licence, which each kind of package has elsewhere. */
export async function packageTree(
  binary: Uint8Array,
  companions: Companions,
  { zshFolder }: { zshFolder: string },
): Promise<Entry[]> {
  const { completions } = companions;
  return [
    file("usr/bin/docent", binary, 0o755),
    folder("etc/docent"),
    file(SETTINGS_FILE, settingsText({}), 0o600),
    file("usr/lib/systemd/system/docent.service", systemdUnit(PLAN)),
    file("usr/lib/sysusers.d/docent.conf", 'u docent - "Docent" /var/lib/docent\n'),
    file("usr/share/man/man1/docent.1.gz", await gzip(Buffer.from(companions.man))),
    file("usr/share/bash-completion/completions/docent", completions.bash),
    file("usr/share/fish/vendor_completions.d/docent.fish", completions.fish),
    file(`${zshFolder}/_docent`, completions.zsh),
  ];
}
