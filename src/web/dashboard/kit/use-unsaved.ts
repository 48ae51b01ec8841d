import { useEffect } from "react";
import { listenToLeaving, navigate } from "../router.ts";
import { useConfirm } from "./confirm.tsx";

/** Asks before a page is left on which something was typed and not saved. */
export function useUnsaved(isUnsaved: boolean): void {
  const confirm = useConfirm();
  useEffect(() => {
    if (!isUnsaved) return;
    let isAgreed = false;
    const ask = async (to: string) => {
      isAgreed = await confirm({
        title: "Leave without saving?",
        text: "What you changed on this page is not saved yet.",
        action: "Leave",
      });
      if (isAgreed) navigate(to);
    };
    const stopListening = listenToLeaving((to) => {
      if (!isAgreed) void ask(to);
      return !isAgreed;
    });
    const onUnload = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener("beforeunload", onUnload);
    return () => {
      stopListening();
      window.removeEventListener("beforeunload", onUnload);
    };
  }, [isUnsaved, confirm]);
}
