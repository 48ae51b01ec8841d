/** A refusal of what was posted, as the protocol writes one that belongs to no request. */
export function refused(message: string, status = 400, code = -32_000): Response {
  return Response.json({ jsonrpc: "2.0", error: { code, message }, id: null }, { status });
}
