import { closeSync, openSync, readSync } from "node:fs";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import type { Context } from "./bench.ts";
import { sleep, until } from "./stats.ts";

const AT_ONCE = 8;
const LOOK_EVERY_MS = 10;
/** No agent can have a result earlier. */
const AT_WORK_MS = 60;

/** Reports for every agent that writes its id into the log, as soon as it does. */
export function aReporter({ ends }: Pick<Context, "ends">, log: string, url: string) {
  const file = openSync(log, "a+");
  const bytes = Buffer.alloc(64 * 1024);
  let rest = "";
  const waiting: { readonly agentId: string; readonly from: number }[] = [];
  const over = new AbortController();
  let reported = 0;
  let failed: unknown;

  function look(): void {
    rest += bytes.toString("latin1", 0, readSync(file, bytes));
    const lines = rest.split("\n");
    rest = lines.pop() ?? "";
    // A health check starts the CLI too, without an agent.
    const from = performance.now() + AT_WORK_MS;
    for (const agentId of lines.filter((line) => line !== "")) waiting.push({ agentId, from });
  }

  async function reportAll(): Promise<void> {
    while (!over.signal.aborted) {
      look();
      const next = waiting[0];
      if (!next || performance.now() < next.from) await sleep(LOOK_EVERY_MS);
      else {
        waiting.shift();
        await report(`${url}/mcp`, next.agentId);
        reported++;
      }
    }
  }
  const workers = Promise.all(Array.from({ length: AT_ONCE }, reportAll)).catch(
    (error: unknown) => (failed = error),
  );
  ends.defer(async () => {
    over.abort();
    await workers;
    closeSync(file);
  });
  return {
    /** Resolves when this number of reports was sent since the beginning. */
    async reached(count: number): Promise<void> {
      await until(() => {
        if (failed) throw failed;
        return reported >= count;
      }, `${count} reports`);
    },
  };
}

/** One client per agent, like real agents. */
async function report(url: string, agentId: string): Promise<void> {
  const client = new Client(
    { name: "bench", version: "1" },
    { versionNegotiation: { mode: "auto" } },
  );
  await client.connect(new StreamableHTTPClientTransport(new URL(url)));
  const answer = await client.callTool({
    name: "report_result",
    arguments: { agentId, status: "success", summary: "done", response: "報告".repeat(180) },
  });
  if (answer.isError) throw new Error(JSON.stringify(answer.content));
  await client.close();
}
