import type { ReactNode } from "react";
import { Icon } from "../icons/icon.tsx";
import { type ButtonKind, buttonClass } from "./button.tsx";

interface OutsideLinkProps {
  href: string;
  kind?: ButtonKind;
  children: ReactNode;
}

/** A link out of the dashboard that looks like a button. It opens beside it. */
export function OutsideLink({ href, kind = "plain", children }: OutsideLinkProps) {
  return (
    <a href={href} target="_blank" rel="noreferrer" className={buttonClass(kind, "normal")}>
      <Icon name="external" size={17} />
      {children}
    </a>
  );
}
