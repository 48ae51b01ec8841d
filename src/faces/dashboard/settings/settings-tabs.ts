/** What a site's settings are about, by the last part of the address. */
export const TABS = [
  { tab: "", label: "General" },
  { tab: "answers", label: "Answers" },
  { tab: "model", label: "Model" },
  { tab: "limits", label: "Limits" },
  { tab: "access", label: "Access" },
  { tab: "widget", label: "Widget" },
  { tab: "reader", label: "Reader site" },
  { tab: "keys", label: "Keys" },
  { tab: "remove", label: "Remove" },
] as const;

export type SettingsTab = (typeof TABS)[number]["tab"];

/** The tab that an address names; undefined for one that there is not. */
export const settingsTab = (named: string | undefined): SettingsTab | undefined =>
  TABS.find(({ tab }) => tab === (named ?? ""))?.tab;
