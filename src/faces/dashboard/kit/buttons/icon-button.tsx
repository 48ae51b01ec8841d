import { classNames } from "../class-names.ts";
import type { IconName } from "../icons/icon-paths.ts";
import { Button, type ButtonProps } from "./button.tsx";

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
