/** When a new key ends, as it is chosen. */
export const EXPIRIES = [
  { value: "never", label: "Never" },
  { value: "30", label: "In 30 days" },
  { value: "90", label: "In 90 days" },
  { value: "365", label: "In a year" },
] as const;

export type Expiry = (typeof EXPIRIES)[number]["value"];

/** The same as the server takes it. */
export const expiresDaysOf = (expiry: Expiry) => (expiry === "never" ? {} : { expiresDays: Number(expiry) });
