import type { Notice, NoticeChannel, NoticeDestination } from "./notice.ts";

/** What came of sending a notice. */
export interface Sent {
  isSent: boolean;
  /** What came back, in one line, for whoever looks after the destination. It holds no secret, and no address. */
  says: string;
}

/** A way on which notices go out. */
export interface NoticeWay {
  channels: readonly NoticeChannel[];
  /** What is wrong with an address, or what the operator has to allow first; undefined where it can be sent to. */
  fault(destination: Pick<NoticeDestination, "channel" | "address">): string | undefined;
  /** Sends one. What the other side does wrong is told, and not raised. */
  send(notice: Notice, destination: NoticeDestination, signal: AbortSignal): Promise<Sent>;
}
