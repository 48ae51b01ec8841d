import { useState } from "react";
import { chooseTheme, chosenTheme, THEMES, type Theme } from "../../theme.ts";
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
