import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { temporaryDirectory } from "./temporary-directory.ts";

/** A repository of its own for one test. */
export interface GitRepository extends Disposable {
  path: string;
  git(...args: string[]): string;
  /** Commits these files; undefined removes one. */
  commit(files: Readonly<Record<string, string | undefined>>): void;
}

/** Whether this machine has git. Tests that need it say so where it has not. */
export const hasGit = Bun.which("git") !== null;

/** Use it with `using`. */
export function gitRepository(files: Readonly<Record<string, string>> = {}): GitRepository {
  const folder = temporaryDirectory();
  const git = (...args: string[]): string => {
    const identity = [
      "-c",
      "user.name=Test",
      "-c",
      "user.email=test@localhost",
      "-c",
      "commit.gpgsign=false",
    ];
    const { exitCode, stdout, stderr } = Bun.spawnSync(["git", "-C", folder.path, ...identity, ...args], {
      env: { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" },
    });
    if (exitCode !== 0) throw new Error(`git ${args.join(" ")}: ${stderr.toString()}`);
    return stdout.toString().trim();
  };
  const commit: GitRepository["commit"] = (changes) => {
    for (const [name, text] of Object.entries(changes)) {
      const file = join(folder.path, name);
      if (text === undefined) rmSync(file);
      else {
        mkdirSync(dirname(file), { recursive: true });
        writeFileSync(file, text);
      }
    }
    git("add", "--all", "--force");
    git("commit", "--quiet", "--allow-empty", "--message", "change");
  };
  git("init", "--quiet", "--initial-branch=main");
  if (Object.keys(files).length > 0) commit(files);
  return { path: folder.path, git, commit, [Symbol.dispose]: () => folder[Symbol.dispose]() };
}

/**
 * An environment in which ssh is a script that runs what it is told on this machine: all of git's transport is real
 * but for the network.
 */
export function sshToHere(folder: string, script = 'shift\neval "$*"'): Record<string, string | undefined> {
  const program = join(folder, "ssh.sh");
  const options = 'while getopts "o:p:46G" _; do :; done\nshift $((OPTIND - 1))';
  writeFileSync(program, `#!/bin/sh\n${options}\n${script}\n`, { mode: 0o755 });
  return { ...process.env, GIT_SSH_COMMAND: program };
}
