import type { Turn } from "../../../conversation/state.ts";
import { element, fill } from "../../../dom/element.ts";
import type { PanelDeps } from "../deps.ts";

/** A way to a person, for a reader whom the docs did not help. */
interface HandOverView {
  element: HTMLElement;
  update(turn: Turn): void;
}

const UNHELPED: ReadonlySet<string | undefined> = new Set(["unanswered", "touched"]);
const NAME_CHARACTERS_MAX = 200;
const EMAIL_CHARACTERS_MAX = 254;
const MESSAGE_CHARACTERS_MAX = 5000;

/** A button below a question without an answer, or with one that did not help; it opens a form. */
export function createHandOverView({ say, onHandOver }: PanelDeps): HandOverView {
  let turn: Turn | undefined;
  let isSending = false;
  const labelled = (label: string) => ({ placeholder: label, "aria-label": label });
  const name = element("input", {
    autocomplete: "name",
    maxlength: NAME_CHARACTERS_MAX,
    ...labelled(say("personName")),
  });
  const email = element("input", {
    type: "email",
    required: true,
    autocomplete: "email",
    maxlength: EMAIL_CHARACTERS_MAX,
    ...labelled(say("personEmail")),
  });
  const message = element("textarea", {
    rows: 3,
    maxlength: MESSAGE_CHARACTERS_MAX,
    ...labelled(say("personMessage")),
  });
  const send = element("button", { class: "plain" }, say("sendComment"));
  const form = element("form", { class: "form", hidden: true }, name, email, message);
  form.append(element("p", { class: "mark" }, say("personNote")), send);
  const open = element("button", { type: "button", class: "plain", "aria-expanded": "false" }, say("person"));
  const said = element("p", { class: "said", role: "status" });
  open.onclick = () => {
    form.hidden = !form.hidden;
    open.setAttribute("aria-expanded", String(!form.hidden));
    if (!form.hidden) name.focus();
  };
  form.onsubmit = async (event) => {
    event.preventDefault();
    if (!turn || !onHandOver || isSending) return;
    isSending = true;
    fill(said);
    const request = { name: name.value.trim(), email: email.value.trim(), message: message.value.trim() };
    const isSent = await onHandOver(turn, request);
    isSending = false;
    fill(said, say(isSent ? "personSent" : "failed"));
    form.hidden = open.hidden = isSent;
  };
  const view = element("div", { class: "person" }, open, form, said);
  return {
    element: view,
    update(next) {
      turn = next;
      const isHelped = !UNHELPED.has(next.outcome) && next.feedback?.helpful !== false;
      view.hidden =
        onHandOver === undefined || next.threadId === undefined || next.status !== "done" || isHelped;
    },
  };
}
