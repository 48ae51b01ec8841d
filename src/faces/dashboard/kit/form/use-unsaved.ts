import { useEffect, useRef } from "react";
import { listenToLeaving } from "../../router.ts";
import { useConfirm } from "../overlay/confirm.tsx";

/** Asks before a page is left on which something was typed and not saved. `saved()` lets it be left in the same moment. */
export function useUnsaved(isUnsaved: boolean): { saved(): void } {
  const confirm = useConfirm();
  const isAtRisk = useRef(isUnsaved);
  useEffect(() => {
    isAtRisk.current = isUnsaved;
  }, [isUnsaved]);
  useEffect(() => {
    let isAgreed = false;
    const isKept = () => isAtRisk.current && !isAgreed;
    const ask = async (leave: () => void) => {
      isAgreed = await confirm({
        title: "Leave without saving?",
        text: "What you changed on this page is not saved yet.",
        action: "Leave",
      });
      if (isAgreed) leave();
    };
    const stopListening = listenToLeaving((leave) => {
      const stays = isKept();
      if (stays) void ask(leave);
      return stays;
    });
    const onUnload = (event: BeforeUnloadEvent) => {
      if (isKept()) event.preventDefault();
    };
    window.addEventListener("beforeunload", onUnload);
    return () => {
      stopListening();
      window.removeEventListener("beforeunload", onUnload);
    };
  }, [confirm]);
  return {
    saved() {
      isAtRisk.current = false;
    },
  };
}
