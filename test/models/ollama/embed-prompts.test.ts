import { describe, expect, test } from "bun:test";
import { promptsFor } from "../../../src/models/ollama/embedding/model.ts";

const REPRESENT = "Represent this sentence for searching relevant passages: ";

describe("a model reads what it was trained to read", () => {
  test.each([
    ["nomic-embed-text:latest", "search_document: ", "search_query: "],
    ["hf.co/nomic-ai/nomic-embed-text-v1.5-GGUF:Q8_0", "search_document: ", "search_query: "],
    ["mxbai-embed-large:latest", "", REPRESENT],
    ["snowflake-arctic-embed:335m", "", REPRESENT],
    ["snowflake-arctic-embed2:latest", "", "query: "],
    ["hf.co/Snowflake/snowflake-arctic-embed-l-v2.0-GGUF:latest", "", "query: "],
    ["hf.co/CompendiumLabs/bge-small-en-v1.5-gguf:latest", "", REPRESENT],
    ["bge-large:latest", "", REPRESENT],
    ["bge-m3:latest", "", ""],
    ["quentinz/bge-large-zh-v1.5:latest", "", "为这个句子生成表示以用于检索相关文章："],
    ["jeffh/intfloat-multilingual-e5-large:f16", "passage: ", "query: "],
    ["yxchia/multilingual-e5-base:latest", "passage: ", "query: "],
    [
      "hf.co/x/multilingual-e5-large-instruct-gguf:latest",
      "",
      expect.stringMatching(/^Instruct: .*\nQuery: $/),
    ],
    ["embeddinggemma:300m", "title: none | text: ", "task: search result | query: "],
    ["qwen3-embedding:0.6b", "", expect.stringMatching(/^Instruct: .*\nQuery: $/)],
    ["all-minilm:latest", "", ""],
    ["granite-embedding:278m", "", ""],
    ["code5:latest", "", ""],
  ])("%s", (model, passage, question) => {
    expect(promptsFor(model)).toEqual({ passage, question });
  });
});
