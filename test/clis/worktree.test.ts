import { execFileSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { anHttpClient } from "../kit/daemon.ts";
import type { Turn } from "../kit/mock-llm/script.ts";
import { git } from "../kit/repository.ts";
import { DRIVERS } from "./drivers.ts";
import { aScene, inOrder, needs, report, runAgents } from "./kit.ts";

/** Where the prompt says that the agent works. */
function worktreeOf({ users }: Turn): string {
  const found = /作業ツリー (\S+) で作業/.exec(users.join("\n"))?.[1];
  if (found === undefined) throw new Error("The prompt names no worktree.");
  return found;
}

const changes = z.object({
  changes: z.array(z.object({ branch: z.string(), changedFiles: z.array(z.string()) })),
});

describe.each(DRIVERS)("%s", (driver) => {
  needs(driver);

  test("writes in a worktree without a commit, and the whole change is captured", async () => {
    const scene = await aScene(driver, (turn) =>
      inOrder(
        () => [{ edit: `${worktreeOf(turn)}/old.txt`, from: "beta", to: "gamma" }],
        () => [{ write: `${worktreeOf(turn)}/new.txt`, content: "one\ntwo\n" }],
        () => [report(turn)],
      )(turn),
    );
    const { directory } = scene;
    git(directory, "init", "-q", "-b", "main");
    git(directory, "add", "-A");
    git(directory, "commit", "-qm", "first");
    const head = git(directory, "rev-parse", "HEAD");

    const [agent] = await runAgents(scene, [{ role: "impl-code", isolation: "worktree" }]);

    expect(agent).toMatchObject({ status: "resultReported", result: { exitCode: 0 } });
    const client = await anHttpClient(scene.story.url());
    const answer = await client.call("get_changes", { agentId: agent?.agentId });
    const [change] = changes.parse(answer).changes;
    expect(change?.changedFiles).toEqual(["added new.txt +2 -0", "modified old.txt +1 -1"]);
    expect(git(directory, "show", `${change?.branch}:old.txt`)).toBe("alpha\ngamma");
    // The checkout of the person is as it was.
    expect(git(directory, "status", "--porcelain")).toBe("");
    expect(git(directory, "rev-parse", "HEAD")).toBe(head);
    execFileSync("git", ["fsck", "--connectivity-only", "--no-dangling"], { cwd: directory });
  });
});
