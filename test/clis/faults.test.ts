import { describe, expect, test } from "vitest";
import { CLIS, type Cli, type Fault, type Script } from "../kit/mock-llm/script.ts";
import { aScene, inOrder, needs, report, runAgents } from "./kit.ts";

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

/** These CLIs end the run instead of sending the request again. */
const GIVES_UP: Partial<Record<Cli, Fault>> = { codex: 429, gemini: "cut" };

const FAILED = {
  status: "failed",
  result: { status: "failure", errorMessage: expect.stringMatching(/\S/) },
};
const REPORTED = { status: "resultReported", result: { status: "success" } };

describe.each(CLIS)("%s", (cli) => {
  needs(cli);

  test("a rejected key (401) ends the agent, and the reason names what to do", async () => {
    const scene = await aScene(cli, () => [{ fail: 401 }]);

    const agents = await runAgents(scene);

    expect(agents).toMatchObject([FAILED]);
    expect(agents[0]?.result.errorMessage).toMatch(/not signed in|sign(s|ed)? in|log in/i);
    expect(agents[0]?.result.errorMessage).toContain("`");
  });

  test.each([429, "cut"] as const)(
    "after one %s the agent goes on, or says why it failed",
    async (fault) => {
      const scene = await aScene(cli, once(fault), { agent: BOUNDS });

      const agents = await runAgents(scene);

      expect(agents).toMatchObject([GIVES_UP[cli] === fault ? FAILED : REPORTED]);
    },
  );

  test.each([429, "cut"] as const)(
    "an endless %s ends the agent with the reason",
    async (fault) => {
      const scene = await aScene(cli, () => [{ fail: fault }], { agent: BOUNDS });

      const agents = await runAgents(scene);

      expect(agents).toMatchObject([FAILED]);
    },
  );

  test("a used-up plan ends the agent and is shown as such, not as a burst", async () => {
    const scene = await aScene(cli, () => [{ fail: "quota" }], { agent: BOUNDS });

    const agents = await runAgents(scene);

    expect(agents[0]?.result.errorMessage).toMatch(/quota|plan|limit/i);
  });
});
