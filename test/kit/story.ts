import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import {
  aDaemon,
  aPlace,
  anHttpClient,
  SERVER_CACHE,
  until,
  type Place,
  type TestClient,
} from "./daemon.ts";
import { endAll, processesWith } from "./processes.ts";
import { sharedByTests } from "./when-done.ts";

const NOTES_SERVER = fileURLToPath(new URL("./upstream/notes-server.ts", import.meta.url));
/** A limit for tests with many processes on a busy machine. */
export const LONG_MS = 300_000;
const PATIENCE_MS = 90_000;

const approvalShape = z.looseObject({
  approvalId: z.string(),
  kind: z.string(),
  status: z.string(),
  version: z.number(),
  stepId: z.string().nullable(),
  decidedBy: z.string().nullable(),
  shown: z.record(z.string(), z.unknown()),
});
export type SeenApproval = z.infer<typeof approvalShape>;

const taskShape = z.looseObject({
  taskId: z.string(),
  status: z.string(),
  version: z.number(),
  failure: z.unknown(),
  approvals: z.array(approvalShape).default([]),
  notifications: z
    .array(
      z.looseObject({
        agentId: z.string(),
        type: z.string(),
        status: z.string(),
        taskId: z.string().nullable(),
      }),
    )
    .default([]),
  executions: z
    .array(
      z.looseObject({
        executionId: z.string(),
        attempt: z.number(),
        status: z.string(),
        agentId: z.string().nullable(),
        agentIds: z.array(z.string()),
        summary: z.string().nullable(),
        response: z.string().nullable(),
        error: z.string().nullable(),
        steps: z.array(z.looseObject({ stepId: z.string(), status: z.string() })),
      }),
    )
    .default([]),
  agents: z
    .array(z.looseObject({ agentId: z.string(), role: z.string(), status: z.string() }))
    .default([]),
  toolCalls: z
    .array(z.looseObject({ tool: z.string(), status: z.string(), stepId: z.string().nullable() }))
    .default([]),
});
export type SeenTask = z.infer<typeof taskShape>;

const changedShape = z.looseObject({
  task: taskShape,
  stopping: z.array(z.string()),
  cancelledCalls: z.array(z.object({ server: z.string(), tool: z.string(), agentId: z.string() })),
});

const auditShape = z.object({
  entries: z.array(
    z.looseObject({
      seq: z.number(),
      actor: z.string(),
      action: z.string(),
      subject: z.string(),
      data: z.record(z.string(), z.unknown()),
    }),
  ),
});

const noteShape = z.object({
  tool: z.string(),
  what: z.string(),
  text: z.string().optional(),
  key: z.string().optional(),
});

/** A request with three steps; the upstream server records every call. */
export function aRequest(...directives: readonly string[]): string {
  return [
    "ノートを書いて",
    "#rehearsal steps list_notes, write_note, send_word",
    "#rehearsal uncheck step-2",
    '#rehearsal arg step-2.text "やあ"',
    '#rehearsal arg step-3.word "済"',
    ...directives.map((directive) => `#rehearsal ${directive}`),
  ].join("\n");
}

export type Answer = { readonly status: number; readonly body: Record<string, unknown> };

type AStory = {
  readonly place?: Place;
  /** Further upstream servers. */
  readonly servers?: Record<string, unknown>;
  /** Settings of single tools of the `notes` server. */
  readonly readOnly?: Record<string, { readonly readOnly: boolean }>;
  /** How often a wait looks again. Many waits at once need more time between their requests. */
  readonly pollMs?: number;
};

