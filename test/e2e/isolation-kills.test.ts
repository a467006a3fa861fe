import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { z } from "zod";
import { changeShape } from "../../src/contract/shapes/changes.ts";
import { demand, landChange, persist } from "../kit/changes-api.ts";
import { aDaemon, aPlace, aStdioClient, type Place, type TestClient } from "../kit/daemon.ts";
import { locksOf } from "../kit/locks.ts";
import { aRepository, git, ownBranches, type TestRepository } from "../kit/repository.ts";
import { rounds } from "../kit/rounds.ts";

const ROUNDS = rounds({ all: 20, few: 1 });
const KILLS_PER_ROUND = 3;
const WRITERS = 3;

const CONFIG = `agent:
  runner: rehearsal
  maxConcurrent: 6
healthCheck:
  enabled: false
workspace:
  setup: "sleep 0.2; echo prepared > .prepared-by-setup"
  check: "sleep 0.2; test -f a.txt"
`;

const groupShape = z.object({ agents: z.array(z.object({ agentId: z.string() })) });
const resultShape = z.looseObject({
  status: z.string(),
  result: z.looseObject({ status: z.string(), exitCode: z.union([z.number(), z.string()]) }),
});

test(`kill -9 of the daemon at random moments of ${ROUNDS} rounds of write, approve and land loses nothing`, async () => {
  const place = aPlace();
  writeFileSync(join(place.dir, "kuromajutsu.config.yaml"), CONFIG);
  const repository = aRepository();
  git(repository.root, "checkout", "-q", "-b", "mine");
  let daemon = await aDaemon(place);
  const client = await aStdioClient(place);
  const all: string[] = [];

  for (let round = 0; round < ROUNDS; round++) {
    const story = tellStory(place, client, repository, round);
    for (let kill = 0; kill < KILLS_PER_ROUND; kill++) {
      await Promise.race([story, sleep(100 + Math.random() * 4_000)]);
      await daemon.kill("SIGKILL");
      daemon = await aDaemon(place);
    }
    const agents = await story;
    all.push(...agents);
    await expectWhole(place, repository, round, agents);
    expect(ownBranches(repository)).toHaveLength(all.length);
  }
}, 1_800_000);

/** Three agents write, end, and their changes land. Each step is repeated until it is done. */
async function tellStory(
  place: Place,
  client: TestClient,
  { root }: TestRepository,
  round: number,
): Promise<readonly string[]> {
  const created = z.object({ groupId: z.string() });
  const { groupId } = await persist(async () =>
    created.parse(await client.call("create_group", { description: `round ${round}` })),
  );
  const agentsOf = async () =>
    groupShape.parse(await demand(place, "GET", `/api/groups/${groupId}`)).agents;
  await persist(async () => {
    if ((await agentsOf()).length === WRITERS) return;
    const agents = Array.from({ length: WRITERS }, (_, n) => ({
      role: "impl-code",
      prompt: `書いて\n#rehearsal write r${round}-${n}.txt ${contentOf(round, n)}\n#rehearsal sleep ${300 * n}`,
      workingDirectory: root,
    }));
    await client.call("run_agents", { groupId, agents });
    expect(await agentsOf()).toHaveLength(WRITERS);
  });
  const ids = (await persist(agentsOf)).map(({ agentId }) => agentId);
  await Promise.all(
    ids.map(async (agentId) => {
      await persist(async () =>
        resultShape.parse(await demand(place, "GET", `/api/agents/${agentId}`)),
      );
      await persist(() => landChange(place, agentId, "main"));
    }),
  );
  return ids;
}

const contentOf = (round: number, n: number) => `回 ${round} 番 ${n}`;

async function expectWhole(
  place: Place,
  { root, common, head }: TestRepository,
  round: number,
  agents: readonly string[],
): Promise<void> {
  for (const agentId of agents) {
    const change = changeShape.parse(await demand(place, "GET", `/api/changes/${agentId}`));
    expect(change.versions).toHaveLength(1);
    expect(change.files).toHaveLength(1);
    expect(change.workspace.attention).toEqual([]);
    const landed = git(root, "log", "--format=%H", `--grep=Kuromajutsu-Agent: ${agentId}`, "main");
    expect(landed.split("\n")).toHaveLength(1);
  }
  for (let n = 0; n < WRITERS; n++) {
    expect(git(root, "show", `main:r${round}-${n}.txt`)).toBe(contentOf(round, n));
  }
  expect(locksOf(common)).toEqual([]);
  expect(git(root, "worktree", "list", "--porcelain")).not.toContain("initializing");
  expect(git(root, "rev-parse", "HEAD")).toBe(head);
  expect(git(root, "status", "--porcelain")).toBe("");
  git(root, "fsck", "--connectivity-only", "--no-dangling");
}
