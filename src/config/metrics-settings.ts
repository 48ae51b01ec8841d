import { choice, integer, type Setting, text } from "./setting.ts";

/** What is measured, and where it can be read. */
export const METRICS_SETTINGS = {
  metrics: choice(
    "metrics",
    ["off", "on"],
    "off",
    "Whether /metrics tells, as Prometheus reads it, how much the server does and how long it takes.",
  ),
  metrics_address: text(
    "metrics_address",
    "",
    "An address and port for /metrics alone, such as 127.0.0.1:9464. Empty: it is where everything else is.",
  ),
  metrics_series: integer(
    "metrics_series",
    2000,
    [10, 1_000_000],
    "series",
    "How many combinations of labels one metric may have; what comes after them is counted together, as other.",
  ),
} as const satisfies Record<string, Setting>;
