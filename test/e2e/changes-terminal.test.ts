import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { z } from "zod";
import { aGroup, waitForAll } from "../kit/agents.ts";
import { aDaemon, anHttpClient, aPlace, command } from "../kit/daemon.ts";
import { aRepository } from "../kit/repository.ts";

const CONFIG = "agent:\n  runner: rehearsal\nhealthCheck:\n  enabled: false\n";
const started = z.object({
  agents: z.array(z.object({ agentId: z.string(), workingDirectory: z.string() })),
});
const sent = z.object({ agentId: z.string(), comments: z.number() });
const listed = z.object({ workspaces: z.array(z.object({ agentId: z.string() })) });

async function aWrittenChange() {
  const place = aPlace({ LANG: "en_US.UTF-8" });
  writeFileSync(join(place.dir, "kuromajutsu.config.yaml"), CONFIG);
  const client = await anHttpClient((await aDaemon(place)).url);
  const answer = await client.call("run_agents", {
    groupId: await aGroup(client),
    agents: [
      {
        role: "impl-code",
        isolation: "worktree",
        prompt: "#rehearsal write one.txt 1",
        workingDirectory: aRepository().root,
      },
    ],
  });
  const [agent] = started.parse(answer).agents;
  if (!agent) throw new Error("one agent");
  await waitForAll(client, [agent.agentId]);
  const run = (...words: readonly string[]) => command(place, [...words]);
  return { client, run, id: agent.agentId, directory: agent.workingDirectory };
}

test("a person reads, comments and sends back a change and cleans up its worktree in the terminal", async () => {
  const { client, run, id, directory } = await aWrittenChange();

  expect((await run("changes", id)).stdout).toContain("A  one.txt  +1 −0\n");
  expect((await run("changes", id, "--patch", "one.txt")).stdout).toContain("\n+1\n");
  expect((await run("changes", id, "--patch")).stdout).toContain("\n+1\n");
  const comment = await run("changes", id, "--comment", "one.txt:1", "#rehearsal write two.txt 2");
  expect(comment.stdout).toContain("Saved the comment on one.txt:1 as a draft.");
  const back = sent.parse(
    JSON.parse((await run("changes", id, "--send-back", "two.txt too", "--json")).stdout),
  );
  expect(back.comments).toBe(1);
  await waitForAll(client, [back.agentId]);
  const shown = (await run("changes", id)).stdout;
  expect(shown).toContain("A  two.txt  +1 −0\n");
  expect(shown).toContain("one.txt:1  sent  local");

  expect((await run("workspaces")).stdout).toMatch(/captured .* undecided[\s\S]*\nDisk use: /);
  expect((await run("workspaces", "--retire", id)).code).toBe(0);
  expect(existsSync(directory)).toBe(false);
  expect((await run("workspaces")).stdout).toBe("There are no worktrees.\n");
  expect((await run("changes", id, "--patch")).stdout).toContain("\n+1\n");
  expect(listed.parse(JSON.parse((await run("changes", "--json")).stdout)).workspaces).toHaveLength(
    1,
  );
}, 300_000);

test("a mistake in the terminal gets a sentence that says what to type", async () => {
  const { run, id } = await aWrittenChange();

  const mistakes = [
    await run("changes", id.slice(0, -1)),
    await run("merge", `${id.slice(0, -1)}!`),
    await run("changes", "--patch", id),
    await run("changes", id, "--comment", "one.txt:1"),
    await run("changes", id, "--comment", "one.txt:99", "x"),
    await run("changes", id, "one.txt"),
    await run("changes", id, "--send-back"),
    await run("changes", id, "--patch", "none.txt"),
  ];

  expect(mistakes.map(({ code }) => code)).toEqual(mistakes.map(() => 1));
  const [typo, merge, order, text, line, stray, nothing, path] = mistakes.map(
    ({ stderr }) => stderr,
  );
  expect(typo).toContain(id);
  expect(merge).toContain(id);
  expect(order).toContain("changes ID --patch");
  expect(text).toContain(`--comment one.txt:1 "…"`);
  expect(line).toContain("one.txt has no such lines (from 99)");
  expect(stray).toContain("A text belongs to --comment");
  expect(nothing).toContain("There is no comment to send.");
  expect(path).toContain("The change does not touch none.txt.");
}, 300_000);
