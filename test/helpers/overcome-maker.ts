// A program for tests: reads as this program does, and stands for one that a page has got the better of whenever that page is
// to be made Markdown of: at one of these locations, or with one of these words in it.

import { askedShape, readWithFiles } from "../../src/reading/page-reading/made-shape.ts";
import {
  answerPage,
  answerRendered,
  answerWords,
  type Maker,
  openMaker,
} from "../../src/reading/page-reading/page-reading.ts";
import { converse } from "../../src/reading/reading-process/conversation.ts";

const [way = "", ...locations] = process.argv.slice(2);
let maker: Maker | undefined;

function overcome() {
  if (way === "leave") process.exit(0);
  for (;;);
}

const output = async (part: Uint8Array) => void process.stdout.write(part);

await converse({ input: Bun.stdin.stream(), output }, async ({ head, body }, call) => {
  if (head["tree"] === true) {
    if (way === "hang-before") overcome();
    maker = await openMaker(body, call);
    return new Uint8Array();
  }
  if (head["made"] === true && maker !== undefined) {
    const { location } = askedShape.parse(readWithFiles(body).asked);
    if (locations.includes(location)) overcome();
    return maker.make(body);
  }
  if (head["rendered"] === true) {
    if (locations.some((mark) => new TextDecoder().decode(body).includes(mark))) overcome();
    return answerRendered(body, call);
  }
  if (head["words"] === true) return answerWords(body);
  return body.length === 0 ? body : answerPage(body);
});
