import "./button.css";
import type { ButtonHTMLAttributes, ReactNode, Ref } from "react";
import { Link, type LinkProps } from "../../router.ts";
import { classNames } from "../class-names.ts";
import { Spinner } from "../feedback/spinner.tsx";
import { Icon } from "../icons/icon.tsx";
import type { IconName } from "../icons/icon-paths.ts";

/** How much a button says: `primary` is what the page is for, one of a kind. */
export type ButtonKind = "primary" | "plain" | "quiet" | "danger";

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  kind?: ButtonKind;
  /** What it started still runs: it shows so and does nothing more. */
  busy?: boolean;
  icon?: IconName;
  size?: "normal" | "small";
  ref?: Ref<HTMLButtonElement>;
}

/** A button with words. While busy it keeps its place and its focus. */
export function Button(props: ButtonProps) {
  const {
    kind = "plain",
    busy = false,
    icon,
    size = "normal",
    className,
    children,
    onClick,
    ...rest
  } = props;
  return (
    <button
      type="button"
      {...rest}
      className={buttonClass(kind, size, className)}
      aria-disabled={busy || undefined}
      aria-busy={busy || undefined}
      onClick={(event) => {
        if (busy) event.preventDefault();
        else onClick?.(event);
      }}
    >
      {busy ? <Spinner /> : icon && <Icon name={icon} size={size === "small" ? 15 : 17} />}
      {children}
    </button>
  );
}

/** The class of what looks like a button. */
export const buttonClass = (kind: ButtonKind, size: "normal" | "small", more?: string) =>
  classNames("button", `button-${kind}`, size === "small" && "button-small", more);

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

interface IconButtonProps extends Omit<ButtonProps, "children" | "icon"> {
  icon: IconName;
  /** What it does, in words: spoken, and shown on hover. */
  label: string;
}

/** A button that is a drawing, with its words for those who need them. */
export function IconButton({ label, kind = "quiet", className, ...rest }: IconButtonProps) {
  return (
    <Button
      {...rest}
      kind={kind}
      className={classNames("icon-button", className)}
      aria-label={label}
      title={label}
    />
  );
}

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
