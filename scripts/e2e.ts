import { join } from "node:path";
import { findChromium } from "../test/e2e/browser.ts";
import { OTHER_BROWSERS } from "../test/e2e/other-browsers/browsers.ts";

// Runs test/e2e in real browsers. Installs nothing: where there is no Chromium it says what to do, and exits with 1.
// Without Firefox or WebKit it says so, and leaves out their tests.

const root = join(import.meta.dir, "..");
/** For tests that hang: none depends on how fast the machine is. */
const TEST_MAX_MS = 300_000;
const SIDE_BY_SIDE = ["--parallel=2", "--no-isolate", "--timeout", String(TEST_MAX_MS)];

const chromium = findChromium();
if (chromium === undefined) {
  process.stderr.write(
    "make e2e needs Chromium, and finds none.\n" +
      "  On Debian and Ubuntu:  apt-get install chromium-headless-shell, or chromium\n" +
      "  Elsewhere:             set DOCENT_CHROMIUM to the program of a Chromium or Chrome that is installed\n",
  );
  process.exit(1);
}
for (const { name, packages } of OTHER_BROWSERS.filter(({ isInstalled }) => !isInstalled))
  process.stderr.write(`no ${name}: its tests are left out. On Debian: apt-get install ${packages}\n`);
// A browser waits for its server, and a test for its browser: two processes share the files, as in `make test`.
const files = [...new Bun.Glob("test/e2e/**/*.e2e.ts").scanSync({ cwd: root })].sort();
const child = Bun.spawn([process.execPath, "test", ...SIDE_BY_SIDE, ...files.map((file) => `./${file}`)], {
  cwd: root,
  env: process.env,
  stdio: ["ignore", "inherit", "inherit"],
});
process.exit(await child.exited);
