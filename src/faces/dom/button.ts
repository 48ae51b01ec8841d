import { element } from "./element.ts";
import * as paths from "./icon-paths.ts";
import { icon, type Picture } from "./icons.ts";

/** A button that is a picture; what it does is told by its label. */
export function iconButton(
  picture: Picture,
  label: string,
  pressed: () => void,
  className = "icon-button",
): HTMLButtonElement {
  return element(
    "button",
    { type: "button", class: className, "aria-label": label, title: label, onclick: pressed },
    icon(picture),
  );
}

const SHOWN_MS = 1600;

/** A button that copies a text, and shows for a moment that it did. */
export function copyButton(labels: { copy: string; copied: string }, text: () => string): HTMLButtonElement {
  const button = iconButton(paths.copy, labels.copy, async () => {
    if (!(await copy(text(), button))) return;
    say(labels.copied, paths.done);
    setTimeout(() => say(labels.copy, paths.copy), SHOWN_MS);
  });
  const say = (label: string, picture: Picture) => {
    button.replaceChildren(icon(picture));
    button.title = label;
    button.setAttribute("aria-label", label);
    button.classList.toggle("is-done", picture === paths.done);
  };
  return button;
}

/** Pages without TLS have no clipboard to write to: there the text is copied from a field. */
async function copy(text: string, beside: HTMLElement): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const field = element("textarea", { class: "off-screen", "aria-hidden": true, tabindex: -1 });
    field.value = text;
    beside.after(field);
    field.select();
    const done = document.execCommand("copy");
    field.remove();
    beside.focus();
    return done;
  }
}
