import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { runBounded } from "../bounded.ts";
import { obtain } from "../generators/installed.ts";

const MINUTE_MS = 60_000;

/** The folder with the files of packages of Debian, which are unpacked into the user's cache, and not installed. */
export const unpacked = (name: string, packages: readonly string[]): Promise<string> =>
  obtain(
    {
      name,
      pins: packages.join(" "),
      async install(folder, untilMs) {
        await runBounded(["apt-get", "download", ...packages], { untilMs, folder });
        for (const file of (await readdir(folder)).filter((each) => each.endsWith(".deb")))
          await runBounded(["dpkg", "-x", file, folder], { untilMs, folder });
      },
    },
    Date.now() + 10 * MINUTE_MS,
  );

/** Runs a program of PHP. */
export const runPhp = (
  args: readonly string[],
  options: { folder: string; environment?: Record<string, string> },
) => runBounded(["php", ...args], { ...options, untilMs: Date.now() + 5 * MINUTE_MS });

export const shareOf = (folder: string, name: string) => join(folder, "usr", "share", name);
