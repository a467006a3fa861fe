export type CurlCall = {
  readonly method: "POST" | "PATCH";
  /** Absolute. */
  readonly url: string;
  /** Left out for routes without one, which refuse a body. */
  readonly body?: unknown;
  /** Whether people sign in here; the token itself is never in the command. */
  readonly signIn: boolean;
};

/** A command for a POSIX shell. Requests without our header are refused, because a web page could send them. */
export function asCurl({ method, url, body, signIn }: CurlCall): string {
  return [
    `curl -X ${method} ${quoted(url)}`,
    `-H 'x-kuromajutsu: 1'`,
    ...(body === undefined ? [] : [`-H 'content-type: application/json'`]),
    ...(signIn ? [`-H "authorization: Bearer $KUROMAJUTSU_TOKEN"`] : []),
    ...(body === undefined ? [] : [`-d ${quoted(JSON.stringify(body))}`]),
  ].join(" \\\n  ");
}

/** An MCP request as clients send it, for scripts and for the inspector. */
export function asMcpCall(name: string, args: unknown): string {
  return JSON.stringify(
    { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args } },
    null,
    2,
  );
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
