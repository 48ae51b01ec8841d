import { useEffect, useState } from "react";
import { Button } from "./button.tsx";
import { copyText } from "./copy-text.ts";
import { IconButton } from "./icon-button.tsx";

interface CopyProps {
  text: string;
  /** What the button does: shown, or spoken where the button is an icon. */
  label: string;
  isIcon?: boolean;
}

const SHOWN_MS = 2000;

/** Copies a text, and says that it did, or that the browser did not let it. */
export function Copy({ text, label, isIcon = false }: CopyProps) {
  const [said, setSaid] = useState<"copied" | "refused">();
  useEffect(() => {
    if (said === undefined) return;
    const timer = setTimeout(() => setSaid(undefined), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [said]);
  const copy = async () => setSaid((await copyText(text)) ? "copied" : "refused");
  const words = said === "copied" ? "Copied" : said === "refused" ? "Select it and copy it by hand" : label;
  const icon = said === "copied" ? "check" : "copy";
  return (
    <>
      {isIcon ? (
        <IconButton icon={icon} size="small" label={words} onClick={() => void copy()} />
      ) : (
        <Button icon={icon} size="small" onClick={() => void copy()}>
          {words}
        </Button>
      )}
      <span className="visually-hidden" role="status">
        {said && words}
      </span>
    </>
  );
}