/** A daemon with rehearsal agents and a recording upstream server, used over REST. */
export async function aStory(config: Record<string, unknown> = {}, options: AStory = {}) {
  const place = options.place ?? aPlace();
  const journal = join(place.dir, "journal");
  const notes = {
    command: process.execPath,
    args: [NOTES_SERVER, journal],
    env: SERVER_CACHE,
    tools: options.readOnly ?? {},
  };
  writeFileSync(
    join(place.dir, "kuromajutsu.config.yaml"),
    // JSON is YAML.
    JSON.stringify({
      agent: { runner: "rehearsal" },
      healthCheck: { enabled: false },
      mcpServers: { notes, ...options.servers },
      ...config,
    }),
  );
  let daemon = await aDaemon(place);

  async function ask(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    const response = await fetch(`${daemon.url}${path}`, {
      method,
      headers: {
        "x-kuromajutsu": "1",
        ...(body !== undefined && { "content-type": "application/json" }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const answer = z.record(z.string(), z.unknown()).parse(await response.json());
    return { status: response.status, body: answer };
  }

  async function good(method: string, path: string, body?: unknown) {
    const answer = await ask(method, path, body);
    if (answer.status < 300) return answer.body;
    throw new Error(`${method} ${path} answered ${JSON.stringify(answer)}`);
  }

  async function look(taskId: string): Promise<SeenTask> {
    return taskShape.parse(await good("GET", `/api/tasks/${taskId}`));
  }

  /** Waits until the condition holds; the error of a timeout describes the task. */
  async function reach(taskId: string, isSo: (task: SeenTask) => boolean): Promise<SeenTask> {
    let seen = await look(taskId);
    try {
      await until(
        async () => isSo((seen = await look(taskId))),
        () => (seen.status === "failed" && !isSo(seen) ? "the task failed" : undefined),
        PATIENCE_MS,
        options.pollMs,
      );
    } catch (error) {
      throw new Error(`${String(error)}: ${summaryOf(seen)}`, { cause: error });
    }
    return seen;
  }

  async function pending(taskId: string, kind: string): Promise<SeenApproval> {
    const find = (task: SeenTask) =>
      task.approvals.find((each) => each.kind === kind && each.status === "pending");
    return approvalShape.parse(find(await reach(taskId, (task) => find(task) !== undefined)));
  }

  async function decide(
    { approvalId, version }: SeenApproval,
    decision: "approve" | "reject" = "approve",
    more: Record<string, unknown> = {},
  ): Promise<void> {
    await good("POST", `/api/approvals/${approvalId}/decision`, { decision, version, ...more });
  }

  const created: string[] = [];

  async function create(text: string): Promise<string> {
    const { taskId } = taskShape.parse(await good("POST", "/api/tasks", { text }));
    created.push(taskId);
    return taskId;
  }

  return {
    place,
    url: () => daemon.url,
    ask,
    read: (task: unknown): SeenTask => taskShape.parse(task),
    look,
    reach,
    pending,
    decide,
    create,
    /** Kills the daemon with SIGKILL and starts the next. */
    async killAndRestart(): Promise<void> {
      await daemon.kill("SIGKILL");
      daemon = await aDaemon(place);
    },
    /** Ends every task and its agents, and empties the journal. */
    async clear(): Promise<void> {
      for (const taskId of created.splice(0)) {
        // A task that has ended refuses it.
        await ask("PATCH", `/api/tasks/${taskId}`, { status: "cancelled" });
        for (const { agentId } of (await look(taskId)).agents) {
          endAll(processesWith(`KUROMAJUTSU_AGENT_ID=${agentId}`));
        }
        await until(async () => isAtRest(await look(taskId)));
      }
      rmSync(journal, { force: true });
    },
    stop: () => daemon.kill("SIGTERM"),
    end: (signal: NodeJS.Signals) => daemon.kill(signal),
    /** Creates a task, and approves its prompt and its process. */
    async start(text: string): Promise<string> {
      const taskId = await create(text);
      await decide(await pending(taskId, "prompt"));
      await decide(await pending(taskId, "process"));
      return taskId;
    },
    async change(taskId: string, status: string, more: Record<string, unknown> = {}) {
      const path = `/api/tasks/${taskId}`;
      return changedShape.parse(await good("PATCH", path, { status, ...more }));
    },
    async dryRun(taskId: string, status: string) {
      return changedShape.parse(
        await good("PATCH", `/api/tasks/${taskId}?dryRun=true`, { status }),
      );
    },
    async audit(query = "") {
      return auditShape.parse(await good("GET", `/api/audit?limit=500${query}`)).entries;
    },
    /** A client with the token of the agent's process. */
    as: async (agentId: string): Promise<TestClient> => {
      const { client } = await anHttpClient(daemon.url, { token: tokenOf(agentId) });
      return { client, call: (tool, args = {}) => callAsModel(client, tool, args) };
    },
    /** The calls that the upstream server has recorded. */
    notes: (): readonly z.infer<typeof noteShape>[] => {
      if (!existsSync(journal)) return [];
      const lines = readFileSync(journal, "utf8").split("\n").filter(Boolean);
      return lines.map((line) => noteShape.parse(JSON.parse(line)));
    },
  };
}

export type Story = Awaited<ReturnType<typeof aStory>>;

/**
 * One daemon for the tests of a file that look only at their own task. Each begins without tasks at
 * work and with an empty journal; the audit and the history stay.
 */
export function aSharedStory(config: Record<string, unknown> = {}): () => Promise<Story> {
  const shared = sharedByTests(() => aStory(config));
  return async () => {
    const story = await shared();
    await story.clear();
    return story;
  };
}

/** How many writes the upstream server has carried out. */
export function writesOf({ notes }: Story, tool = "write_note"): number {
  return notes().filter((note) => note.tool === tool && note.what === "wrote").length;
}

export function began({ notes }: Story, tool: string): boolean {
  return notes().some((note) => note.tool === tool && note.what === "began");
}

/** The answer of the tool is stored, so the call survives a crash. */
export function hasAnswered({ toolCalls }: SeenTask, tool: string): boolean {
  return toolCalls.some((call) => call.tool === tool && call.status === "done");
}

/** How many agents of each role the task has had. */
export function castOf({ agents }: SeenTask): Record<string, number> {
  const byRole = Map.groupBy(agents, ({ role }) => role);
  return Object.fromEntries([...byRole].map(([role, all]) => [role, all.length]));
}

export function hasLive(task: SeenTask, role = "executor"): boolean {
  return task.agents.some((agent) => agent.role === role && agent.status === "running");
}

/** No agent of the task is running or queued. */
export function isAtRest({ agents }: SeenTask): boolean {
  return agents.every(({ status }) => status !== "running" && status !== "queued");
}

export function lastAttempt({ executions }: SeenTask) {
  const last = executions.at(-1);
  if (!last) throw new Error("nothing was tried yet");
  return last;
}

export function stepOf(task: SeenTask, stepId: string): string | undefined {
  return lastAttempt(task).steps.find((step) => step.stepId === stepId)?.status;
}

/** The structured answer or the refusal, with the notification line where a refusal has one. */
async function callAsModel(
  client: TestClient["client"],
  name: string,
  args: Record<string, unknown>,
): Promise<Record<string, unknown>> {
  const answer = await client.callTool({ name, arguments: args });
  const record = z.record(z.string(), z.unknown());
  if (answer.structuredContent) return record.parse(answer.structuredContent);
  const texts = answer.content.flatMap((block) => (block.type === "text" ? [block.text] : []));
  const said = record.parse(JSON.parse(texts.at(-1) ?? "{}"));
  return texts.length > 1 ? { ...said, notification: texts[0] } : said;
}

/** Reads the agent's token from the environment of its process. */
export function tokenOf(agentId: string): string {
  const name = "KUROMAJUTSU_AGENT_TOKEN=";
  const entries = processesWith(`KUROMAJUTSU_AGENT_ID=${agentId}`).flatMap((each) =>
    each.environment.filter((entry) => entry.startsWith(name)),
  );
  const [entry] = entries;
  if (!entry) throw new Error(`no process of ${agentId}`);
  return entry.slice(name.length);
}

function summaryOf({ status, failure, executions, approvals, agents, toolCalls }: SeenTask) {
  return JSON.stringify({
    status,
    failure,
    executions: executions.map(({ attempt, status: now, error, summary, steps }) => ({
      attempt,
      now,
      error,
      summary,
      steps: steps.map((step) => step.status),
    })),
    approvals: approvals.map((each) => `${each.kind} ${each.status}`),
    agents: agents.map((each) => `${each.agentId} ${each.status}`),
    toolCalls: toolCalls.map((each) => `${each.tool} ${each.status}`),
  });
}
