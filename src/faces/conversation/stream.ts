import { asList, asNumber, asRecord, asText, jsonIn } from "@docent/kernel/text/json";
import { readUrl } from "@docent/kernel/text/safe-url";
import type { FoundPassage } from "./state.ts";

/** The parts of an answer's stream as they come, up to the one that ends it. */
export async function* readAnswer(
  body: ReadableStream<Uint8Array>,
  onBytes: () => void,
): AsyncGenerator<StreamPart> {
  const events = createServerEvents();
  const reader = body.getReader();
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      onBytes();
      for (const data of events.write(read.value)) {
        const part = readStreamPart(data);
        if (part !== undefined) yield part;
        if (part?.type === "finish" || part?.type === "error") return;
      }
    }
  } finally {
    // Nothing waits for it: a connection that broke would say so once more.
    reader.cancel().catch(() => {});
  }
}

const EVENT_CHARACTERS_MAX = 4_000_000;
const LINE_END = /\r\n|\n|\r/g;

/** Cuts a stream of bytes into the data of server-sent events. */
interface ServerEvents {
  /** The events that are whole with these bytes. They may be cut anywhere, in the middle of a character too. */
  write(bytes: Uint8Array): string[];
}

export function createServerEvents(): ServerEvents {
  const decoder = new TextDecoder();
  let rest = "";
  /** How many characters of the rest are known to hold no end of a line. */
  let searched = 0;
  let data: string[] = [];
  let characters = 0;

  /** Takes a line; gives an event's data where the line ends one. */
  function takeLine(line: string): string[] {
    if (line === "") {
      const whole = data;
      data = [];
      characters = 0;
      return whole.length === 0 ? [] : [whole.join("\n")];
    }
    // Comments are signs of life; fields other than data say nothing to us.
    if (line.startsWith("data:")) data.push(line.slice(line[5] === " " ? 6 : 5));
    characters += line.length;
    return [];
  }

  return {
    write(bytes) {
      rest += decoder.decode(bytes, { stream: true });
      const events: string[] = [];
      let from = 0;
      LINE_END.lastIndex = searched;
      for (let end = LINE_END.exec(rest); end !== null; end = LINE_END.exec(rest)) {
        // What follows a carriage return at the end may be the other half of its line end.
        if (end[0] === "\r" && end.index + 1 === rest.length) break;
        events.push(...takeLine(rest.slice(from, end.index)));
        from = end.index + end[0].length;
      }
      rest = rest.slice(from);
      searched = rest.endsWith("\r") ? rest.length - 1 : rest.length;
      if (rest.length + characters > EVENT_CHARACTERS_MAX) throw new Error("too large");
      return events;
    },
  };
}

/** What a part of the v2 stream says. */
export type StreamPart =
  | { type: "start"; messageId: string | undefined; threadId: string | undefined }
  | { type: "query"; query: string }
  | { type: "results"; results: FoundPassage[]; corrected: string | undefined }
  | { type: "queue"; position: number | undefined }
  | { type: "reasoning"; text: string }
  | { type: "text"; text: string }
  | { type: "source"; url: string; title: string }
  | {
      type: "finish";
      threadId: string | undefined;
      outcome: string | undefined;
      model: string | undefined;
      followUps: string[];
    }
  | { type: "error"; message: string };

/** Reads an event's data; undefined where it says nothing to us: parts that do not exist yet are passed over. */
export function readStreamPart(data: string): StreamPart | undefined {
  const part = asRecord(jsonIn(data));
  const metadata = asRecord(part["messageMetadata"]);
  const threadId = asText(metadata["threadId"]);
  switch (part["type"]) {
    case "start":
      return { type: "start", messageId: asText(part["messageId"]), threadId };
    case "tool-input-available":
      // A search has words, and a page that is read has a path.
      return { type: "query", query: Object.values(asRecord(part["input"])).join(" # ") };
    case "tool-output-available": {
      const { results, corrected } = asRecord(part["output"]);
      return { type: "results", results: readResults(results), corrected: asText(corrected) };
    }
    case "data-status":
      return { type: "queue", position: asNumber(asRecord(part["data"])["position"]) };
    case "reasoning-delta":
      return { type: "reasoning", text: asText(part["delta"]) ?? "" };
    case "text-delta":
      return { type: "text", text: asText(part["delta"]) ?? "" };
    case "source-url": {
      const url = readUrl(asText(part["url"]) ?? "")?.url;
      return url === undefined ? undefined : { type: "source", url, title: asText(part["title"]) ?? url };
    }
    case "finish":
      return {
        type: "finish",
        threadId,
        outcome: asText(metadata["outcome"]),
        model: asText(metadata["model"]),
        followUps: asList(metadata["followUps"]).filter((each) => typeof each === "string"),
      };
    case "error":
      return { type: "error", message: asText(part["errorText"]) ?? "" };
    default:
      return undefined;
  }
}

/** Passages as the search tool shows them. */
function readResults(value: unknown): FoundPassage[] {
  return asList(value).flatMap((each) => {
    const result = asRecord(each);
    const metadata = asRecord(result["metadata"]);
    const path = asText(result["path"]);
    const href = readUrl(asText(metadata["href"]) ?? `/${path}`)?.url;
    if (path === undefined || href === undefined) return [];
    const title = asText(metadata["title"]) ?? path;
    const [content, score] = [asText(result["content"]) ?? "", asNumber(metadata["score"]) ?? 0];
    return [{ title, content, path, href, score }];
  });
}

/** Watches over something that should say something now and then. */
interface SilenceWatch {
  /** Something was said. */
  heard(): void;
  end(): void;
}

/** Calls `onSilence` when nothing was heard for so long. */
export function watchSilence(milliseconds: number, onSilence: () => void): SilenceWatch {
  let timer = setTimeout(onSilence, milliseconds);
  return {
    heard() {
      clearTimeout(timer);
      timer = setTimeout(onSilence, milliseconds);
    },
    end: () => clearTimeout(timer),
  };
}
