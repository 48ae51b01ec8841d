import { join } from "node:path";
import { findChromium } from "../test/e2e/browser.ts";
import { findDirectoryServer } from "../test/sign-in/directory.ts";
import { type RunningKeycloak, startKeycloak } from "../test/sign-in/keycloak-process.ts";
import { unlessInterrupted } from "./live/ollama.ts";
import { obtainProviders, type Providers } from "./sign-in/providers.ts";

// Runs test/sign-in with real identity providers, and a real proxy that signs people in, before Docent. With --obtain, it
// only brings them. What is not available is told and left out, and nothing fails for it.

const MINUTE_MS = 60_000;
/** Beside other work, which comes first. */
const OBTAIN_ALONE_MS = 20 * MINUTE_MS;
const OBTAIN_MS = 4 * MINUTE_MS;
/** Several times what the tests take on two idle processors: they took five minutes beside ten other programs. */
const TESTS_MS = 30 * MINUTE_MS;
/** Keycloak has just begun, and whatever it does first takes seconds. */
const TEST_MAX_MS = 10 * MINUTE_MS;

const root = join(import.meta.dir, "..");
const started = Date.now();

async function obtain(): Promise<number> {
  await obtainProviders({ untilMs: started + OBTAIN_ALONE_MS, say });
  return 0;
}

async function run(stack: AsyncDisposableStack): Promise<number> {
  const providers = await obtainProviders({ untilMs: started + OBTAIN_MS, say });
  if (findDirectoryServer() === undefined)
    say("no slapd: the tests of Dex with groups are left out. On Debian: apt-get install slapd");
  if (findChromium() === undefined) say("no Chromium: the tests in a browser are left out");
  if (Object.keys(providers).length === 0) {
    say("NO TESTS OF SIGN-IN RAN: no provider can be had here.");
    return 0;
  }
  const keycloak = providers.keycloak && stack.use(await startKeycloak(providers.keycloak));
  if (keycloak) say(`Keycloak is started at ${keycloak.url} and ${keycloak.secureUrl}`);
  const code = await runTests({ providers, keycloak }, stack);
  if (keycloak) say(`Keycloak had ${keycloak.peakMegabytes()} MB of memory at most`);
  return code;
}

interface Prepared {
  providers: Providers;
  keycloak: RunningKeycloak | undefined;
}

/** The exit status of the tests. */
async function runTests({ providers, keycloak }: Prepared, stack: AsyncDisposableStack): Promise<number> {
  const files = [...new Bun.Glob("test/sign-in/*.sign-in.ts").scanSync({ cwd: root })].sort();
  const child = Bun.spawn(
    [process.execPath, "test", "--timeout", String(TEST_MAX_MS), ...files.map((file) => `./${file}`)],
    {
      cwd: root,
      env: {
        ...process.env,
        ...(keycloak && {
          DOCENT_SIGN_IN_KEYCLOAK: keycloak.url,
          DOCENT_SIGN_IN_KEYCLOAK_SECURE: keycloak.secureUrl,
          DOCENT_SIGN_IN_KEYCLOAK_AUTHORITY: keycloak.authority,
          DOCENT_SIGN_IN_KEYCLOAK_PASSWORD: providers.keycloak?.password ?? "",
        }),
        ...(providers.dex !== undefined && { DOCENT_SIGN_IN_DEX: providers.dex }),
        ...(providers.oauth2Proxy !== undefined && { DOCENT_SIGN_IN_OAUTH2_PROXY: providers.oauth2Proxy }),
      },
      stdio: ["ignore", "inherit", "inherit"],
      timeout: TESTS_MS,
      // In a process group, so that the providers started by a test end with it, even where it was cut off.
      detached: true,
    },
  );
  stack.defer(() => endGroup(child.pid));
  const code = await child.exited;
  if (child.signalCode !== null) say(`the tests were cut off; they have ${TESTS_MS / MINUTE_MS} minutes`);
  return code;
}

function endGroup(leader: number): void {
  try {
    process.kill(-leader, "SIGTERM");
  } catch {
    // Everything in the group has ended already.
  }
}

function say(line: string): void {
  process.stdout.write(`sign-in: ${line} (${Math.round((Date.now() - started) / 1000)} s)\n`);
}

// Interrupted work may still be running here.
process.exit(await unlessInterrupted(process.argv.includes("--obtain") ? obtain : run));
