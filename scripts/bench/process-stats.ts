import { existsSync, readFileSync } from "node:fs";

// Reads what Linux reports about a process. Other systems have no /proc, and their figures are left out.

const TICKS_PER_SECOND = 100;

export const hasProcessStats = existsSync("/proc/self/smaps_rollup");

export interface Memory {
  /** Pages in memory, including those of the binary's file and of shared libraries. */
  residentMb: number;
  /** The same, with shared pages divided among the processes that share them. */
  proportionalMb: number;
  /** What would be free if it ended. */
  uniqueMb: number;
}

export function readMemory(pid: number): Memory {
  const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, "utf8");
  return {
    residentMb: megabytes(rollup, "Rss"),
    proportionalMb: megabytes(rollup, "Pss"),
    uniqueMb: megabytes(rollup, "Private_Clean") + megabytes(rollup, "Private_Dirty"),
  };
}

/** The most memory that was resident at any moment since the process started. */
export const readPeakMb = (pid: number): number =>
  megabytes(readFileSync(`/proc/${pid}/status`, "utf8"), "VmHWM");

/** The processor time of all its threads. */
export function readCpuSeconds(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  // The name, in brackets, may contain spaces.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}

function megabytes(text: string, name: string): number {
  const kibibytes = new RegExp(`^${name}:\\s+(\\d+) kB`, "m").exec(text)?.[1];
  return (Number(kibibytes ?? Number.NaN) * 1024) / 1_000_000;
}
