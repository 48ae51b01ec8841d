import type { Embedder } from "../../embed/embedder.ts";
import { cosine } from "../../embed/quantize.ts";
import type { Pacer } from "../../lib/event-loop.ts";
import { letOthersRun } from "../../lib/event-loop.ts";
import type { Log } from "../../lib/log.ts";
import { doesNotKnow } from "../unanswered/unanswered.ts";
import { type BlockPiece, createBlockReader } from "./blocks.ts";
import { type Candidate, carries, createSupport, type Supporting } from "./carriers.ts";
import { type Sentence, sentencesOf, states } from "./sentences.ts";

/** Links what a model says to the passages that carry it, as it comes. */
export interface SupportLinks {
  write(text: string): Promise<string>;
  end(): Promise<string>;
  /** Numbers of the passages that were linked to here, in the order of their first mention. */
  linked(): number[];
  /** The share of the sentences stating something that a passage carries; undefined where none states anything. */
  share(): number | undefined;
}

interface SupportLinksOptions {
  passages: (Supporting & { url: string })[];
  similarities: Similarities;
  /** Whether the model has cited anything so far: then its own citations are the links. */
  hasCited: () => boolean;
  notCovered: string;
  language: string;
  /** Many answers come to an end together: passed before each piece that is held against the passages. */
  pace: Pacer;
}

const LINKS_MAX = 3;
/** How many are compared with the passages before something else has its turn. */
const SENTENCES_AT_ONCE = 20;

/** What was written has left by the turn after the next: it need not wait for what is looked at behind it. */
const written = () => letOthersRun().then(letOthersRun);

/** What is made when it is first asked for. */
function once<T extends object>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

export function createSupportLinks(options: SupportLinksOptions): SupportLinks {
  const { passages, similarities, hasCited, notCovered, language, pace } = options;
  // Reading the passages takes longer than a first word should wait.
  const support = once(() => createSupport(passages));
  const blocks = createBlockReader();
  const urls = new Map(passages.map(({ number, url }) => [number, url]));
  const linked = new Set<number>();
  let stated = 0;
  let supported = 0;

  async function readAll(pieces: Iterable<BlockPiece>): Promise<string> {
    let out = "";
    for (const piece of pieces) out += piece.type === "text" ? piece.text : await linksBehind(piece);
    return out;
  }

  /** Counts what a block states, and returns the links to what carries it. */
  async function linksBehind({ markdown, apart }: Extract<BlockPiece, { type: "end" }>): Promise<string> {
    await written();
    await pace();
    if (doesNotKnow(markdown, notCovered)) return "";
    const sentences = sentencesOf(markdown, language).filter(states);
    const carriers = await carriersOf(sentences);
    stated += sentences.length;
    supported += carriers.filter((numbers) => numbers.length > 0).length;
    if (hasCited()) return "";
    const best = [...new Set(carriers.flatMap((numbers) => numbers.slice(0, 1)))].slice(0, LINKS_MAX);
    if (best.length === 0) return "";
    for (const number of best) linked.add(number);
    return (apart ?? " ") + best.map((number) => `[[${number}]](${urls.get(number)})`).join("");
  }

  /** For each sentence the passages that carry it, the best first. */
  async function carriersOf(sentences: Sentence[]): Promise<number[][]> {
    const candidates: Candidate[][] = [];
    for (const [index, sentence] of sentences.entries()) {
      // What others are streamed meanwhile goes on.
      if (index % SENTENCES_AT_ONCE === SENTENCES_AT_ONCE - 1) await letOthersRun();
      candidates.push(candidatesOf(sentence));
    }
    const pairs = candidates.flatMap((own, index) =>
      own.map(({ words }): [string, string] => [sentences[index]?.text ?? "", words]),
    );
    const near = (await similarities(pairs)).values();
    return candidates.map((own, index) => {
      if (sentences[index]?.isCode)
        return support()
          .ofCode(sentences[index].text)
          .map(({ number }) => number);
      return own
        .map((candidate) => ({ number: candidate.number, is: carries(candidate, near.next().value) }))
        .flatMap(({ number, is }) => (is ? [number] : []));
    });
  }

  /** A sentence that cites is carried by what it cites, or not at all. */
  function candidatesOf({ text, isCode, cites }: Sentence): Candidate[] {
    if (isCode) return [];
    const all = support().candidates(text);
    return cites.length === 0 ? all : all.filter(({ number }) => cites.includes(number));
  }

  return {
    write: (text) => readAll(blocks.write(text)),
    end: () => readAll(blocks.end()),
    linked: () => [...linked],
    share: () => (stated === 0 ? undefined : supported / stated),
  };
}

/** How near the meanings of two texts are; undefined where that is not known. */
type Similarities = (pairs: [string, string][]) => Promise<(number | undefined)[]>;

/** A reader waits for this no longer, once in an answer. */
const WAIT_MS = 400;

/** Measures pairs of texts. Where vectors are slow or missing it gives up, for the rest of the answer. */
export function createSimilarities(
  embedder: Pick<Embedder, "embed">,
  log: Log,
  signal: AbortSignal,
): Similarities {
  let gaveUp = false;
  return async (pairs) => {
    const unknown = pairs.map(() => undefined);
    if (gaveUp || pairs.length === 0) return unknown;
    const bounded = AbortSignal.any([signal, AbortSignal.timeout(WAIT_MS)]);
    try {
      const texts = [...new Set(pairs.flat())];
      const vectors = await embedder.embed(texts, "passage", bounded);
      const byText = new Map(texts.map((text, index) => [text, vectors[index]]));
      return pairs.map(([a, b]) => {
        const [first, second] = [byText.get(a), byText.get(b)];
        return first && second ? cosine(first, second) : undefined;
      });
    } catch (error) {
      signal.throwIfAborted();
      gaveUp = true;
      log.info("what carries an answer is told by its words alone", { reason: String(error) });
      return unknown;
    }
  };
}
