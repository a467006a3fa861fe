/** An error response by RFC 9457, with the refusal code and a hint. */
export function problem(status: number, code: string, detail: string, hint?: string): Response {
  const body = { type: "about:blank", title: code, status, code, detail, ...(hint && { hint }) };
  return new Response(JSON.stringify(body), {
    status,
    headers: {
      "content-type": "application/problem+json",
      ...(status === 401 && { "www-authenticate": "Bearer" }),
    },
  });
}
