import { errorCode } from "../../base/error-code.ts";

const NO_HOST = new Set(["ENOTFOUND", "EAI_AGAIN"]);
const NO_WAY = new Set([
  "ECONNREFUSED",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ETIMEDOUT",
  "UND_ERR_CONNECT_TIMEOUT",
]);
const MAX_CAUSES = 6;

/** What to do about a server on HTTP that no request reached; undefined if one did. */
export function unreachable(error: unknown, url: string): string | undefined {
  const codes = codesIn(error);
  const { origin, hostname } = new URL(url);
  const unknown = codes.find((code) => NO_HOST.has(code));
  if (unknown !== undefined) {
    return `The host ${hostname} was not found (${unknown}). Correct the url of the server in mcpServers.`;
  }
  const refused = codes.find((code) => NO_WAY.has(code));
  if (refused === undefined) return undefined;
  return `Nothing answers at ${origin} (${refused}). Start the server, or correct its url in mcpServers.`;
}

/** The codes of an error and its causes: fetch and the SDK wrap the one that says why. */
function codesIn(error: unknown): readonly string[] {
  const codes: string[] = [];
  let at: unknown = error;
  for (let depth = 0; at instanceof Error && depth < MAX_CAUSES; depth++) {
    const code = errorCode(at);
    if (code !== undefined) codes.push(code);
    // Several addresses were tried, each with its own error.
    if (at instanceof AggregateError)
      codes.push(...at.errors.map((each) => String(errorCode(each))));
    at = at.cause;
  }
  return codes;
}
