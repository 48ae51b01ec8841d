import type { Maker } from "./page-reading/page-reading.ts";
import type { Frame } from "./reading-process/conversation.ts";
import { type Call, converse, type Streams } from "./reading-process/conversation.ts";

/** Reads for the process that started this one, which is asked for what belongs to it. */
export async function readForParent(streams: Streams): Promise<void> {
  let maker: Maker | undefined;
  await converse(streams, async (asked, call) => {
    if (asked.head["tree"] === true) maker = await open(asked, call);
    return read(asked, call, maker);
  });
}

async function open({ body }: Frame, call: Call): Promise<Maker> {
  const { openMaker } = await import("./page-reading/page-reading.ts");
  return openMaker(body, call);
}

/** What is loaded is no more than what is asked for. */
async function read({ head, body }: Frame, call: Call, maker: Maker | undefined): Promise<Uint8Array> {
  if (head["tree"] === true) return new Uint8Array();
  if (head["made"] === true && maker !== undefined) return maker.make(body);
  if (head["words"] === true) {
    const { answerWords } = await import("./page-reading/page-reading.ts");
    return answerWords(body);
  }
  if (head["page"] === true) {
    const { answerPage } = await import("./page-reading/page-reading.ts");
    return body.length === 0 ? body : answerPage(body);
  }
  if (head["rendered"] === true) {
    const { answerRendered } = await import("./page-reading/page-reading.ts");
    return answerRendered(body, call);
  }
  if (head["asciidoc"] === true) {
    const { answerAsciidoc } = await import("./page-reading/page-reading.ts");
    return answerAsciidoc(body, call);
  }
  const { DOCUMENT_KINDS, readDocument } = await import("./documents/documents.ts");
  const kind = DOCUMENT_KINDS.find((each) => each === head["document"]);
  const said =
    kind === undefined ? { unreadable: "is of no kind that is read" } : await readDocument(body, kind);
  return new TextEncoder().encode(JSON.stringify(said));
}
