/** A program's end: its code, and what it said until then. */
export async function ended(child: Bun.Subprocess<Bun.Spawn.Writable, "pipe", "pipe">) {
  const [out, err, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  return { code, out, err };
}
