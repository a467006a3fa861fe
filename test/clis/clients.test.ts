import { spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { text as textOf } from "node:stream/consumers";
import { describe, expect, onTestFinished, test } from "vitest";
import { aDaemon, aPlace, BIN, readDaemonFile, until, type Place } from "../kit/daemon.ts";
import { aFreePort } from "../kit/free-port.ts";
import { CLIS, type Cli } from "../kit/mock-llm/script.ts";
import { startMockLlm } from "../kit/mock-llm/server.ts";
import { endAll, processesWith } from "../kit/processes.ts";
import { clientCommand } from "./client-command.ts";
import { aHome } from "./home.ts";
import { CACHE } from "./installed.ts";
import { needs } from "./kit.ts";
import { mainAgent, type MainAgent } from "./main-agent.ts";

const TRANSPORTS = ["stdio", "HTTP"] as const;
type Transport = (typeof TRANSPORTS)[number];

/** The longest that an open call may stay unanswered once there is a daemon again. */
const ANSWERED_WITHIN_MS = 5_000;
/** Their own limits for one call are minutes; this is what the test sets. Progress comes every 10 s. */
const LIMIT_MS = 15_000;
/** These end a call at their limit although it reports progress, so a wait has to be split. */
const IGNORES_PROGRESS: readonly Cli[] = ["codex", "gemini"];

type AClient = MainAgent & { readonly limitMs?: number };

/** A main agent in this CLI that follows the README, with a scripted model. */
async function aClient(cli: Cli, transport: Transport, options: AClient) {
  const script = mainAgent(options);
  /** When each number of tool results was first seen. */
  const seenAt = new Map<number, number>();
  const llm = await startMockLlm((turn) => {
    if (!seenAt.has(turn.results.length)) seenAt.set(turn.results.length, Date.now());
    return script(turn);
  });
  onTestFinished(() => llm.close());
  const place = aPlace({ KUROMAJUTSU_PORT: String(await aFreePort()) });
  const url = `http://127.0.0.1:${place.env["KUROMAJUTSU_PORT"]}/mcp`;
  if (transport === "HTTP") await aDaemon(place);
  const ended = run(cli, place, llm.url, {
    server: transport === "HTTP" ? { url } : { command: shimOf(place) },
    limitMs: options.limitMs,
  });
  const results = () => llm.turns.at(-1)?.results ?? [];
  const answersTo = (tool: string) =>
    results().flatMap((each) => (each.tool === tool ? [each.text ?? ""] : []));
  return {
    place,
    ended,
    results,
    answersTo,
    /** The model has seen the results of its three agents and has deleted their group. */
    expectThreeResults() {
      const [answer = ""] = answersTo("get_agent_status").slice(-1);
      expect(answer.match(/\bsuccess\b/g)?.length).toBeGreaterThanOrEqual(3);
      expect(answersTo("delete_group").at(-1)).toContain("deleted");
    },
    untilWaiting: () =>
      until(() => llm.turns.some((turn) => turn.results.at(-1)?.tool === "run_agents")),
    answeredAt: (index: number) => seenAt.get(index + 1) ?? Infinity,
  };
}

/** The command of the entry in the client's file, with the environment of this test only. */
function shimOf({ env }: Place): readonly string[] {
  const variables = Object.entries(env).map(([name, value]) => `${name}=${value}`);
  return ["/usr/bin/env", "-i", ...variables, process.execPath, BIN, "mcp"];
}

/** Runs the CLI; resolves to its exit code and output. */
async function run(
  cli: Cli,
  place: Place,
  llm: string,
  options: Omit<Parameters<typeof clientCommand>[1], "folder">,
) {
  const home = join(place.dir, "home");
  mkdirSync(join(home, "project"), { recursive: true, mode: 0o700 });
  const { argv, env, files } = clientCommand(cli, { ...options, folder: home });
  for (const { path, content } of files) writeFileSync(path, content);
  const [command = "", ...args] = argv;
  const child = spawn(command, args, {
    cwd: join(home, "project"),
    env: { ...aHome(home, llm), XDG_CACHE_HOME: join(CACHE, "shared"), ...env },
  });
  onTestFinished(() => endAll(processesWith(`HOME=${home}`)));
  child.stdin.end("Run three agents in parallel, wait for all three and show me their summaries.");
  const exited = new Promise<number | null>((resolve) => child.once("exit", resolve));
  const [stdout, stderr] = await Promise.all([textOf(child.stdout), textOf(child.stderr)]);
  return { code: await exited, output: `${stdout}\n${stderr}`.slice(-4_000) };
}

describe.each(CLIS)("%s", (cli) => {
  needs(cli);

  for (const transport of TRANSPORTS) {
    test(`${transport}: the story of the README`, async () => {
      const client = await aClient(cli, transport, {
        prompt: "Write a greeting\n#rehearsal sleep 3000",
      });

      expect(await client.ended).toMatchObject({ code: 0 });
      client.expectThreeResults();
    });

    test(`${transport}: a wait that is longer than the client's limit for one call`, async () => {
      const isSplit = IGNORES_PROGRESS.includes(cli);
      const client = await aClient(cli, transport, {
        prompt: "Write a greeting\n#rehearsal sleep 40000",
        limitMs: LIMIT_MS,
        maxBlockMs: isSplit ? LIMIT_MS - 5_000 : undefined,
      });

      expect(await client.ended).toMatchObject({ code: 0 });
      const waits = client.answersTo("wait_agent");
      for (const answer of waits) expect(answer).toContain("completed");
      expect(waits.length > 1).toBe(isSplit);
      client.expectThreeResults();
    });

    test.each([
      ["killed with kill -9", "SIGKILL"],
      ["stopped", "SIGTERM"],
    ] as const)(
      `${transport}: \`wait_agent\` is answered within 5 s when the daemon is %s`,
      async (_, signal) => {
        const client = await aClient(cli, transport, {
          prompt: "Write a greeting\n#rehearsal sleep 25000",
        });
        await client.untilWaiting();
        await new Promise((resolve) => setTimeout(resolve, 2_000));
        const daemon = readDaemonFile(client.place);
        if (!daemon) throw new Error("There is no daemon.");
        const waited = client.results().length;

        process.kill(daemon.pid, signal);
        await until(() => !isAlive(daemon.pid));
        // The shim starts a new daemon by itself, with the next call.
        if (transport === "HTTP") await aDaemon(client.place);
        const backAt = Date.now();

        expect(await client.ended).toMatchObject({ code: 0 });
        expect(client.answeredAt(waited) - backAt).toBeLessThan(ANSWERED_WITHIN_MS);
        // Claude Code speaks 2026-07-28 over HTTP, which cannot resume a stream.
        const isCut = cli === "claude" && transport === "HTTP" && signal === "SIGKILL";
        const [first] = client.answersTo("wait_agent");
        expect(first).toMatch(isCut ? /connection/i : /DAEMON_RESTARTED/);
        client.expectThreeResults();
      },
    );
  }
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
