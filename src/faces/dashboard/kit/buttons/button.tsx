import type { ButtonHTMLAttributes, Ref } from "react";
import { classNames } from "../class-names.ts";
import { Spinner } from "../feedback/spinner.tsx";
import { Icon } from "../icons/icon.tsx";
import type { IconName } from "../icons/icon-paths.ts";
import "./button.css";

/** How much a button says: `primary` is what the page is for, one of a kind. */
export type ButtonKind = "primary" | "plain" | "quiet" | "danger";

export interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
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
