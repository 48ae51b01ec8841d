import { existsSync, readFileSync } from "node:fs";

/** Linux says it of itself; elsewhere another program is asked, which costs more. */
const saysItself = existsSync("/proc/self/status");
/** Linux counts time in these for programs, whatever it does inside. */
const TICKS_A_SECOND = 100;

/** How often it is worth to look. */
export const LOOK_EVERY_MS = saysItself ? 20 : 500;

/** How much memory a process takes; 0 where it has ended, or where nothing tells. */
export function memoryOf(pid: number): number {
  const kilobytes = saysItself ? residentOf(pid) : askedOf(pid);
  return kilobytes * 1024;
}

/** How long processors have worked for a process; undefined where it has ended, or where nothing tells. */
export function computedMsOf(pid: number): number | undefined {
  const said = saysItself ? fileOf(`/proc/${pid}/stat`) : undefined;
  // What stands before is the program's name, in which there may be anything.
  const fields = said?.slice(said.lastIndexOf(")") + 2).split(" ");
  const ticks = Number(fields?.[11]) + Number(fields?.[12]);
  return Number.isFinite(ticks) ? (ticks * 1000) / TICKS_A_SECOND : undefined;
}

const residentOf = (pid: number) =>
  Number(/^VmRSS:\s+(\d+) kB/m.exec(fileOf(`/proc/${pid}/status`) ?? "")?.[1] ?? 0);

function fileOf(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}

function askedOf(pid: number): number {
  if (process.platform === "win32") return 0;
  const { stdout } = Bun.spawnSync(["/bin/ps", "-o", "rss=", "-p", String(pid)], { stderr: "ignore" });
  return Number(stdout.toString().trim()) || 0;
}
