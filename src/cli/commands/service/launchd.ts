import type { Plan, Scope, ServiceManager } from "./manager.ts";

const LABEL = "docent";
/** Longer than the setting `shutdown_seconds`, so that answers may finish. */
const STOP_SECONDS = 45;
const RESTART_SECONDS = 10;

export const launchd: ServiceManager = {
  name: "launchd",
  // macOS has no command that adds an account of a service in one step.
  account: undefined,
  dataOf: (scope, home) =>
    scope === "system" ? "/usr/local/var/docent" : `${home}/Library/Application Support/docent`,
  files: (plan) => [
    { path: fileOf(plan), text: launchdList(plan), mode: plan.scope === "system" ? 0o600 : 0o644 },
  ],
  start(plan) {
    const { scope, account, data } = plan;
    const room = `install -d -o ${account} -m 700 ${word(data)}`;
    return [
      ...(scope === "system" ? [room] : []),
      `launchctl bootstrap ${domainOf(plan)} ${word(fileOf(plan))}`,
    ];
  },
  stop: (plan) => [`launchctl bootout ${domainOf(plan)}/${LABEL}`],
  ask: (plan) => ["launchctl", "print", `${domainOf(plan)}/${LABEL}`],
  readState(said) {
    const active = /^\s*state = (.+)$/m.exec(said)?.[1];
    return active === undefined ? undefined : { active };
  },
};

const fileOf = ({ scope, home }: { scope: Scope; home: string }) =>
  scope === "system"
    ? `/Library/LaunchDaemons/${LABEL}.plist`
    : `${home}/Library/LaunchAgents/${LABEL}.plist`;

const domainOf = ({ scope, uid }: Plan) => (scope === "system" ? "system" : `gui/${uid}`);

const word = (path: string) => (/^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`);

/** The property list of the service. launchd reads settings from it alone. */
function launchdList({ scope, program, data, home, account, variables }: Plan): string {
  const log = scope === "system" ? `${data}/docent.log` : `${home}/Library/Logs/docent.log`;
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
  <key>Label</key>
  ${text(LABEL)}
  <key>ProgramArguments</key>
  <array>
${[...program, "serve"].map((each) => `    ${text(each)}`).join("\n")}
  </array>
  <key>EnvironmentVariables</key>
  <dict>
${Object.entries({ DOCENT_DATA: data, ...variables })
  .map(([name, value]) => `    <key>${escapeXml(name)}</key>\n    ${text(value)}`)
  .join("\n")}
  </dict>
${scope === "system" ? `  <key>UserName</key>\n  ${text(account)}\n` : ""}  <key>RunAtLoad</key>
  <true/>
  <key>KeepAlive</key>
  <dict>
    <key>SuccessfulExit</key>
    <false/>
  </dict>
  <key>ThrottleInterval</key>
  <integer>${RESTART_SECONDS}</integer>
  <key>ExitTimeOut</key>
  <integer>${STOP_SECONDS}</integer>
  <key>Umask</key>
  <integer>${0o077}</integer>
  <key>StandardErrorPath</key>
  ${text(log)}
</dict>
</plist>
`;
}

const text = (plain: string) => `<string>${escapeXml(plain)}</string>`;

const escapeXml = (plain: string) =>
  plain.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
