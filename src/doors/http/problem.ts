import { currentTrace } from "../../base/trace.ts";

/** An error response by RFC 9457, with the refusal code and a hint. */
export function problem(status: number, code: string, detail: string, hint?: string): Response {
  const traceId = currentTrace()?.traceId;
  const body = {
    type: "about:blank",
    title: code,
    status,
    code,
    detail,
    ...(hint && { hint }),
    ...(traceId && { traceId }),
  };
  return new Response(JSON.stringify(body), {
    status,
    headers: {
      "content-type": "application/problem+json",
      ...(status === 401 && { "www-authenticate": "Bearer" }),
    },
  });
}
