import { AppError } from "@docent/kernel/errors";
import type { CommandTable } from "../table.ts";
import { bashCompletion } from "./bash.ts";
import { fishCompletion } from "./fish.ts";
import { powershellCompletion } from "./powershell.ts";
import { zshCompletion } from "./zsh.ts";

const SCRIPTS = {
  bash: bashCompletion,
  zsh: zshCompletion,
  fish: fishCompletion,
  powershell: powershellCompletion,
} as const;

type Shell = keyof typeof SCRIPTS;

/** The shells that lines can be completed in. */
export const SHELLS = Object.keys(SCRIPTS).filter((name): name is Shell => name in SCRIPTS);

/** The shell of a name. Raises `invalid_request` for another one. */
export function readShell(name: string): Shell {
  const found = SHELLS.find((shell) => shell === name);
  if (found !== undefined) return found;
  throw new AppError("invalid_request", `There is no completion for ${name}.`, {
    hint: `There is one for each of ${SHELLS.join(", ")}.`,
  });
}

/** The script with which a shell completes lines of docent. */
export const completionScript = (shell: Shell, table: CommandTable): string => SCRIPTS[shell](table);
