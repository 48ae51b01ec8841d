/** What a set of vectors was made with. Vectors of another identity cannot be compared with them. */
export interface EmbedderIdentity {
  /** Changes whenever the same text would get another vector: kind, model, digest. */
  identity: string;
  dimensions: number;
}

/** What is embedded. Some models want the two told apart. */
export type EmbedPurpose = "passage" | "question";

/** Turns text into vectors that lie near each other where the meaning does. */
export interface Embedder {
  describe(signal: AbortSignal): Promise<EmbedderIdentity>;
  /** One vector of length one for each text, in their order; undefined where it knows nothing of the text. */
  embed(texts: string[], purpose: EmbedPurpose, signal: AbortSignal): Promise<(Float32Array | undefined)[]>;
}
