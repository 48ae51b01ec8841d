import type { IndexPoint } from "@docent/finding/search/search-store";
import type { PageRedirect } from "@docent/reading/page/redirects";
import type { Audience } from "@docent/sites/pages/audience";
import type { PageFilter } from "@docent/sites/pages/pages";
import type { Comparison, GenerationReport } from "./comparison.ts";

/** Where golden questions come from: written by hand, out of a file, or taken from what Docent keeps already. */
export const GOLDEN_ORIGINS = ["hand", "file", "evaluation", "liked", "curated"] as const;
export type GoldenOrigin = (typeof GOLDEN_ORIGINS)[number];

/** A question, and the pages that answer it. */
export interface GoldenQuestion {
  id: string;
  /** The turn that it came from, where that is kept. */
  turnId: string | undefined;
  origin: GoldenOrigin;
  question: string;
  /** Paths, with an anchor where a section is meant. Any of the pages is right. */
  expected: string[];
  version: string;
  language: string;
  /** The groups of whoever asks; undefined: an owner, who sees every page. */
  groups: string[] | undefined;
  at: number;
}

/** Whether an owner wrote it: the words of readers stay where they can be deleted. */
export const isWritten = ({ turnId, origin }: GoldenQuestion) =>
  turnId === undefined && origin !== "liked" && origin !== "evaluation";

/** What golden questions found in what a run had staged. */
export interface GoldenCheck {
  id: string;
  at: number;
  /** The source that was read; undefined where it is gone. */
  source: { id: number; location: string } | undefined;
  /** The generation that readers saw. */
  before: number;
  /** What the run became; undefined where it was not published. */
  generation: number | undefined;
  /** Whether the run was not published because of its golden questions. */
  refused: boolean;
  comparison: Comparison;
}

type NewGoldenCheck = Omit<GoldenCheck, "source"> & { sourceId: number };

/** Keeps golden questions, and what runs made of them. */
export interface GoldenStore {
  /** At most so many, oldest first. */
  list(siteId: number, limit: number): Promise<GoldenQuestion[]>;
  /** All of them or none. */
  add(siteId: number, questions: readonly GoldenQuestion[]): Promise<void>;
  /** Whether the site had it. */
  remove(siteId: number, id: string): Promise<boolean>;
  /** Turns whose readers liked their answers, the newest first. */
  liked(siteId: number, limit: number): Promise<string[]>;
  /** Keeps a check, and the few before it. */
  addCheck(siteId: number, check: NewGoldenCheck): Promise<void>;
  /** Says what a checked run became. */
  settleCheck(siteId: number, id: string, generation: number): Promise<void>;
  /** The newest first. */
  checks(siteId: number, limit: number): Promise<GoldenCheck[]>;
}

/** A revision of a page that a run brought or took away. */
export interface ChangedPage {
  path: string;
  title: string;
  sourceId: number;
  /** How long its text is. */
  bytes: number;
}

/** What a run changed, as it is stored: a page that it changed is among both. */
export interface PageRevisions {
  brought: ChangedPage[];
  taken: ChangedPage[];
  /** The old addresses of its source's pages, where it found others than before. */
  redirects: PageRedirect[];
}

/** A question as readers asked it. */
export interface AskedTurn {
  turnId: string;
  /** Made whole, where it was a follow-up. Its beginning. */
  text: string;
  /** The docs did not answer it, or its reader disliked the answer. */
  isGap: boolean;
  /** The gap that it belongs to. */
  gapId: string | undefined;
  /** Who asked it, by which pages are for them. */
  audience: Audience;
  filter: PageFilter;
}

/** A generation whose report is kept. */
export interface ToldGeneration {
  number: number;
  /** When its report was made: numbers may be given again after a rollback. */
  at: number;
  /** Whether the site went back from this generation, so that readers do not see what it changed. */
  isUndone: boolean;
  /** The generation that readers see. */
  visible: number;
}

/** Keeps what generations are to readers, and reads what that is made of. */
export interface GenerationReportStore {
  /** Keeps a generation's report, and those of the few before it. */
  put(siteId: number, number: number, report: GenerationReport, at: number): Promise<void>;
  get(siteId: number, number: number): Promise<{ report: GenerationReport; at: number } | undefined>;
  /** The latest reports of generations that are known still, the newest first. */
  latest(siteId: number, most: number): Promise<ToldGeneration[]>;
  /** The generation before one that is kept; undefined where it is not kept, or was taken back. */
  before(siteId: number, number: number): Promise<number | undefined>;
  /** What a run has staged, or a generation brought, without hidden pages: of either side at most so many. */
  revisions(siteId: number, point: IndexPoint, most: number): Promise<PageRevisions>;
  /** The newest questions that ended with an answer, or without one. */
  asked(siteId: number, most: number): Promise<AskedTurn[]>;
  /** The words of questions by their turns, of those that are kept. */
  words(siteId: number, turnIds: readonly string[]): Promise<Map<string, string>>;
}
