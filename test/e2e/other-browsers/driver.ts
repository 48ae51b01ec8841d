/** What a person does, as W3C WebDriver and WebDriver BiDi both write it. */
export interface InputSource {
  type: "key" | "pointer";
  id: string;
  actions: object[];
}

/** A browser with one window, and nothing in it. */
export interface Driver {
  navigate(url: string): Promise<void>;
  /** Runs an expression in the page, and gives its value: text. */
  evaluate(expression: string): Promise<unknown>;
  perform(sources: InputSource[]): Promise<void>;
  resize(width: number, height: number): Promise<void>;
  close(): Promise<void>;
}

/** How long one command may take, and a browser to start. */
export const COMMAND_MAX_MS = 120_000;

/** The first words that a program says and that match. */
export async function saidBy(stream: ReadableStream<Uint8Array>, pattern: RegExp): Promise<string> {
  const decoder = new TextDecoder();
  const reader = stream.getReader();
  const late = setTimeout(() => void reader.cancel(), COMMAND_MAX_MS);
  let said = "";
  try {
    for (;;) {
      const { done, value } = await reader.read();
      said += decoder.decode(value, { stream: true });
      const found = pattern.exec(said)?.[1];
      if (found !== undefined) return found;
      if (done) throw new Error(`the browser does not start: ${said}`);
    }
  } finally {
    clearTimeout(late);
    // What it says later is read all the same: a full pipe would stop it.
    void drain(reader);
  }
}

async function drain(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
  while (!(await reader.read().catch(() => ({ done: true }))).done);
}
