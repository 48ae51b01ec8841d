import { type Disk, systemDisk } from "../../src/kernel/lib/durable-files.ts";

/** What was asked of the disk, in words: `rename a b`, by the last part of each path. */
export function recordingDisk(before: (step: string) => void = () => {}): { disk: Disk; steps: string[] } {
  const steps: string[] = [];
  const step = (...words: string[]) => {
    const said = words.map((word) => word.split(/[\\/]/).at(-1)).join(" ");
    before(said);
    steps.push(said);
  };
  const disk: Disk = {
    syncFile(file) {
      step("syncFile", file);
      systemDisk.syncFile(file);
    },
    syncFolder(folder) {
      step("syncFolder", folder);
      systemDisk.syncFolder(folder);
    },
    rename(from, to) {
      step("rename", from, to);
      systemDisk.rename(from, to);
    },
    remove(file) {
      step("remove", file);
      systemDisk.remove(file);
    },
  };
  return { disk, steps };
}
