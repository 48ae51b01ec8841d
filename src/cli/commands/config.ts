import { showConfig } from "@docent/kernel/config/load";
import { z } from "zod";
import type { Command } from "../command.ts";
import { printRows } from "../output.ts";

const SETTING_SHAPE = z.object({
  name: z.string(),
  value: z.union([z.string(), z.number(), z.array(z.string()), z.null()]),
  origin: z.enum(["default", "environment", "file", "flag"]),
  env: z.string(),
  flag: z.string(),
  help: z.string(),
});

export const config: Command = {
  words: [0, 0],
  json: { shape: z.array(SETTING_SHAPE) },
  async run(context) {
    printRows(
      context,
      showConfig(context.loaded),
      {
        SETTING: (setting) => setting.name,
        VALUE: (setting) =>
          (Array.isArray(setting.value) ? setting.value.join(", ") : String(setting.value ?? "")) || "-",
        FROM: (setting) => setting.origin,
        ENVIRONMENT: (setting) => setting.env,
      },
      "",
    );
    return undefined;
  },
};
