import { expect, test } from "vitest";
import * as approvals from "../../src/contract/routes/approvals.ts";
import * as contract from "../../src/contract/routes/merges.ts";
import { aGroup, runAll, waitForAll } from "../kit/agents.ts";
import {
  aDaemon,
  anHttpClient,
  aPlace,
  command,
  until,
  type Daemon,
  type Place,
} from "../kit/daemon.ts";
import { aFreeRepository } from "../kit/merges.ts";
import { git } from "../kit/repository.ts";

async function isolatedAgents(daemon: Daemon, root: string, files: readonly string[]) {
  const client = await anHttpClient(daemon.url);
  const groupId = await aGroup(client, "変更");
  const agentIds = await runAll(
    client,
    groupId,
    files.map((file) => ({
      role: "impl-code",
      prompt: `書いて\n#rehearsal write ${file} done`,
      isolation: "worktree",
      workingDirectory: root,
    })),
  );
  await waitForAll(client, agentIds);
  return agentIds;
}

async function mergesOf({ url }: Daemon) {
  const response = await fetch(`${url}/api/merges`);
  return contract.listMerges.answer.parse(await response.json()).merges;
}

async function approveAll(place: Place, { url }: Daemon): Promise<void> {
  const response = await fetch(`${url}/api/approvals?status=pending`);
  const pending = approvals.listApprovals.answer.parse(await response.json()).approvals;
  for (const { approvalId } of pending) await command(place, ["approvals", approvalId, "approve"]);
}

test("the terminal merges one change and discards another, and a killed daemon goes on", async () => {
  const place = aPlace();
  const { root } = aFreeRepository();
  const first = await aDaemon(place);
  const [one = "", two = ""] = await isolatedAgents(first, root, ["one.txt", "two.txt"]);

  const asked = await command(place, ["merge", one, "--target", "main", "--message", "一つ目"]);
  expect(asked.stdout).toContain(`${one} の変更（版 1）→ main（squash）`);
  const shown = await command(place, ["approvals"]);
  expect(shown.stdout).toContain("変更の取り込み");
  await approveAll(place, first);
  await first.kill("SIGKILL");
  const second = await aDaemon(place);
  await until(async () => (await mergesOf(second)).every(({ status }) => status === "landed"));

  expect(git(root, "show", "main:one.txt")).toContain("done");
  expect(git(root, "log", "-1", "--format=%s", "main")).toBe("一つ目");
  expect((await command(place, ["merges"])).stdout).toContain("取り込み済み");
  const discarded = await command(place, ["discard", two, "--reason", "不要", "--json"]);
  expect(JSON.parse(discarded.stdout)).toMatchObject({ outcome: "discarded" });
  const again = await command(place, ["merge", two]);
  expect(again.stderr).toContain("破棄されています");
});
