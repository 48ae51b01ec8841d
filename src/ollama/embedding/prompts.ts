/** What a model was trained to read before a passage, and before a question. */
export interface EmbedPrompts {
  passage: string;
  question: string;
}

const PLAIN: EmbedPrompts = { passage: "", question: "" };
const asQuestion = (question: string): EmbedPrompts => ({ passage: "", question });
const REPRESENT = asQuestion("Represent this sentence for searching relevant passages: ");
const INSTRUCT = asQuestion(
  "Instruct: Given a web search query, retrieve relevant passages that answer the query\nQuery: ",
);

/**
 * By the model's name, the first that fits. Ollama sends the text as it is given, so what a model's card on Hugging
 * Face asks for is added here: nomic-ai/nomic-embed-text-v1.5, google/embeddinggemma-300m, Qwen/Qwen3-Embedding-0.6B,
 * Snowflake/snowflake-arctic-embed-l-v2.0 (2 says "query: ", 1 an English sentence), mixedbread-ai/mxbai-embed-large-v1,
 * BAAI/bge-large-en-v1.5 and bge-large-zh-v1.5 (bge-m3 wants nothing), intfloat/e5-large-v2,
 * intfloat/multilingual-e5-large-instruct. Models that are not here (all-minilm, granite, gte, jina) want nothing.
 */
const BY_NAME: [name: RegExp, prompts: EmbedPrompts][] = [
  [/nomic-embed-text/, { passage: "search_document: ", question: "search_query: " }],
  [/embedding-?gemma/, { passage: "title: none | text: ", question: "task: search result | query: " }],
  [/qwen3-embedding/, INSTRUCT],
  [/snowflake-arctic-embed(?:2|.*v2)/, asQuestion("query: ")],
  [/snowflake-arctic-embed|mxbai-embed|bge-(?:small|base|large)-en/, REPRESENT],
  [/bge-(?:small|base|large)-zh/, asQuestion("为这个句子生成表示以用于检索相关文章：")],
  [/bge-m3/, PLAIN],
  [/(?:^|[/-])bge-(?:small|base|large)/, REPRESENT],
  [/(?:^|[/-])e5-.*(?:instruct|mistral)/, INSTRUCT],
  [/(?:^|[/-])e5(?:[-:]|$)/, { passage: "passage: ", question: "query: " }],
];

/** The prompts of a model, by the name under which Ollama has it. */
export function promptsFor(model: string): EmbedPrompts {
  const name = model.toLowerCase();
  return BY_NAME.find(([pattern]) => pattern.test(name))?.[1] ?? PLAIN;
}
