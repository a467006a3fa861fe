/** An error as RFC 9457 has it, with our refusal code and what to do next. */
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
