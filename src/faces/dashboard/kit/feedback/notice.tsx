import type { ReactNode } from "react";
import { Icon } from "../icons/icon.tsx";
import type { IconName } from "../icons/icon-paths.ts";
import type { Tone } from "../text/badge.tsx";
import "./notice.css";

const ICONS: Record<Tone, IconName> = {
  good: "check",
  warn: "warning",
  bad: "warning",
  quiet: "info",
  accent: "info",
};

interface NoticeProps {
  tone?: Tone;
  children: ReactNode;
  action?: ReactNode;
}

/** A sentence that stands on the page and matters more than its neighbours. */
export function Notice({ tone = "accent", children, action }: NoticeProps) {
  return (
    <div className={`notice notice-${tone}`}>
      <Icon name={ICONS[tone]} />
      <div className="notice-text">{children}</div>
      {action}
    </div>
  );
}
