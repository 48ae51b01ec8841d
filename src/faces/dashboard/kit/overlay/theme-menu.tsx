import { useState } from "react";
import type { IconName } from "../icons/icon-paths.ts";
import { Menu } from "./menu.tsx";

const LOOKS: Record<Theme, { label: string; icon: IconName }> = {
  auto: { label: "As the system", icon: "auto" },
  light: { label: "Light", icon: "sun" },
  dark: { label: "Dark", icon: "moon" },
};

/** Light, dark, or as the system is. */
export function ThemeMenu() {
  const [theme, setTheme] = useState(chosenTheme);
  const choose = (chosen: Theme) => {
    chooseTheme(chosen);
    setTheme(chosen);
  };
  return (
    <Menu
      label={`Theme: ${LOOKS[theme].label.toLowerCase()}`}
      icon={LOOKS[theme].icon}
      items={THEMES.map((each) => ({
        ...LOOKS[each],
        isCurrent: each === theme,
        onSelect: () => choose(each),
      }))}
    />
  );
}

/** What was chosen: the system's look, or one of two. */
type Theme = "auto" | "light" | "dark";

const THEMES: readonly Theme[] = ["auto", "light", "dark"];
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
function chooseTheme(theme: Theme): void {
  showTheme(theme);
  try {
    if (theme === "auto") localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, theme);
  } catch {
    // Without storage the choice lasts until the page is left.
  }
}
