import type { CalloutMark } from "../wiki-pages/wiki-pages.ts";

/** What the signs mean that people put in front of a callout. */
const MARKS: readonly [RegExp, CalloutMark][] = [
  [/^(?:⚠|🚧|❗|‼|🔥|🚨)/u, "WARNING"],
  [/^(?:🛑|⛔|🚫|❌|☠|💀)/u, "CAUTION"],
  [/^(?:💡|✅|👍|🎯|🚀)/u, "TIP"],
  [/^(?:📌|⭐|🔑)/u, "IMPORTANT"],
];

/** The names of Notion's own icons: `https://www.notion.so/icons/warning_red.svg`. */
const ICONS: readonly [RegExp, CalloutMark][] = [
  [/\/(?:warning|alert|exclamation)[^/]*$/, "WARNING"],
  [/\/(?:light-bulb|checkmark|thumbs-up)[^/]*$/, "TIP"],
];

/** What kind of callout a sign or an icon's address makes. */
export const markOf = (icon: string): CalloutMark =>
  [...MARKS, ...ICONS].find(([pattern]) => pattern.test(icon))?.[1] ?? "NOTE";
