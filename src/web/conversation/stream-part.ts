import { readUrl } from "../markdown/targets.ts";
import type { FoundPassage } from "./state.ts";
import { asList, asNumber, asRecord, asText, parseJson } from "./values.ts";

/** What a part of the v2 stream says. */
export type StreamPart =
  | { type: "start"; messageId: string | undefined; threadId: string | undefined }
  | { type: "query"; query: string }
  | { type: "results"; results: FoundPassage[] }
  | { type: "queue"; position: number | undefined }
  | { type: "reasoning"; text: string }
  | { type: "text"; text: string }
  | { type: "source"; url: string; title: string }
  | {
      type: "finish";
      threadId: string | undefined;
      outcome: string | undefined;
      model: string | undefined;
    }
  | { type: "error"; message: string };

/** Reads an event's data; undefined where it says nothing to us: parts that do not exist yet are passed over. */
export function readStreamPart(data: string): StreamPart | undefined {
  const part = asRecord(parseJson(data));
  const metadata = asRecord(part["messageMetadata"]);
  const threadId = asText(metadata["threadId"]);
  switch (part["type"]) {
    case "start":
      return { type: "start", messageId: asText(part["messageId"]), threadId };
    case "tool-input-available":
      return { type: "query", query: asText(asRecord(part["input"])["query"]) ?? "" };
    case "tool-output-available":
      return { type: "results", results: readResults(asRecord(part["output"])["results"]) };
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
