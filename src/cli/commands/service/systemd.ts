import type { Plan, Scope, ServiceManager } from "./manager.ts";

const UNIT = "docent.service";
/** Longer than the setting `shutdown_seconds`, so that answers may finish. */
const STOP_SECONDS = 45;

export const systemd: ServiceManager = {
  name: "systemd",
  account: "docent",
  dataOf: (scope, home) => (scope === "system" ? "/var/lib/docent" : `${home}/.local/share/docent`),
  files(plan) {
    const { scope, home, variables } = plan;
    const path = scope === "system" ? `/etc/systemd/system/${UNIT}` : `${home}/.config/systemd/user/${UNIT}`;
    return [
      { path, text: systemdUnit(plan), mode: 0o644 },
      { path: settingsFile(scope, home), text: settingsText(variables), mode: 0o600, isOperators: true },
    ];
  },
  start({ scope, account }, hasAccount) {
    const control = controlOf(scope);
    const addAccount = `useradd --system --home-dir /var/lib/docent --shell /usr/sbin/nologin ${account}`;
    return [
      ...(scope === "system" && !hasAccount ? [addAccount] : []),
      `${control} daemon-reload`,
      `${control} enable --now docent`,
      // Without it, the service ends when the person signs out.
      ...(scope === "user" ? ["loginctl enable-linger"] : []),
    ];
  },
  stop: ({ scope }) => [`${controlOf(scope)} disable --now docent`],
  ask: ({ scope }) => [
    ...controlOf(scope).split(" "),
    "show",
    UNIT,
    "--property=LoadState,ActiveState,UnitFileState",
  ],
  readState(said) {
    const value = (name: string) => new RegExp(`^${name}=(.+)$`, "m").exec(said)?.[1];
    const active = value("ActiveState");
    if (active === undefined || value("LoadState") === "not-found") return undefined;
    const enabled = value("UnitFileState");
    return { active, ...(enabled === undefined ? {} : { enabled }) };
  },
};

const controlOf = (scope: Scope) => (scope === "user" ? "systemctl --user" : "systemctl");

/** Where a service's settings are. */
const settingsFile = (scope: Scope, home: string) =>
  scope === "system" ? "/etc/docent/docent.env" : `${home}/.config/docent/docent.env`;

/** The unit of the service: what `docent service install` writes, and what is in the packages. */
export function systemdUnit(plan: Plan): string {
  const { scope, program, data, home, memoryMax } = plan;
  return `[Unit]
Description=Docent, a documentation assistant
Documentation=man:docent(1)
After=network-online.target
Wants=network-online.target

[Service]
ExecStart=${program.map(argument).join(" ")} serve
Environment=${quoted(`DOCENT_DATA=${data}`)}
# Settings, one on a line: docent config lists them. What stands there goes before the line above.
EnvironmentFile=-${escaped(settingsFile(scope, home))}
${scope === "system" ? accountLines(plan) : ""}UMask=0077
Restart=on-failure
RestartSec=2
TimeoutStopSec=${STOP_SECONDS}
LimitNOFILE=65536

# What it may use. Reading large documents takes the most; models are not in it, but in Ollama.
MemoryMax=${memoryMax}
TasksMax=512

# What it may do. MemoryDenyWriteExecute is missing: the program compiles code as it runs.
NoNewPrivileges=yes
RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX AF_NETLINK
RestrictNamespaces=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
LockPersonality=yes
SystemCallArchitectures=native
SystemCallFilter=@system-service
SystemCallErrorNumber=EPERM
${scope === "system" ? `${SYSTEM_SANDBOX}\n\n${addressLines(plan.addresses)}` : ""}
[Install]
WantedBy=${scope === "system" ? "multi-user.target" : "default.target"}
`;
}

/** A person's own manager cannot do these. */
const SYSTEM_SANDBOX = `CapabilityBoundingSet=
AmbientCapabilities=
# Docs below /home: ProtectHome=tmpfs and BindReadOnlyPaths=/home/… in a drop-in, by systemctl edit docent.
ProtectSystem=strict
ProtectHome=yes
ProtectProc=invisible
ProtectClock=yes
ProtectHostname=yes
ProtectControlGroups=yes
ProtectKernelLogs=yes
ProtectKernelModules=yes
ProtectKernelTunables=yes
PrivateDevices=yes
PrivateTmp=yes
RemoveIPC=yes`;

function accountLines({ account, data }: Plan): string {
  const isState = data === "/var/lib/docent";
  const room = isState
    ? "StateDirectory=docent\nStateDirectoryMode=0700"
    : `ReadWritePaths=${argument(data)}`;
  return `User=${account}\nGroup=${account}\n${room}\n`;
}

/** The system compares addresses of both directions: readers have to be among those that are allowed. */
function addressLines(addresses: readonly string[] | undefined): string {
  const explained = "# For a closed network: nothing else is talked to, in either direction.";
  if (addresses === undefined)
    return `${explained}
#IPAddressDeny=any
#IPAddressAllow=localhost 10.0.0.0/8
`;
  return `${explained}
IPAddressDeny=any
IPAddressAllow=${["localhost", ...addresses].join(" ")}
`;
}

/** The file with settings: what was named, or what people change first. */
export function settingsText(variables: Readonly<Record<string, string>>): string {
  const named = Object.entries(variables).map(
    ([name, value]) => `${name}=${value === "" ? '""' : fileValue(value)}`,
  );
  return `# Settings of the service docent, one on a line. docent config and docent man list them.
# They count after: systemctl restart docent

${(named.length > 0 ? named : EXAMPLES).join("\n")}
`;
}

const EXAMPLES = [
  "#DOCENT_HOST=127.0.0.1",
  "#DOCENT_PORT=4747",
  "#DOCENT_PUBLIC_URL=https://docs.example.com",
  "#OLLAMA_HOST=http://127.0.0.1:11434",
];

/** A value in a file of settings: quoted where a shell, or systemd, would read more into it than text. */
function fileValue(value: string): string {
  return /^[\w./:,@%+=-]+$/.test(value) ? value : `"${value.replace(/["\\`$]/g, "\\$&")}"`;
}

/** A percent sign stands for something in units. */
const escaped = (text: string) => text.replaceAll("%", "%%");
const quoted = (text: string) =>
  /^[\w./:=%+-]+$/.test(text) ? escaped(text) : `"${escaped(text).replace(/["\\]/g, "\\$&")}"`;
/** In a command line, a dollar sign does, too. */
const argument = (text: string) => quoted(text).replaceAll("$", "$$$$");
