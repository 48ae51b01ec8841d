import type { ApiError } from "../../api-error.ts";
import { Button } from "../buttons/button.tsx";
import { Icon } from "../icons/icon.tsx";
import "./failed.css";

/** Stands where something could not be read, says why and offers another attempt. */
export function Failed({ error, retry }: { error: ApiError; retry?: () => void }) {
  return (
    <div className="failed" role="alert">
      <Icon name="warning" size={20} />
      <div className="failed-text">
        <strong>{error.message}</strong>
        {error.hint && <span>{error.hint}</span>}
        {error.status >= 500 && error.requestId !== "" && (
          <span className="failed-request">Request {error.requestId}</span>
        )}
      </div>
      {retry && (
        <Button size="small" icon="refresh" onClick={retry}>
          Try again
        </Button>
      )}
    </div>
  );
}
