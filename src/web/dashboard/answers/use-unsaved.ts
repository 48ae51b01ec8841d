import { useEffect, useRef } from "react";
import { useConfirm } from "../kit/confirm.tsx";
import { listenToLeaving, navigate } from "../router.ts";

/** Asks before what was written is lost: by a link inside the app, and by the browser's own ways out. */
export function useUnsaved(isChanged: boolean): { saved(): void } {
  const confirm = useConfirm();
  const isAtRisk = useRef(false);
  isAtRisk.current = isChanged;
  useEffect(() => {
    const stop = listenToLeaving((to) => {
      if (!isAtRisk.current) return false;
      void confirm({
        title: "Leave without saving?",
        text: "What you wrote is not saved.",
        action: "Leave",
      }).then((isAgreed) => {
        if (!isAgreed) return;
        isAtRisk.current = false;
        navigate(to);
      });
      return true;
    });
    const warn = (event: BeforeUnloadEvent) => {
      if (isAtRisk.current) event.preventDefault();
    };
    window.addEventListener("beforeunload", warn);
    return () => {
      stop();
      window.removeEventListener("beforeunload", warn);
    };
  }, [confirm]);
  return {
    saved() {
      isAtRisk.current = false;
    },
  };
}
