import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, onTestFinished, type TestContext } from "vitest";
import { z } from "zod";
import { usageShape } from "../../src/contract/shapes/agents.ts";
import { aGroup, runAll, waitForAll, type AgentSpec } from "../kit/agents.ts";
import { anHttpClient, aPlace, until, type Place } from "../kit/daemon.ts";
import {
  CLAUDE_CACHE_WRITE,
  TOKENS,
  type Action,
  type Script,
  type Turn,
} from "../kit/mock-llm/script.ts";
import { startMockLlm, type MockLlm } from "../kit/mock-llm/server.ts";
import { processesWith } from "../kit/processes.ts";
import { aStory, type Story } from "../kit/story.ts";
import { HOW, versionOf, type Driver } from "./drivers.ts";
import { aHome } from "./home.ts";
import { CACHE } from "./installed.ts";
import { NOT_APPLICABLE } from "./table.ts";

/** Skips the tests of a CLI that is not installed. */
export function needs(driver: Driver): void {
  beforeEach(({ skip }) => {
    const isMissing = versionOf(driver) === undefined;
    const { program } = HOW[driver];
    skip(isMissing, `${program} is not installed; \`node test/clis/install.ts\` installs it`);
  });
}

/** Skips a check that a driver cannot pass by its nature. The table shows the reason. */
export function unless({ skip }: TestContext, reason: string | undefined): void {
  skip(reason !== undefined, `${NOT_APPLICABLE}${reason}`);
}

export type Scene = {
  readonly llm: MockLlm;
  readonly story: Story;
  readonly place: Place;
  /** The working directory of the agents; `old.txt` is in it. */
  readonly directory: string;
};

type AScene = {
  readonly agent?: Record<string, unknown>;
  readonly config?: Record<string, unknown>;
  /** Further variables of the daemon. */
  readonly env?: Record<string, string>;
  /** Further upstream servers. */
  readonly servers?: Record<string, unknown>;
};

/** A daemon whose agents are run by this driver, with the script as their model. */
export async function aScene(driver: Driver, script: Script, options: AScene = {}): Promise<Scene> {
  const llm = await startMockLlm(script);
  onTestFinished(() => llm.close());
  const bare = aPlace();
  // The CLIs keep downloads there; a folder of its own would be empty in each test.
  const more = { XDG_CACHE_HOME: join(CACHE, "shared"), ...options.env };
  const place = { ...bare, env: { ...bare.env, ...aHome(bare.dir, llm.url), ...more } };
  const directory = join(place.dir, "app");
  mkdirSync(directory);
  writeFileSync(join(directory, "old.txt"), "alpha\nbeta\n");
  const agent = {
    ...HOW[driver].agent,
    lingerAfterEnd_ms: 5_000,
    env: ["CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "DISABLE_AUTOUPDATER"],
    ...options.agent,
  };
  const { servers = {} } = options;
  const story = await aStory({ agent, ...options.config }, { place, servers });
  return { llm, story, place, directory };
}

export async function startAgents(scene: Scene, specs: readonly AgentSpec[] = [{}]) {
  const client = await anHttpClient(scene.story.url());
  return runAll(
    client,
    await aGroup(client),
    specs.map((spec) => ({ workingDirectory: scene.directory, ...spec })),
  );
}

/**
 * Waits for the end of agents, and returns what main clients see of them. No process may be left of
 * them or of their tools.
 */
export async function settleAgents(url: string, agentIds: readonly string[]) {
  const client = await anHttpClient(url);
  await waitForAll(client, agentIds);
  for (const agentId of agentIds) await isGone(agentId);
  const statusOf = async (agentId: string) =>
    settled.parse(await client.call("get_agent_status", { agentId }));
  return Promise.all(agentIds.map(statusOf));
}

export async function runAgents(scene: Scene, specs: readonly AgentSpec[] = [{}]) {
  return settleAgents(scene.story.url(), await startAgents(scene, specs));
}

const settled = z.looseObject({
  agentId: z.string(),
  status: z.string(),
  toolCallCount: z.number(),
  result: z.looseObject({
    status: z.string(),
    summary: z.string(),
    errorMessage: z.string().optional(),
    exitCode: z.union([z.number(), z.string()]).optional(),
    editedFiles: z.array(z.string()),
    createdFiles: z.array(z.string()),
    warnings: z.array(z.string()).optional(),
    usage: usageShape.optional(),
  }),
});

/** The id of the agent whose prompt is the last one: a conversation may be that of several. */
export function agentIdOf({ users }: Pick<Turn, "users">): string {
  const found = [...users.join("\n").matchAll(/Agent ID: ([\w-]+)/g)].at(-1)?.[1];
  if (found === undefined) throw new Error("The prompt names no agent.");
  return found;
}

export function report(turn: Turn, summary = "The work is done."): Action {
  const input = { agentId: agentIdOf(turn), status: "success", summary, response: summary };
  return { call: "report_result", input };
}

/** One answer after the other, by the number of tool results that the model has seen. */
export function inOrder(
  ...answers: readonly ((turn: Turn) => readonly Action[])[]
): (turn: Turn) => readonly Action[] {
  return (turn) => answers[turn.results.length]?.(turn) ?? [{ say: "Goodbye." }];
}

/** The tokens of this many answers of the mock LLM; undefined: the driver does not know them. */
export function tokensOf(driver: Driver, answers: number): z.infer<typeof usageShape> | undefined {
  // Over ACP OpenCode counts only the last answer.
  if (driver === "opencode-acp") return undefined;
  // Over ACP Gemini does not tell which tokens were cached.
  const isCacheKnown = driver !== "gemini-acp";
  return {
    inputTokens: answers * (TOKENS.input + (isCacheKnown ? 0 : TOKENS.cacheRead)),
    outputTokens: answers * TOKENS.output,
    cacheReadTokens: isCacheKnown ? answers * TOKENS.cacheRead : 0,
    cacheWriteTokens: HOW[driver].cli === "claude" ? answers * CLAUDE_CACHE_WRITE : 0,
  };
}

/** Waits until no process of the agent and of its tools is left. */
export function isGone(agentId: string): Promise<void> {
  return until(() => processesWith(`KUROMAJUTSU_AGENT_ID=${agentId}`).length === 0);
}
