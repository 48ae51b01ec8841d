import { jsonIn } from "../../text/json.ts";
import type { UploadOptions } from "./api.ts";
import { apiErrorOf, offlineError } from "./api-error.ts";

/** Sends a file. XMLHttpRequest, because `fetch` tells nothing of how much was sent. */
export function upload(
  url: string,
  content: Blob,
  { onProgress, signal, method = "POST", contentType }: UploadOptions,
): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const stop = () => request.abort();
    const settle = (then: () => void) => () => {
      signal?.removeEventListener("abort", stop);
      then();
    };
    request.open(method, url);
    request.setRequestHeader("content-type", contentType ?? (content.type || "application/octet-stream"));
    request.upload.onprogress = ({ loaded, total, lengthComputable }) => {
      if (lengthComputable && total > 0) onProgress?.(loaded / total);
    };
    request.onload = settle(() => {
      const body = bodyOf(request);
      if (request.status >= 200 && request.status < 300) resolve(body);
      else reject(apiErrorOf(request.status, body, request.getResponseHeader("x-request-id")));
    });
    request.onerror = settle(() => reject(offlineError()));
    request.onabort = settle(() => reject(new DOMException("The upload was stopped.", "AbortError")));
    signal?.addEventListener("abort", stop);
    if (signal?.aborted) reject(new DOMException("The upload was stopped.", "AbortError"));
    else request.send(content);
  });
}

function bodyOf(request: XMLHttpRequest): unknown {
  if (!request.getResponseHeader("content-type")?.includes("json")) return undefined;
  return jsonIn(request.responseText);
}
