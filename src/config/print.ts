import type { LoadedConfig } from "./load.ts";
import type { Setting } from "./setting.ts";
import { flagOf, SETTINGS, type SettingName } from "./settings.ts";

/** One row of `docent config`. */
export interface ShownSetting {
  name: SettingName;
  value: unknown;
  origin: string;
  env: string;
  flag: string;
  help: string;
}

/** Every setting with its effective value, secrets hidden. */
export function showConfig({ config, origins }: LoadedConfig): ShownSetting[] {
  return settingNames().map((name) => {
    const setting: Setting = SETTINGS[name];
    const value = config[name];
    return {
      name,
      value: setting.secret && value !== "" ? "********" : value,
      origin: origins[name],
      env: setting.env,
      flag: flagOf(name),
      help: setting.help,
    };
  });
}

/** The names of all settings, in the table's order. */
export function settingNames(): SettingName[] {
  return Object.keys(SETTINGS).filter((name): name is SettingName => name in SETTINGS);
}
