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
  let last: Promise<unknown> = Promise.resolve();
  const callNext = async (name: string, given: Uint8Array) => {
    for (const part of writeFrame({ call: name }, given)) await output(part);
    const frame = await readFrame(source, BYTES_MAX);
    if (frame === undefined) throw new Error("nobody answers");
    return frame.body;
  };
  // One after the other: an answer does not say what it is for.
  const call: Call = (name, given) => {
    const turn = last.then(() => callNext(name, given));
    last = turn.catch(() => {});
    return turn;
  };
  for (;;) {
    const asked = await readFrame(source, BYTES_MAX);
    if (asked === undefined) return;
    for (const part of writeFrame({}, await read(asked, call))) await output(part);
  }
}

/** Asks the other process something, and waits for what it says. */
export type Call = (name: string, given: Uint8Array) => Promise<Uint8Array>;

/** What is loaded is no more than what is asked for. */
async function read({ head, body }: Frame, call: Call): Promise<Uint8Array> {
  if (head["page"] === true) {
    const { answerPage } = await import("../page-reading/page-reading.ts");
    return body.length === 0 ? body : answerPage(body);
  }
  if (head["asciidoc"] === true) {
    const { answerAsciidoc } = await import("../page-reading/page-reading.ts");
    return answerAsciidoc(body, call);
  }
  const { DOCUMENT_KINDS, readDocument } = await import("../../documents/documents.ts");
  const kind = DOCUMENT_KINDS.find((each) => each === head["document"]);
  const said =
    kind === undefined ? { unreadable: "is of no kind that is read" } : await readDocument(body, kind);
  return new TextEncoder().encode(JSON.stringify(said));
}
