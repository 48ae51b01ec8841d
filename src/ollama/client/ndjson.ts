import { OllamaFault } from "../faults.ts";

const LINE_CHARACTERS_MAX = 1_000_000;

/**
 * The values of a stream of JSON lines, however the bytes are chunked. Throws `protocol` for anything else.
 */
export async function* readNdjson(
  chunks: AsyncIterable<Uint8Array>,
  { lineCharactersMax = LINE_CHARACTERS_MAX }: { lineCharactersMax?: number } = {},
): AsyncGenerator<unknown> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of chunks) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) if (!isBlank(line)) yield parseLine(line, lineCharactersMax);
    if (rest.length > lineCharactersMax) throw tooLong(lineCharactersMax);
  }
  rest += decoder.decode();
  if (!isBlank(rest)) yield parseLine(rest, lineCharactersMax);
}

const isBlank = (line: string) => line.trim() === "";

function parseLine(line: string, lineCharactersMax: number): unknown {
  if (line.length > lineCharactersMax) throw tooLong(lineCharactersMax);
  try {
    return JSON.parse(line);
  } catch (cause) {
    throw new OllamaFault("protocol", `a line that is not JSON: ${line.slice(0, 200)}`, { cause });
  }
}

function tooLong(lineCharactersMax: number): OllamaFault {
  return new OllamaFault("protocol", `a line of more than ${lineCharactersMax} characters`);
}
