import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { until, type Place, type TestClient } from "./daemon.ts";

const started = z.object({ agents: z.array(z.object({ agentId: z.string() })) });

export async function aGroup({ call }: TestClient, description = "試験"): Promise<string> {
  const { groupId } = await call("create_group", { description });
  return z.string().parse(groupId);
}

export type AgentSpec = {
  role?: string;
  prompt?: string;
  workingDirectory?: string;
  isolation?: "worktree" | "none";
  base?: string;
  timeout_ms?: number;
  resumeAgentId?: string;
  labels?: readonly string[];
};

export async function runAll(
  client: TestClient,
  groupId: string,
  specs: readonly AgentSpec[],
): Promise<string[]> {
  const answer = await client.call("run_agents", {
    groupId,
    agents: specs.map((spec) => ({ role: "impl-code", prompt: "やって", ...spec })),
  });
  const parsed = started.safeParse(answer);
  if (!parsed.success) throw new Error(`run_agents answered ${JSON.stringify(answer)}`);
  return parsed.data.agents.map((agent) => agent.agentId);
}

/**
 * Waits until the processes have ended, so that exit codes and all observations are there:
 * wait_agent answers as soon as an agent has reported.
 */
export async function waitForAll(client: TestClient, agentIds: readonly string[]) {
  const answer = await waitForResults(client, agentIds);
  for (const agentId of agentIds) {
    await until(async () => isSettled(await client.call("get_agent_status", { agentId })));
  }
  return answer;
}

function isSettled(answer: unknown): boolean {
  const { success, data } = statusShape.safeParse(answer);
  if (!success || data.status === "queued" || data.status === "running") return false;
  return data.status !== "resultReported" || data.result?.exitCode !== undefined;
}

/** Calls wait_agent as its answers ask for: again with the cursor, and again after a restart. */
export async function waitForResults({ call }: TestClient, agentIds: readonly string[]) {
  const completed: unknown[] = [];
  for (let cursor: unknown; ;) {
    const answer = await call("wait_agent", { agentIds, ...(cursor ? { cursor } : {}) });
    if (answer["code"] === "DAEMON_RESTARTED") continue;
    // Each answer lists only the agents that finished since the last one.
    completed.push(...z.array(z.unknown()).catch([]).parse(answer["completed"]));
    if (!answer["waitMore"]) return { ...answer, completed };
    cursor = answer["cursor"];
  }
}

export async function statusOf({ call }: TestClient, agentId: string) {
  return statusShape.parse(await call("get_agent_status", { agentId }));
}

const statusShape = z.looseObject({
  status: z.string(),
  toolCallCount: z.number(),
  result: z
    .looseObject({
      status: z.string(),
      summary: z.string(),
      errorMessage: z.string().optional(),
      exitCode: z.union([z.number(), z.string()]).optional(),
      editedFiles: z.array(z.string()),
      createdFiles: z.array(z.string()),
    })
    .nullable(),
});

/** Waits until the agent's last attempt has written this text. */
export function untilSaid(place: Place, agentId: string, text: string): Promise<void> {
  return until(() => readSpool(place, agentId, "out").includes(text));
}

/**
 * A spool file of the agent's last attempt; "": there is none yet. The number of the attempt is not
 * always 1: a daemon that dies between the claim of an attempt and its start skips its number.
 */
export function readSpool(place: Place, agentId: string, ending: "out" | "status"): string {
  const spool = join(place.dataDir, "spool");
  const names = existsSync(spool) ? readdirSync(spool) : [];
  const attempts = names
    .filter((name) => name.startsWith(`${agentId}.`) && name.endsWith(`.${ending}`))
    .map((name) => Number(name.slice(agentId.length + 1, -ending.length - 1)));
  if (attempts.length === 0) return "";
  return readFileSync(join(spool, `${agentId}.${Math.max(...attempts)}.${ending}`), "utf8");
}
