/** Raised where something that tests need is not available here, which is no failure of Docent's. */
export class NotHere extends Error {}

/**
 * Runs a program until it ends or its time is over, showing its output as it comes. Raises NotHere with its
 * last words.
 */
export async function runBounded(
  command: readonly string[],
  options: { untilMs: number; environment?: Record<string, string>; folder?: string },
): Promise<void> {
  const timeout = Math.floor(options.untilMs - Date.now());
  const [program = ""] = command;
  if (timeout <= 0) throw new NotHere(`no time is left for ${program}`);
  if (Bun.which(program) === null) throw new NotHere(`there is no ${program} on the PATH`);
  const child = Bun.spawn([...command], {
    env: { ...process.env, ...options.environment },
    ...(options.folder === undefined ? {} : { cwd: options.folder }),
    stdin: "ignore",
    stdout: "ignore",
    stderr: "pipe",
    timeout,
  });
  const said = await new Response(child.stderr).text();
  const code = await child.exited;
  if (code === 0) return;
  const why = child.signalCode === null ? `status ${code}` : `${child.signalCode}, out of time`;
  throw new NotHere(`${command.join(" ")} ended with ${why}:\n${lastLines(said)}`);
}

const lastLines = (text: string) => text.trimEnd().split("\n").slice(-8).join("\n");
