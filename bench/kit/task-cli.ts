import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { FAKE_CLIS } from "./place.ts";
import type { Product } from "./product.ts";
import { until } from "./stats.ts";

const ANSWERS = {
  analysis: { title: "bench", description: "bench", priority: "low", type: "bench" },
  planning: { content: "bench" },
  design: { steps: [{ title: "bench", tool: "agent:impl-code", requiresHumanCheck: false }] },
};

export type Executor = { readonly agentId: string; readonly token: string; end(): void };

export type TaskCli = {
  /** The folder for PATH. */
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  /** The next executor that was started; the caller makes its calls until `end`. */
  nextExecutor(): Promise<Executor>;
};

/** A Cursor CLI that answers with fixed drafts, and as executor writes its token to a file and waits. */
export function aTaskCli(product: Product): TaskCli {
  const folder = mkdtempSync(join(product.dir, "task-cli-"));
  const desk = join(folder, "desk");
  mkdirSync(desk);
  writeFileSync(join(folder, "agent"), scriptOf(), { mode: 0o755 });
  return {
    folder,
    env: { BENCH_DESK: desk },
    async nextExecutor() {
      let agentId: string | undefined;
      await until(() => {
        agentId = readdirSync(desk).find((name) => !name.endsWith(".tmp"));
        return agentId !== undefined;
      }, "an executor");
      const file = join(desk, agentId ?? "");
      return {
        agentId: agentId ?? "",
        token: readFileSync(file, "utf8").trim(),
        end: () => rmSync(file),
      };
    },
  };
}

function scriptOf(): string {
  const cases = Object.entries(ANSWERS).map(
    ([stage, answer]) =>
      `*'"stage":"${stage}"'*) answer='${JSON.stringify(JSON.stringify(answer))}' ;;`,
  );
  return `#!/bin/sh
[ "$1" != models ] || exec '${FAKE_CLIS}/agent' models
prompt=$(cat)
answer='"OK"'
case $prompt in
${cases.join("\n")}
*'"stage":"execution"'*)
  mine=$BENCH_DESK/$KUROMAJUTSU_AGENT_ID
  echo "$KUROMAJUTSU_AGENT_TOKEN" >"$mine.tmp" && mv "$mine.tmp" "$mine"
  while [ -e "$mine" ]; do sleep 0.02; done ;;
esac
printf '%s\\n' '{"type":"system","subtype":"init","cwd":"/","session_id":"bench","model":"m"}'
printf '{"type":"result","subtype":"success","duration_ms":1,"is_error":false,"result":%s,"session_id":"bench"}\\n' "$answer"
`;
}
