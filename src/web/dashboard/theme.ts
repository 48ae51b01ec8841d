/** What was chosen: the system's look, or one of two. */
export type Theme = "auto" | "light" | "dark";

export const THEMES: readonly Theme[] = ["auto", "light", "dark"];
const KEY = "docent-theme";

/** The theme that was chosen in this browser. */
export function chosenTheme(): Theme {
  try {
    const kept = localStorage.getItem(KEY);
    return THEMES.find((theme) => theme === kept) ?? "auto";
  } catch {
    // A browser may keep nothing.
    return "auto";
  }
}

/** Shows the page in a theme. */
export function showTheme(theme: Theme): void {
  if (theme === "auto") delete document.documentElement.dataset["theme"];
  else document.documentElement.dataset["theme"] = theme;
}

/** Shows the page in a theme, and keeps the choice. */
export function chooseTheme(theme: Theme): void {
  showTheme(theme);
  try {
    if (theme === "auto") localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, theme);
  } catch {
    // It lasts until the page is left.
  }
}
