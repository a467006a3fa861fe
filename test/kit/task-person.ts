import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { stringify } from "yaml";
import { z } from "zod";
import { aDaemon, aPlace, until, type Daemon } from "./daemon.ts";

/** A limit for tests with many processes on a busy machine. */
export const LONG_MS = 300_000;

const approval = z.looseObject({
  approvalId: z.string(),
  kind: z.string(),
  version: z.number(),
  shown: z.record(z.string(), z.unknown()),
});
const approvals = z.object({ approvals: z.array(approval) });
const task = z.looseObject({
  taskId: z.string(),
  status: z.string(),
  title: z.string().nullable(),
  failure: z.unknown(),
  processes: z
    .array(
      z.looseObject({
        steps: z.array(
          z.looseObject({
            title: z.string(),
            tool: z.string(),
            requiresHumanCheck: z.boolean(),
          }),
        ),
      }),
    )
    .default([]),
  executions: z
    .array(z.looseObject({ summary: z.string().nullable(), status: z.string() }))
    .default([]),
});

export type Person = Awaited<ReturnType<typeof aPersonWithCurl>>;

/** A daemon used over REST; `args` start its one upstream server with Node. */
export async function aPersonWithCurl(
  args: readonly string[] = [],
  config: Record<string, unknown> = {},
) {
  const place = aPlace();
  const output = join(place.dir, "output");
  writeFileSync(
    join(place.dir, "kuromajutsu.config.yaml"),
    stringify({
      agent: { runner: "rehearsal" },
      healthCheck: { enabled: false },
      ...(args.length > 0 && {
        mcpServers: { hr: { command: process.execPath, args, env: { HR_OUTPUT_DIR: output } } },
      }),
      ...config,
    }),
  );
  const daemon: Daemon = await aDaemon(place);

  async function rest(path: string, body?: unknown): Promise<unknown> {
    const init =
      body === undefined
        ? {}
        : {
            method: "POST",
            headers: { "content-type": "application/json" },
            body: JSON.stringify(body),
          };
    const response = await fetch(`${daemon.url}${path}`, init);
    const answer: unknown = await response.json();
    if (!response.ok) throw new Error(`${path} answered ${JSON.stringify(answer)}`);
    return answer;
  }

  async function look(taskId: string) {
    return task.parse(await rest(`/api/tasks/${taskId}`));
  }

  async function reach(taskId: string, done: () => Promise<boolean>): Promise<void> {
    let problem: string | undefined;
    await until(
      async () => {
        const { status, failure, executions } = await look(taskId);
        if (await done()) return true;
        if (status === "failed") problem = JSON.stringify({ failure, executions });
        return false;
      },
      () => problem,
      LONG_MS,
    );
  }

  return {
    output,
    look,
    ask: async (text: string) => task.parse(await rest("/api/tasks", { text })).taskId,
    /** Waits for the pending approval of this kind. */
    async asked(taskId: string, kind: string) {
      const find = async () => {
        const { approvals: all } = approvals.parse(
          await rest(`/api/approvals?status=pending&taskId=${taskId}`),
        );
        return all.find((one) => one.kind === kind);
      };
      await reach(taskId, async () => (await find()) !== undefined);
      return approval.parse(await find());
    },
    decide: (
      { approvalId, version }: z.infer<typeof approval>,
      decision: "approve" | "reject",
      more: Record<string, unknown> = {},
    ) => rest(`/api/approvals/${approvalId}/decision`, { decision, version, ...more }),
    ended: async (taskId: string, how = "completed") => {
      await reach(taskId, async () => (await look(taskId)).status === how);
      return look(taskId);
    },
    retry: (taskId: string) => rest(`/api/tasks/${taskId}/retry`, {}),
  };
}
