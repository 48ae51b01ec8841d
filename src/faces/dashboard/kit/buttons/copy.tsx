import "./copy-box.css";
import { useEffect, useState } from "react";
import { Button, IconButton } from "./button.tsx";

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

/** Puts a text on the clipboard; false where the browser refuses. */
async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyBySelection(text);
  }
}

/** A plain http address that is not this machine has no clipboard but the one of old. */
function copyBySelection(text: string): boolean {
  const area = document.createElement("textarea");
  area.value = text;
  area.setAttribute("readonly", "");
  area.className = "visually-hidden";
  const before = document.activeElement;
  // A dialog that is open lets nothing outside of it be selected.
  (before?.closest("dialog") ?? document.body).append(area);
  area.select();
  try {
    return document.execCommand("copy");
  } catch {
    return false;
  } finally {
    area.remove();
    if (before instanceof HTMLElement) before.focus();
  }
}

interface CopyBoxProps {
  /** What it is: spoken. */
  label: string;
  text: string;
}

/** A text to take along, such as a key or a snippet, with its button. */
export function CopyBox({ label, text }: CopyBoxProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by the keyboard.
    <section className="copy-box" aria-label={label} tabIndex={0}>
      <pre>
        <code>{text}</code>
      </pre>
      <Copy text={text} label="Copy" />
    </section>
  );
}
