import { integer, type Setting } from "./setting.ts";

const HOUR_SECONDS = 3600;

/** What owners may send as a source, from their browsers or through the admin API. */
export const UPLOAD_SETTINGS = {
  upload_bytes: integer(
    "upload_bytes",
    500_000_000,
    [10_000, 100_000_000_000],
    "bytes",
    "The largest archive that may be uploaded as a source.",
  ),
  site_uploads_bytes: integer(
    "site_uploads_bytes",
    2_000_000_000,
    [10_000, 1_000_000_000_000],
    "bytes",
    "How much room the uploads of one site may take together.",
  ),
  upload_seconds: integer(
    "upload_seconds",
    HOUR_SECONDS,
    [10, 24 * HOUR_SECONDS],
    "seconds",
    "How long an upload may take to arrive.",
  ),
} as const satisfies Record<string, Setting>;
