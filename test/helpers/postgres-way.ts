import { connect, createServer, type Socket } from "node:net";

/** A way to PostgreSQL that can be cut: what is sent then arrives nowhere, and nobody is told. */
export async function openWay(url: string) {
  const there = new URL(url);
  const socketPath = there.searchParams.get("path");
  const lead = () =>
    socketPath === null ? connect(Number(there.port || 5432), there.hostname) : connect(socketPath);
  const pairs: [Socket, Socket][] = [];
  const lost: Socket[] = [];
  let isCut = false;
  let isHeld = false;
  const join = ([near, far]: [Socket, Socket]) => {
    near.pipe(far);
    far.pipe(near);
  };
  const server = createServer((near) => {
    near.on("error", () => {});
    if (isCut) {
      near.pause();
      lost.push(near);
      return;
    }
    const far = lead();
    pairs.push([near, far]);
    if (!isHeld) join([near, far]);
    far.on("error", () => near.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the way has no port");
  return {
    url: `postgres://postgres@127.0.0.1:${address.port}${new URL(url).pathname}`,
    /** Those that are open go silent. New ones find the way, unless it stays cut until it is mended. */
    cut({ stays = false } = {}) {
      isCut = stays;
      for (const [near, far] of pairs.splice(0)) {
        near.unpipe(far);
        far.unpipe(near);
        near.pause();
        far.pause();
        lost.push(near, far);
      }
    },
    /** New ones go nowhere, as at a pooler that has none to give; those that are open stay. */
    silenceNew() {
      isCut = true;
    },
    mend() {
      isCut = false;
    },
    /** As where PostgreSQL stands still: nothing arrives until `resume`, and then all of it. */
    hold() {
      isHeld = true;
      for (const pair of pairs) for (const each of pair) each.unpipe().pause();
    },
    resume() {
      isHeld = false;
      for (const pair of pairs) join(pair);
    },
    /** What is sent arrives, and what is answered is lost. */
    loseAnswers() {
      for (const [near, far] of pairs) far.unpipe(near).resume();
    },
    /** Ends those that are open or cut, as a machine does that goes down in order. New ones find the way. */
    hangUp() {
      for (const each of [...pairs.splice(0).flat(), ...lost.splice(0)]) each.destroy();
    },
    close() {
      server.close();
      for (const each of [...pairs.flat(), ...lost]) each.destroy();
    },
  };
}

export type Way = Awaited<ReturnType<typeof openWay>>;
