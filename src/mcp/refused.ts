/** The refusal of a post, in the form that the protocol has for errors that belong to no request. */
export function refused(message: string, status = 400, code = -32_000): Response {
  return Response.json({ jsonrpc: "2.0", error: { code, message }, id: null }, { status });
}
