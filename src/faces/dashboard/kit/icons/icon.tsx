import { ICON_PATHS, type IconName } from "./icon-paths.ts";
import "./icon.css";

/** A drawing beside words: nothing that a screen reader speaks. */
export function Icon({ name, size = 18 }: { name: IconName; size?: number }) {
  return (
    <svg className="icon" width={size} height={size} viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d={ICON_PATHS[name]} />
    </svg>
  );
}
