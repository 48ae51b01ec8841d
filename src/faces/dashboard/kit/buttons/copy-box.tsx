import { Copy } from "./copy.tsx";
import "./copy-box.css";

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
