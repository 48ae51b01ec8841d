import { letOthersRun, type Pacer } from "@docent/kernel/lib/event-loop";
import type { Log } from "@docent/kernel/lib/log";
import type { Embedder } from "@docent/kernel/vectors/embedder";
import { cosine } from "@docent/kernel/vectors/quantize";
import { doesNotKnow } from "../unanswered/unanswered.ts";
import { type BlockPiece, type BlockSplitter, createBlockSplitter } from "./blocks.ts";
import { createJudge } from "./judge.ts";
import { type Sentence, sentencesOf, states } from "./sentences.ts";
import {
  carries,
  createSupport,
  type Support,
  type SupportCandidate,
  type SupportPassage,
  type SupportReader,
} from "./supporting-passages.ts";

export { type Sentence, sentencesOf, states } from "./sentences.ts";
export {
  createSupport,
  createSupportReader,
  findSupport,
  type SupportReader,
  supportOf,
} from "./supporting-passages.ts";

/** Links a model's statements to the passages that support them, as they stream. */
export interface SupportLinks {
  /** The text with links after the blocks that ended in it. */
  write(text: string): Promise<string>;
  end(): Promise<string>;
  /** The numbers of the passages linked to here, in order of first mention. */
  linked(): number[];
  /**
   * The share of the statements without a doubt (`judge.ts`), once the text has ended. Undefined where none could be
   * judged: of statements in another language than the passages', only numbers and names are.
   */
  share(): number | undefined;
}

export interface SupportLinksOptions {
  passages: (SupportPassage & { url: string })[];
  /** What was asked: an answer may repeat its names and numbers. */
  question: string;
  similarities: Similarities;
  /** Whether the model has cited anything so far: then its own citations are the links. */
  hasCited: () => boolean;
  notCovered: string;
  language: string;
  /**
   * Called before each piece that is compared with the passages, because many answers end at the same time.
   */
  pace: Pacer;
  readSupport: SupportReader;
}

const LINKS_MAX = 3;
/** How many sentences are compared with the passages before other work goes on. */
const SENTENCES_AT_ONCE = 20;
/** How many are judged. */
const JUDGED_AT_ONCE = 4;

/** An answer that is being linked. */
interface Linking extends SupportLinksOptions {
  blocks: BlockSplitter;
  linked: Set<number>;
  /** What was said so far, with the passages that each sentence or its block cites. */
  said: { sentence: Sentence; cites: readonly number[] }[];
  share: number | undefined;
  /** Made on first use: reading the passages takes longer than a first word should wait. */
  support: Support | undefined;
}

export function createSupportLinks(options: SupportLinksOptions): SupportLinks {
  const linking: Linking = {
    ...options,
    blocks: createBlockSplitter(),
    linked: new Set(),
    said: [],
    share: undefined,
    support: undefined,
  };
  return {
    write: (text) => linkAll(linking, linking.blocks.write(text)),
    async end() {
      const rest = await linkAll(linking, linking.blocks.end());
      linking.share = await judgeAll(linking);
      return rest;
    },
    linked: () => [...linking.linked],
    share: () => linking.share,
  };
}

/** The share of the statements without a doubt. */
async function judgeAll({ said, passages, question }: Linking): Promise<number | undefined> {
  if (said.length === 0) return undefined;
  const prose = said.flatMap(({ sentence }) => (sentence.isCode ? [] : sentence.text)).join("\n");
  const judge = createJudge(passages, question, prose);
  let [stated, doubted] = [0, 0];
  for (const [index, { sentence, cites }] of said.entries()) {
    // Other streams go on meanwhile.
    if (index % JUDGED_AT_ONCE === 0) await letOthersRun();
    const { isJudged, doubts } = judge.judge(sentence, cites);
    // "To do so, run:" states nothing, and may name a command that does not exist.
    if (isJudged && (states(sentence) || doubts.length > 0)) stated++;
    if (doubts.length > 0) doubted++;
  }
  return stated === 0 ? undefined : (stated - doubted) / stated;
}

async function linkAll(linking: Linking, pieces: Iterable<BlockPiece>): Promise<string> {
  let out = "";
  for (const piece of pieces) out += piece.type === "text" ? piece.text : await linksBehind(linking, piece);
  return out;
}

/** Keeps what a block says for judging, and returns links to its support. */
async function linksBehind(
  linking: Linking,
  { markdown, apart }: Extract<BlockPiece, { type: "end" }>,
): Promise<string> {
  const { passages, notCovered, language, linked } = linking;
  // The text so far leaves within two ticks of the event loop: it need not wait for the comparison after it.
  await letOthersRun();
  await letOthersRun();
  await linking.pace();
  if (doesNotKnow(markdown, notCovered)) return "";
  const all = sentencesOf(markdown, language);
  const ofBlock = all.flatMap(({ cites }) => cites);
  for (const sentence of all)
    linking.said.push({ sentence, cites: sentence.cites.length > 0 ? sentence.cites : ofBlock });
  if (linking.hasCited()) return "";
  const carriers = await carriersOf(linking, all.filter(states));
  const best = [...new Set(carriers.flatMap((numbers) => numbers.slice(0, 1)))].slice(0, LINKS_MAX);
  if (best.length === 0) return "";
  for (const number of best) linked.add(number);
  const urlOf = (number: number) => passages.find((passage) => passage.number === number)?.url;
  return (apart ?? " ") + best.map((number) => `[[${number}]](${urlOf(number)})`).join("");
}

/** For each sentence the numbers of the supporting passages, best first. */
async function carriersOf(linking: Linking, sentences: Sentence[]): Promise<number[][]> {
  linking.support ??= createSupport(linking.passages, linking.readSupport);
  const { support, similarities } = linking;
  const candidates: SupportCandidate[][] = [];
  for (const [index, sentence] of sentences.entries()) {
    // Other streams go on meanwhile.
    if (index % SENTENCES_AT_ONCE === SENTENCES_AT_ONCE - 1) await letOthersRun();
    candidates.push(candidatesOf(support, sentence));
  }
  const pairs = candidates.flatMap((own, index) =>
    own.map(({ words }): [string, string] => [sentences[index]?.text ?? "", words]),
  );
  const near = (await similarities(pairs)).values();
  return candidates.map((own, index) => {
    if (sentences[index]?.isCode) return support.ofCode(sentences[index].text).map(({ number }) => number);
    return own
      .map((candidate) => ({ number: candidate.number, is: carries(candidate, near.next().value) }))
      .flatMap(({ number, is }) => (is ? [number] : []));
  });
}

/**
 * The passages that may support a sentence. One with citations is supported by what it cites, or not at all.
 */
function candidatesOf(support: Support, { text, isCode, cites }: Sentence): SupportCandidate[] {
  if (isCode) return [];
  const all = support.candidates(text);
  return cites.length === 0 ? all : all.filter(({ number }) => cites.includes(number));
}

/** Measures how near the meanings of two texts are; undefined where that is unknown. */
type Similarities = (pairs: [string, string][]) => Promise<(number | undefined)[]>;

/** How long a reader waits for vectors, once in an answer. */
const WAIT_MS = 400;

/** Measures pairs of texts. Where vectors are slow or missing, it gives up for the rest of the answer. */
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
