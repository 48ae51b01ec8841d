import { toApiError } from "./api-error.ts";
import { useToast } from "./kit/overlay/toast.tsx";

/** Asks something of the server, and gives what came of it; where it failed, says why in passing and gives nothing. */
export function useAttempt(): <T>(act: () => Promise<T>) => Promise<T | undefined> {
  const toast = useToast();
  return async (act) => {
    try {
      return await act();
    } catch (error) {
      toast(toApiError(error).message, { tone: "bad" });
      return undefined;
    }
  };
}
