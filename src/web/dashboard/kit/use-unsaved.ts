import { useEffect, useRef } from "react";
import { currentAddress, hrefOf, listenToLeaving, listenToMoves, navigate } from "../router.ts";
import { useConfirm } from "./confirm.tsx";

/**
 * Asks before a page is left on which something was typed and not saved: by a link inside the app, by the browser's way
 * back and forth, and by its other ways out. `saved()` lets it be left in the same moment.
 */
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
    const stopListening = [
      listenToLeaving((to) => {
        const stays = isKept();
        if (stays) void ask(() => navigate(to));
        return stays;
      }),
      holdAddress(isKept, (leave) => void ask(leave)),
    ];
    const onUnload = (event: BeforeUnloadEvent) => {
      if (isKept()) event.preventDefault();
    };
    window.addEventListener("beforeunload", onUnload);
    return () => {
      for (const stop of stopListening) stop();
      window.removeEventListener("beforeunload", onUnload);
    };
  }, [confirm]);
  return {
    saved() {
      isAtRisk.current = false;
    },
  };
}

/** The browser tells of its way back when it has gone it: the address is put back, in front of the one that was gone to. */
function holdAddress(isKept: () => boolean, ask: (leave: () => void) => void): () => void {
  let own = { address: currentAddress(), state: history.state };
  const stopListening = listenToMoves(() => {
    own = { address: currentAddress(), state: history.state };
  });
  const onReturn = (event: PopStateEvent) => {
    // Another place on the same page is none that is left.
    if (!isKept() || currentAddress() === own.address) return;
    event.stopImmediatePropagation();
    history.pushState(own.state, "", hrefOf(own.address));
    ask(() => history.back());
  };
  // Before everything else hears of it.
  window.addEventListener("popstate", onReturn, { capture: true });
  return () => {
    stopListening();
    window.removeEventListener("popstate", onReturn, { capture: true });
  };
}
