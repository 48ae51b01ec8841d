import { letOthersRun } from "@docent/kernel/lib/event-loop";
import { SaxesParser } from "saxes";

/** Is told what an XML file holds, in its order. */
interface XmlReading {
  open(name: string, attributes: Readonly<Record<string, string>>): void;
  close(name: string): void;
  words(text: string): void;
  /** `<?target …?>` */
  instruction?(target: string, body: string): void;
}

const PIECE_CHARACTERS = 256_000;
const NESTED_MAX = 1_000;
/** Names of HTML's entities are what remains of pages that were pasted in, and so are control characters. */
const HARMLESS = /undefined entity|disallowed character\.$|malformed character entity/;

/**
 * Reads a large file of XML, as far as it can be read: entities that it defines are not expanded, and nothing outside of it
 * is read. Returns what was wrong.
 */
export async function readXml(text: string, reading: XmlReading): Promise<string | undefined> {
  const parser = createParser(reading);
  for (let at = 0; at < text.length && parser.fault() === undefined; at += PIECE_CHARACTERS) {
    parser.write(text.slice(at, at + PIECE_CHARACTERS));
    await letOthersRun();
  }
  return parser.end();
}

/** Reads a small file, or a piece of one, at once. Goes on after what is wrong: tags that are not closed, above all. */
export function readXmlPiece(text: string, reading: XmlReading): string | undefined {
  const parser = createParser(reading);
  parser.write(text);
  return parser.end();
}

function createParser({ open, close, words, instruction }: XmlReading) {
  let fault: string | undefined;
  let depth = 0;
  let isTooDeep = false;
  const parser = new SaxesParser<{ xmlns: false; position: false }>({ xmlns: false, position: false });
  parser.on("error", (error) => {
    if (!HARMLESS.test(error.message)) fault ??= error.message;
  });
  parser.on("opentag", ({ name, attributes }) => {
    depth += 1;
    isTooDeep ||= depth > NESTED_MAX;
    if (isTooDeep) fault ??= "its elements are nested too deep";
    else open(name, attributes);
  });
  parser.on("closetag", ({ name }) => {
    depth -= 1;
    if (!isTooDeep) close(name);
  });
  const take = (text: string) => {
    if (!isTooDeep) words(text);
  };
  parser.on("text", take);
  parser.on("cdata", take);
  if (instruction !== undefined)
    parser.on("processinginstruction", ({ target, body }) => {
      if (!isTooDeep) instruction(target, body);
    });
  return {
    write: (text: string) => void parser.write(text),
    fault: () => fault,
    end() {
      if (fault === undefined) parser.close();
      return fault;
    },
  };
}
