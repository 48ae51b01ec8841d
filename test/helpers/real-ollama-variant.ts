/** A model made of another one, until it is given back. */
export interface Variant extends AsyncDisposable {
  name: string;
}

/** Makes a model that is another one with other parameters. Its files are the same, so it takes no time. */
export async function makeVariant(
  url: string,
  name: string,
  from: string,
  parameters: Record<string, unknown>,
): Promise<Variant> {
  const send = async (method: string, path: string, body: object) => {
    const reply = await fetch(url + path, { method, body: JSON.stringify(body) });
    const said = await reply.text();
    if (!reply.ok || said.includes('"error"')) throw new Error(`${path} answered ${reply.status}: ${said}`);
  };
  await send("POST", "/api/create", { model: name, from, parameters, stream: false });
  return {
    name,
    // The other tests count what is installed.
    [Symbol.asyncDispose]: () => send("DELETE", "/api/delete", { model: name }),
  };
}
