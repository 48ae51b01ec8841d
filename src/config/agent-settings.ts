import { integer, type Setting } from "./setting.ts";

/** What programs may read of public sites. */
export const AGENT_SETTINGS = {
  llms_txt_pages: integer(
    "llms_txt_pages",
    10_000,
    [1, 1_000_000],
    "pages",
    "How many pages a site's llms.txt lists; it says so where there are more.",
  ),
  llms_full_bytes: integer(
    "llms_full_bytes",
    10_000_000,
    [10_000, 1_000_000_000],
    "bytes",
    "How large a site's llms-full.txt may be; it says so where pages are left out.",
  ),
} as const satisfies Record<string, Setting>;
