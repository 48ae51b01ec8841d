import type { ReactNode } from "react";
import { createRoot } from "react-dom/client";
import { type Api, ApiContext, createApi } from "../../src/faces/dashboard/api.ts";
import { ConfirmProvider } from "../../src/faces/dashboard/kit/overlay/confirm.tsx";
import { ToastProvider } from "../../src/faces/dashboard/kit/overlay/toast.tsx";
import { fakeServer } from "./dashboard-server.ts";
import { untilFound } from "./until.ts";

/** Waits until something is so. */
export const until = <T,>(look: () => T | undefined | null | false): Promise<T> =>
  untilFound(look, () => document.body.innerHTML.slice(0, 3000));

/** Shows something with what pages have around them. */
export function show(content: ReactNode, api: Api = apiOf(fakeServer(() => ({ status: 404 })))) {
  const place = document.createElement("div");
  document.body.append(place);
  const root = createRoot(place);
  root.render(
    <ApiContext value={api}>
      <ToastProvider>
        <ConfirmProvider>{content}</ConfirmProvider>
      </ToastProvider>
    </ApiContext>,
  );
  return {
    place,
    close() {
      root.unmount();
      place.remove();
    },
  };
}

/** The operations of a server, with nobody to sign in again. */
export const apiOf = ({ fetch }: Pick<ReturnType<typeof fakeServer>, "fetch">): Api =>
  createApi({ base: "", fetch, signInAgain: async () => false });

/** Types into a control as a person does, so that React hears of it. */
export function type(control: Element | null, text: string): void {
  if (!(control instanceof HTMLInputElement || control instanceof HTMLTextAreaElement))
    throw new Error("there is nothing to type into");
  const kind = control instanceof HTMLInputElement ? HTMLInputElement : HTMLTextAreaElement;
  Object.getOwnPropertyDescriptor(kind.prototype, "value")?.set?.call(control, text);
  control.dispatchEvent(new Event("input", { bubbles: true }));
}

/** The button of that name. */
export function button(name: string): HTMLButtonElement {
  const found = [...document.querySelectorAll("button")].find(
    (each) => (each.getAttribute("aria-label") ?? each.textContent) === name,
  );
  if (!found) throw new Error(`there is no button ${name}: ${document.body.innerHTML.slice(0, 3000)}`);
  return found;
}

/** Presses a key where the focus is. */
export const press = (key: string, target: Element | null = document.activeElement) =>
  target?.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
