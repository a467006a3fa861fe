/** An error as RFC 9457 has it, with our refusal code. */
export function problem(status: number, code: string, detail: string): Response {
  return new Response(JSON.stringify({ type: "about:blank", status, code, detail }), {
    status,
    headers: { "content-type": "application/problem+json" },
  });
}
