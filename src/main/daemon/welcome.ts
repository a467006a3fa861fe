import type { DaemonStatus } from "../../contract/hello.ts";
import { mcpSnippet } from "./mcp-snippet.ts";

type Rehearsal = { readonly why: "no-cli" | "configured"; readonly clis: string };

/** The banner of `kuromajutsu serve`. */
export function welcome(
  { url, configPath, dataDir, untrusted }: DaemonStatus,
  rehearsal: Rehearsal | undefined,
): string {
  return `
  黒魔術 Kuromajutsu
  ${url ?? ""}
${rehearsal ? rehearsalLines(rehearsal) : ""}
  MCP クライアントの設定に加えてください / add this to your MCP client (.cursor/mcp.json, …):

${mcpSnippet().replaceAll(/^/gm, "    ")}

  設定 / configuration  ${configPath ?? "built-in defaults (no kuromajutsu.config.yaml found)"}
  データ / data          ${dataDir}
  終了 / stop            Ctrl-C
${untrusted ? notTrusted(untrusted) : ""}
`;
}

function notTrusted({ notUsed, problem, command }: NonNullable<DaemonStatus["untrusted"]>): string {
  return `
  ! この設定ファイルは信頼されていないので、次のものは使われません / the file is not trusted, so these are not used:
      ${notUsed.join(", ")}
${problem ? `      ${problem}\n` : ""}    中身を確かめて信頼するには / to look at it and trust it:
      ${command}
`;
}

function rehearsalLines({ why, clis }: Rehearsal): string {
  if (why === "configured") {
    return `
  リハーサルのみ行います（runner: rehearsal）。
  Rehearsing, as configured (runner: rehearsal).
`;
  }
  return `
  エージェントの CLI が見つからないため、リハーサルのみ行います。
  No agent CLI found: rehearsing. Install ${clis} to do real work.
`;
}
