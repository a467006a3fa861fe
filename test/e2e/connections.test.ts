import { existsSync, readdirSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { aDaemon, anHttpClient, aPlace, aStdioClient, until, type Daemon } from "../kit/daemon.ts";

const OPEN_FILES = 256;
const agents = z.object({ agents: z.array(z.object({ agentId: z.string() })) });

function openFiles({ pid }: Daemon): number {
  return readdirSync(`/proc/${pid}/fd`).length;
}

/** Connections that send nothing. */
async function idle(count: number, to: { path: string } | { port: number }): Promise<Socket[]> {
  const sockets = Array.from({ length: count }, () => connect({ host: "127.0.0.1", ...to }));
  onTestFinished(() => sockets.forEach((socket) => socket.destroy()));
  await Promise.all(
    sockets.map(
      (socket) =>
        new Promise<void>((resolve) => {
          socket.on("connect", () => resolve());
          socket.on("error", () => resolve());
        }),
    ),
  );
  return sockets;
}

test.skipIf(!existsSync("/proc/self/fd"))(
  "agents and clients work while more idle connections are opened than the process may have open files",
  async () => {
    const place = { ...aPlace(), openFiles: OPEN_FILES };
    const daemon = await aDaemon(place);
    const client = await anHttpClient(daemon.url);
    const { groupId } = await client.call("create_group", { description: "x" });
    const started = await client.call("run_agents", {
      groupId,
      agents: [{ role: "impl-code", prompt: "待つ\n#rehearsal sleep 600000" }],
    });
    const [agent] = agents.parse(started).agents;
    const status = async () => {
      const answer = await fetch(`${daemon.url}/api/agents/${agent?.agentId}`);
      return z.object({ status: z.string() }).parse(await answer.json()).status;
    };
    await until(async () => (await status()) === "running");

    await idle(400, { port: Number(new URL(daemon.url).port) });
    await idle(400, { path: daemon.socketPath });

    expect(openFiles(daemon)).toBeLessThan(OPEN_FILES - 50);
    expect(await status()).toBe("running");
    const another = await aStdioClient(place);
    expect(await another.call("list_roles")).toHaveProperty("roles");
    expect(await client.call("list_roles")).toHaveProperty("roles");
  },
);
