import { type FormEvent, useState } from "react";
import { isAbort } from "./api.ts";
import { type ApiError, toApiError } from "./api-error.ts";

/** A form that is sent to the server: whether it is under way, and what came of the last attempt. */
interface Submit {
  onSubmit: (event: FormEvent) => void;
  isBusy: boolean;
  error: ApiError | undefined;
}

/** Sends a form by `send`, one attempt at a time. */
export function useSubmit(send: () => Promise<void>): Submit {
  const [isBusy, setIsBusy] = useState(false);
  const [error, setError] = useState<ApiError>();
  const attempt = async () => {
    setIsBusy(true);
    setError(undefined);
    try {
      await send();
    } catch (failed) {
      if (!isAbort(failed)) setError(toApiError(failed));
    } finally {
      setIsBusy(false);
    }
  };
  return {
    onSubmit(event) {
      event.preventDefault();
      if (!isBusy) void attempt();
    },
    isBusy,
    error,
  };
}
