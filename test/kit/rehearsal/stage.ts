import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createRehearsalRunner } from "../../../src/adapters/runners/rehearsal/runner.ts";
import type { AgentProgress } from "../../../src/domain/agents/progress.ts";
import type { AgentId } from "../../../src/domain/ids.ts";
import { fold } from "../../contract/runner-contract.ts";

const SOURCE = "src/rehearsal/child.ts";
export const BUILT = "dist/rehearsal.js";

export type Ended = {
  readonly code: number | null;
  readonly signal: string | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly progress: AgentProgress;
};
type RunOptions = Readonly<Record<string, string>>;
export type Stage = Awaited<ReturnType<typeof aStage>>;

/** A working directory for real rehearsals, with the daemons that they connect to. */
export async function aStage(agentId: AgentId, program = SOURCE) {
  const runner = createRehearsalRunner({ command: [process.execPath, resolve(program)] });
  const cwd = await mkdtemp(join(tmpdir(), "rehearsal-"));
  const children = new Set<ChildProcess>();
  const daemons = new Set<{ stop(): Promise<void> }>();

  /** `options`: environment variables and access. */
  function start(prompt: string, { access, ...env }: RunOptions = {}) {
    const { argv, stdin } = runner.command(
      {
        agentId,
        model: "any",
        prompt,
        workingDirectory: cwd,
        access: access === "read-only" ? access : "read-write",
        runDirectory: join(cwd, ".run"),
        mcp: null,
      },
      process.execPath,
    );
    const child = spawn(argv[0] ?? "", argv.slice(1), {
      cwd,
      env: { PATH: process.env.PATH, ...env },
      stdio: ["pipe", "pipe", "pipe"],
    });
    children.add(child);
    let stdout = "";
    let stderr = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
    child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
    child.stdin.end(stdin);

    async function end(): Promise<Ended> {
      await once(child, "close");
      children.delete(child);
      const progress = fold(runner, Buffer.from(stdout), { skipsDeltas: false });
      return { code: child.exitCode, signal: child.signalCode, stdout, stderr, progress };
    }

    async function said(words: string): Promise<void> {
      while (!stdout.includes(words)) await sleep(10);
    }

    return { child, said, ended: end() };
  }

  return {
    cwd,
    start,
    run: (prompt: string, options?: RunOptions): Promise<Ended> => start(prompt, options).ended,
    async use<Daemon extends { stop(): Promise<void> }>(made: Promise<Daemon>): Promise<Daemon> {
      const daemon = await made;
      daemons.add(daemon);
      return daemon;
    },
    async clear(): Promise<void> {
      for (const child of children) child.kill("SIGKILL");
      await Promise.all([...daemons].map((daemon) => daemon.stop()));
      await rm(cwd, { recursive: true });
    },
  };
}
