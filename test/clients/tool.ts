import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ended } from "../helpers/ended.ts";

const needed = (name: string) => {
  const value = process.env[name];
  if (value === undefined) throw new Error(`${name} is not set: run these tests by make clients`);
  return value;
};

/** Where scripts/clients.ts has installed the tools. */
export const PYTHON = needed("DOCENT_CLIENTS_PYTHON");
export const NODE_MODULES = needed("DOCENT_CLIENTS_NODE");

/** A program of the Python environment. */
export const python = (name: string, ...words: string[]) => [join(PYTHON, name), ...words];
/** A program of the npm packages, run by Bun: no Node has to be there. */
export const node = (file: string, ...words: string[]) => [
  process.execPath,
  join(NODE_MODULES, file),
  ...words,
];

/** None of them says anything to anybody, or asks for a newer version. */
const QUIET = {
  REDOCLY_TELEMETRY: "off",
  REDOCLY_SUPPRESS_UPDATE_NOTICE: "true",
  DO_NOT_TRACK: "1",
  PYTHONDONTWRITEBYTECODE: "1",
  NO_COLOR: "1",
};

/** A folder that is removed again. */
export function createFolder() {
  const path = mkdtempSync(join(tmpdir(), "docent-clients-"));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}

/** Runs a program to its end in a folder; what it said comes with its code. */
export async function runTool(command: string[], cwd: string, environment: Record<string, string> = {}) {
  const child = Bun.spawn(command, {
    cwd,
    env: { PATH: `${PYTHON}:${process.env["PATH"] ?? ""}`, HOME: cwd, ...QUIET, ...environment },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const { out, err, code } = await ended(child);
  return { code, out, said: `${out}\n${err}` };
}

/** The same for one that has to end well; its output. */
export async function runWell(command: string[], cwd: string, environment: Record<string, string> = {}) {
  const { code, said, out } = await runTool(command, cwd, environment);
  if (code !== 0) throw new Error(`${command.join(" ")} ended with ${code}:\n${said.slice(-8000)}`);
  return out;
}
