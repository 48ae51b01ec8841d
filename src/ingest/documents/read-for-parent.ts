import { DOCUMENT_KINDS, readDocument } from "../../documents/documents.ts";
import { createByteSource } from "../sources/byte-source.ts";
import { readFrame, writeFrame } from "./frames.ts";

interface Streams {
  input: AsyncIterable<Uint8Array>;
  /** Resolves when it has left. */
  output(part: Uint8Array): Promise<void>;
}

/** No file is larger: who asks has looked at its size. */
const DOCUMENT_BYTES_MAX = 2_000_000_000;

/** Reads documents for the process that started this one, one after the other, until that one has no more, or has ended. */
export async function readForParent({ input, output }: Streams): Promise<void> {
  const source = createByteSource(input);
  for (;;) {
    const asked = await readFrame(source, DOCUMENT_BYTES_MAX);
    if (asked === undefined) return;
    const kind = DOCUMENT_KINDS.find((each) => each === asked.head["kind"]);
    const said =
      kind === undefined
        ? { unreadable: "is of no kind that is read" }
        : await readDocument(asked.body, kind);
    for (const part of writeFrame({}, new TextEncoder().encode(JSON.stringify(said)))) await output(part);
  }
}
