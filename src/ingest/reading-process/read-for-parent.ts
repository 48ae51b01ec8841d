import { createByteSource } from "../sources/byte-source.ts";
import { type Frame, readFrame, writeFrame } from "./frames.ts";

interface Streams {
  input: AsyncIterable<Uint8Array>;
  /** Resolves when it has left. */
  output(part: Uint8Array): Promise<void>;
}

/** No file is larger: who asks has looked at its size. */
const BYTES_MAX = 2_000_000_000;

/** Reads for the process that started this one, one thing after the other, until that one has no more, or has ended. */
export async function readForParent({ input, output }: Streams): Promise<void> {
  const source = createByteSource(input);
  for (;;) {
    const asked = await readFrame(source, BYTES_MAX);
    if (asked === undefined) return;
    for (const part of writeFrame({}, await read(asked))) await output(part);
  }
}

/** What is loaded is no more than what is asked for. */
async function read({ head, body }: Frame): Promise<Uint8Array> {
  if (head["page"] === true) {
    const { answerPage } = await import("../page-reading/page-reading.ts");
    return body.length === 0 ? body : answerPage(body);
  }
  const { DOCUMENT_KINDS, readDocument } = await import("../../documents/documents.ts");
  const kind = DOCUMENT_KINDS.find((each) => each === head["document"]);
  const said =
    kind === undefined ? { unreadable: "is of no kind that is read" } : await readDocument(body, kind);
  return new TextEncoder().encode(JSON.stringify(said));
}
