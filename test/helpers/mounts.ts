import { temporaryDirectory } from "./temporary-directory.ts";

/** Runs mount or umount; whether it could. */
export const mounts = (...words: string[]) => Bun.spawnSync(words, { stderr: "ignore" }).exitCode === 0;

/** A disk of its own size needs the right to mount one. */
export function canMount(): boolean {
  using directory = temporaryDirectory();
  if (process.platform !== "linux" || process.getuid?.() !== 0) return false;
  return mounts("mount", "-t", "tmpfs", "tmpfs", directory.path) && mounts("umount", directory.path);
}
