import { homedir } from "node:os";
import { join, resolve } from "node:path";

/** The folder that a setting names; a ~ at its beginning is the home directory. */
export function dataFolder(setting: string): string {
  return setting === "~" || setting.startsWith("~/") ? join(homedir(), setting.slice(2)) : resolve(setting);
}
