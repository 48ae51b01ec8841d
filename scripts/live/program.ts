import { readFileSync } from "node:fs";
import { join } from "node:path";
import { NotHere, runBounded } from "../bounded.ts";

/** The newest version that needs only Go and a C compiler. */
export const PINNED_VERSION = "0.11.4";
const PACKAGE = "github.com/ollama/ollama";

/** An Ollama program that can be started. */
export interface Program {
  path: string;
  /** Its origin, for the person who reads the output. */
  from: string;
}

/**
 * The Ollama on the PATH, or else one that Go builds, once, into the folder. Raises NotHere where neither is
 * available.
 */
export async function findProgram(folder: string, untilMs: number): Promise<Program> {
  const installed = Bun.which("ollama");
  if (installed !== null) return { path: installed, from: "the PATH" };
  const home = join(folder, `ollama-${PINNED_VERSION}`);
  const path = join(home, process.platform === "win32" ? "ollama.exe" : "ollama");
  if (await Bun.file(path).exists()) return { path, from: "an earlier go install" };
  await build(home, untilMs);
  return { path, from: "go install" };
}

async function build(home: string, untilMs: number): Promise<void> {
  if (Bun.which("go") === null)
    throw new NotHere("there is no ollama on the PATH, and no go that could build it");
  if (Bun.which("gcc") === null && Bun.which("clang") === null)
    throw new NotHere("there is no ollama on the PATH, and no C compiler to build it with");
  const stamp = `-X ${PACKAGE}/version.Version=${PINNED_VERSION}`;
  const flags = compilerFlags();
  await runBounded(["go", "install", "-ldflags", stamp, `${PACKAGE}@v${PINNED_VERSION}`], {
    untilMs,
    environment: { GOBIN: home, CGO_ENABLED: "1", CGO_CFLAGS: flags, CGO_CXXFLAGS: flags },
  });
}

/** Without the processor's own instructions the model is several times slower. */
function compilerFlags(): string {
  if (process.arch !== "x64") return "-O2";
  return hasAvx2() ? "-O2 -march=x86-64-v3" : "-O2 -msse4.2";
}

function hasAvx2(): boolean {
  try {
    return /^flags.*\bavx2\b/m.test(readFileSync("/proc/cpuinfo", "utf8"));
  } catch {
    return false;
  }
}
