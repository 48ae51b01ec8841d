import { Link, type LinkProps } from "../../router.ts";
import { Icon } from "../icons/icon.tsx";
import type { IconName } from "../icons/icon-paths.ts";
import { type ButtonKind, buttonClass } from "./button.tsx";

interface ButtonLinkProps extends LinkProps {
  kind?: ButtonKind;
  icon?: IconName;
  size?: "normal" | "small";
}

/** A link inside the app that looks like a button. */
export function ButtonLink(props: ButtonLinkProps) {
  const { kind = "plain", icon, size = "normal", className, children, ...rest } = props;
  return (
    <Link {...rest} className={buttonClass(kind, size, className)}>
      {icon && <Icon name={icon} size={size === "small" ? 15 : 17} />}
      {children}
    </Link>
  );
}
