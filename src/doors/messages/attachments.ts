import type { AttachedImage, ReaderContext } from "@docent/answering/answer/responder";

interface Attached {
  texts: ReaderContext[];
  images: AttachedImage[];
}

const IMAGE = /^image\/(png|jpeg|webp|gif)$/;
const TEXT = /^(text\/|application\/(json|xml|yaml|x-yaml|toml|javascript|x-sh)$)/;
const DATA_URL = /^data:([^;,]*)((?:;[^;,]+)*?)(;base64)?,/;

/** What can be used of an attachment: text, and pictures. Nothing is ever fetched: only `data:` holds anything. */
export function readAttachments(
  attachments: { url: string; name?: string | null | undefined; contentType?: string | null | undefined }[],
): Attached {
  const used: Attached = { texts: [], images: [] };
  for (const { url, name, contentType } of attachments) {
    const head = DATA_URL.exec(url.slice(0, 500));
    if (!head) continue;
    const mediaType = (head[1] || contentType || "text/plain").toLowerCase();
    const data = url.slice(head[0].length);
    const isBase64 = head[3] !== undefined;
    if (IMAGE.test(mediaType) && isBase64) used.images.push({ mediaType, base64: data });
    else if (TEXT.test(mediaType)) {
      const text = isBase64 ? decodeBase64(data) : decodePercent(data);
      if (text !== undefined) used.texts.push({ kind: "attachment", text, path: name ?? undefined });
    }
  }
  return used;
}

function decodeBase64(data: string): string | undefined {
  try {
    return new TextDecoder().decode(Uint8Array.fromBase64(data));
  } catch {
    return undefined;
  }
}

function decodePercent(data: string): string | undefined {
  try {
    return decodeURIComponent(data);
  } catch {
    return undefined;
  }
}
