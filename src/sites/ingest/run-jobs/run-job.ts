import { RUN_OUTCOMES } from "../stores.ts";

/** What is to be done with a source, while whoever asked for it goes on. */
export interface RunRequest {
  domain: string;
  siteId: number;
  organizationId: string;
  sourceId: number;
  location: string;
  /** Takes its pages out of the index, and the source off the list, instead of reading it. */
  removes?: boolean;
  /** Takes pages away even where the source lists far fewer than before. */
  force?: boolean;
  /** Ends before the first page where the docs of a generator are recognized. */
  preview?: boolean;
  /** Asks whether pages are at their published addresses. */
  checksAddresses?: boolean;
  /** Publishes although golden questions get worse. */
  acceptsWorse?: boolean;
}

/** `removed`: the source is gone. `stopped`: the server stopped first. */
export const RUN_ENDS = [...RUN_OUTCOMES, "removed", "stopped"] as const;

/** What came of it. */
export interface RunEnd {
  outcome: (typeof RUN_ENDS)[number];
  message?: string | undefined;
  generation?: number | undefined;
  counts?: Record<string, number>;
}

/** A run that was asked for. */
export interface RunJob extends RunRequest {
  id: string;
  state: "waiting" | "running" | "ended";
  requestedAt: number;
  startedAt?: number;
  /** Of one that was begun before, by a server that is gone or stopped: the runs of its source after this one are its own. */
  afterRun?: number;
  endedAt?: number;
  end?: RunEnd;
}

/** Keeps the runs that were asked for. Those that ended are kept for a while: whoever asked looks at what came of them. */
export interface RunJobStore {
  /** Whether other servers take on what was asked of this one, and the other way round. */
  isShared: boolean;
  /** Adds one that waits. False where its source has one that has not ended. */
  add(job: RunJob): Promise<boolean>;
  /** One that has not ended, or not long ago. */
  find(id: string): Promise<RunJob | undefined>;
  /** Lists the jobs that have not ended, the oldest first. One whose server is gone waits again. */
  underWay(): Promise<RunJob[]>;
  /** Takes on one that waits. False where another server was quicker. */
  begin(id: string, at: number): Promise<boolean>;
  /** Lets one wait again that this server has begun. */
  giveBack(id: string): Promise<void>;
  end(id: string, end: RunEnd, at: number): Promise<void>;
}

/** How many ended runs of an organization can still be asked after. */
export const ENDED_KEPT = 500;
