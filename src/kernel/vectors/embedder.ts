/** What a set of vectors was made with. Vectors of another identity cannot be compared with them. */
export interface EmbedderIdentity {
  /** Changes whenever the same text would get another vector: kind, model, digest. */
  identity: string;
  dimensions: number;
}

/** What a text is for: some models embed passages and questions differently. */
export type EmbedPurpose = "passage" | "question";

/** Turns texts into vectors that are near each other where the meaning is. */
export interface Embedder {
  /** Whether some headings take less than a millisecond, so that a question can wait for their vectors. */
  readonly isInstant: boolean;
  describe(signal: AbortSignal): Promise<EmbedderIdentity>;
  /**
   * One vector of length one for each text, in order; undefined for a text that the model cannot represent.
   */
  embed(texts: string[], purpose: EmbedPurpose, signal: AbortSignal): Promise<(Float32Array | undefined)[]>;
}
