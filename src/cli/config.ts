import { showConfig } from "../config/print.ts";
import type { Command } from "./command.ts";
import { printRows } from "./output.ts";

export const config: Command = {
  name: "config",
  usage: "",
  summary: "Show every setting: its value, and where it comes from. Secrets are hidden.",
  words: [0, 0],
  async run(context) {
    printRows(
      context,
      showConfig(context.loaded),
      {
        SETTING: (setting) => setting.name,
        VALUE: (setting) =>
          (Array.isArray(setting.value) ? setting.value.join(", ") : String(setting.value)) || "-",
        FROM: (setting) => setting.origin,
        ENVIRONMENT: (setting) => setting.env,
      },
      "",
    );
    return undefined;
  },
};
