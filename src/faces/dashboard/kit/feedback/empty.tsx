import type { ReactNode } from "react";
import { Icon } from "../icons/icon.tsx";
import type { IconName } from "../icons/icon-paths.ts";
import "./empty.css";

interface EmptyProps {
  title: string;
  /** What will be here, and how it gets here. */
  text: ReactNode;
  action?: ReactNode;
  icon?: IconName;
}

/** Stands where nothing is yet, and says what to do about it. */
export function Empty({ title, text, action, icon }: EmptyProps) {
  return (
    <div className="empty">
      {icon && (
        <span className="empty-icon">
          <Icon name={icon} size={24} />
        </span>
      )}
      <h2 className="empty-title">{title}</h2>
      <div className="empty-text">{text}</div>
      {action && <div className="empty-action">{action}</div>}
    </div>
  );
}
