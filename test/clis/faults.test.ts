import { describe, expect, test } from "vitest";
import { z } from "zod";
import { anHttpClient, until } from "../kit/daemon.ts";
import type { Fault, Script } from "../kit/mock-llm/script.ts";
import { DRIVERS, HOW, type Driver } from "./drivers.ts";
import {
  aScene,
  inOrder,
  isGone,
  needs,
  report,
  runAgents,
  startAgents,
  type Scene,
} from "./kit.ts";

/** A CLI may need a while to give up; some try again for minutes. */
const BOUNDS = { maxRetries: 3, maxRetryTime_ms: 20_000 };

/** Fails the first request with this fault, and then lets the agent report. */
function once(fault: Fault): Script {
  let hasFailed = false;
  return (turn) => {
    if (hasFailed) return inOrder(() => [report(turn)])(turn);
    hasFailed = true;
    return [{ fail: fault }];
  };
}

/** These CLIs end the run instead of sending the request again. After a 429 the daemon tries again. */
const GIVES_UP: Partial<Record<Driver, Fault>> = { gemini: "cut", "gemini-acp": "cut" };

/** Claude Code knows the limits of a plan only with a person's own account. */
const OF_A_PLAN = { ANTHROPIC_API_KEY: "", CLAUDE_CODE_OAUTH_TOKEN: "mock-key" };
const NAMES_THE_RESET: readonly Driver[] = ["claude", "codex", "codex-acp"];

const queued = z.looseObject({ status: z.literal("queued"), waitingFor: z.string() });

async function untilWaiting({ story }: Scene, agentId: string) {
  const { call } = await anHttpClient(story.url());
  let seen: unknown;
  await until(
    async () => queued.safeParse((seen = await call("get_agent_status", { agentId }))).success,
    () => (ended.safeParse(seen).success ? JSON.stringify(seen) : undefined),
    200_000,
  );
  return queued.parse(seen);
}

const ended = z.looseObject({ status: z.enum(["failed", "completed", "resultReported"]) });

const FAILED = {
  status: "failed",
  result: { status: "failure", errorMessage: expect.stringMatching(/\S/) },
};
const REPORTED = { status: "resultReported", result: { status: "success" } };

describe.each(DRIVERS)("%s", (driver) => {
  needs(driver);

  test("a rejected key (401) ends the agent, and the reason names what to do", async () => {
    const scene = await aScene(driver, () => [{ fail: 401 }]);

    const agents = await runAgents(scene);

    expect(agents).toMatchObject([FAILED]);
    expect(agents[0]?.result.errorMessage).toMatch(/not signed in|sign(s|ed)? in|log in/i);
    expect(agents[0]?.result.errorMessage).toContain("`");
  });

  test.each([429, "cut"] as const)(
    "after one %s the agent goes on, or says why it failed",
    async (fault) => {
      const scene = await aScene(driver, once(fault), { agent: BOUNDS });

      const agents = await runAgents(scene);

      expect(agents).toMatchObject([GIVES_UP[driver] === fault ? FAILED : REPORTED]);
    },
  );

  test("an endless cut ends the agent with the reason", async () => {
    const scene = await aScene(driver, () => [{ fail: "cut" }], { agent: BOUNDS });

    const agents = await runAgents(scene);

    expect(agents).toMatchObject([FAILED]);
  });

  test.each([
    [429, "rate-limit"],
    ["quota", "quota"],
  ] as const)(
    "at an endless %s the agent waits, and the runner is paused (%s)",
    async (fail, kind) => {
      // Codex tells the minute.
      const resetsAt = Math.ceil(Date.now() / 60_000) * 60 + 3 * 3_600;
      const scene = await aScene(driver, () => [{ fail, resetsAt }], {
        agent: BOUNDS,
        env: OF_A_PLAN,
      });
      const [agentId = ""] = await startAgents(scene);

      const waiting = await untilWaiting(scene, agentId);

      expect(waiting.waitingFor).toMatch(/\S/);
      const { body } = await scene.story.ask("GET", "/api/health-check");
      const resets = { until: new Date(resetsAt * 1_000).toISOString(), resetKnown: true };
      const isKnown = kind === "quota" && NAMES_THE_RESET.includes(driver);
      const { runner } = HOW[driver].agent;
      expect(body["problems"]).toMatchObject([{ runner, kind, ...(isKnown && resets) }]);
      await isGone(agentId);
    },
  );
});
