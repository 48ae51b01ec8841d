// What the runtime itself takes to stream a model's replies: `bare-server <port> <address of the model>`, compiled by
// scripts/bench/measure-memory.ts. It searches nothing and keeps nothing.

const [port, model] = process.argv.slice(2);
const encoder = new TextEncoder();

async function* written(reply: Response): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const piece of reply.body ?? []) {
    const lines = (rest + decoder.decode(piece, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) yield `0:${JSON.stringify(JSON.parse(line).message.content)}\n`;
  }
}

const server = Bun.serve({
  hostname: "127.0.0.1",
  port: Number(port),
  idleTimeout: 255,
  routes: { "/health/ready": new Response("ready") },
  async fetch(request) {
    const body = JSON.stringify({ messages: await request.json(), stream: true });
    const lines = written(await fetch(`${model}/api/chat`, { method: "POST", body, proxy: false }));
    return new Response(
      new ReadableStream({
        async pull(controller) {
          const { done, value } = await lines.next();
          if (done === true) controller.close();
          else controller.enqueue(encoder.encode(value));
        },
      }),
    );
  },
});
process.on("SIGTERM", () => void server.stop(true).then(() => process.exit(0)));
