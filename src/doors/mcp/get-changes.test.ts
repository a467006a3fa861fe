import { expect, test } from "vitest";
import { aRole } from "../../../test/kit/core.ts";
import { aMergeCore } from "../../../test/kit/merges.ts";
import {
  anOrchestrator,
  aRunningTask,
  callAs,
  ORCHESTRATOR,
} from "../../../test/kit/running-task.ts";
import { refreshOverlaps } from "../../app/workspaces/refresh-overlaps.ts";

/** Two agents of an orchestrator with conflicting changes, and a change of a foreign group. */
async function aReview() {
  const it = await aMergeCore({ roles: [aRole(), aRole({ id: "orchestrator" })] });
  const { core } = it;
  await aRunningTask(core);
  const [one, two] = await anOrchestrator(core);
  const owner = await core.store.getAgent(one ?? "");
  if (!one || !two || !owner) throw new Error("two agents");
  const { groupId } = owner;
  const long = Array.from({ length: 3_000 }, (_, n) => `line ${n} of a long file\n`).join("");
  await it.change("aa-01", { "a.txt": "left\n", "long.txt": long }, { agentId: one, groupId });
  await it.change("aa-02", { "a.txt": "right\n" }, { agentId: two, groupId });
  await core.store.transaction(async (unit) => {
    for (const [id, workspaceId] of [
      [one, "wsp-aa-01"],
      [two, "wsp-aa-02"],
    ] as const) {
      const agent = await unit.getAgent(id);
      if (agent) await unit.updateAgent({ ...agent, workspaceId }, agent);
    }
  });
  const foreign = await it.change("aa-03", { "secret.txt": "secret\n" });
  await refreshOverlaps(core, it.repository.common);
  const ask = async (args: Readonly<Record<string, unknown>>) =>
    (await callAs(core, ORCHESTRATOR, "get_changes", args)).answer;
  return { ...it, one, two, groupId, foreign, ask, long };
}

test("an orchestrator sees the branches and conflicts of its own agents, and nothing of others", async () => {
  const { one, two, groupId, foreign, ask } = await aReview();

  expect(await ask({ groupId })).toMatchObject({
    changes: [
      {
        agentId: one,
        branch: expect.stringMatching(/^kuromajutsu\//),
        base: expect.stringMatching(/^[0-9a-f]{40}$/),
        changedFiles: ["modified a.txt +1 -3", "added long.txt +3000 -0"],
        conflictsWith: [two],
      },
      { agentId: two, changedFiles: ["modified a.txt +1 -3"], conflictsWith: [one] },
    ],
  });
  expect(await ask({ agentId: foreign.agentId })).toMatchObject({ code: "AGENT_NOT_FOUND" });
  expect(JSON.stringify(await ask({ groupId: foreign.groupId }))).not.toContain("secret");
  expect(await ask({ agentId: one, groupId })).toMatchObject({ code: "INVALID_ARGUMENTS" });
});

test("a long patch comes in parts, and a file that was not changed is refused", async () => {
  const { one, ask, long } = await aReview();

  let patch = "";
  let answers = 0;
  for (let offset: unknown = 0; offset !== undefined; answers++) {
    const answer = await ask({ agentId: one, path: "long.txt", offset });
    expect(JSON.stringify(answer).length).toBeLessThan(60_000);
    patch += String(answer["patch"]);
    offset = answer["nextOffset"];
  }
  expect(answers).toBeGreaterThan(1);
  expect(patch.replaceAll(/^\+/gm, "")).toContain(long);
  expect(await ask({ agentId: one, path: "b.txt" })).toMatchObject({ code: "INVALID_ARGUMENTS" });
});
