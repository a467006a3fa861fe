import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { openPostgresStore } from "../../../src/adapters/store/postgres/postgres-store.ts";
import { followOthers } from "../../../src/app/servers/follow-others.ts";
import { waitForAll } from "../../kit/agents.ts";
import { aCore } from "../../kit/core.ts";
import { until } from "../../kit/daemon.ts";
import { aMigratedUrl } from "../../kit/postgres/daemon-place.ts";
import {
  ask,
  aServer,
  rowsOf,
  running,
  SETTINGS,
  startAgain,
  type TestServer,
} from "../../kit/postgres/servers.ts";

/** Long enough for a server that was killed to come back before its agents are lost. */
const LASTING = { ...SETTINGS, store: { lease_ms: 20_000 } };

const page = z.object({ lines: z.array(z.string()), nextOffset: z.number(), size: z.number() });

async function pageOf(server: Pick<TestServer, "url">, agentId: string, offset = 0) {
  const { status, body } = await ask(
    server,
    "GET",
    `/api/agents/${agentId}/transcript?offset=${offset}&maxBytes=1048576`,
  );
  expect(status).toBe(200);
  return page.parse(body);
}

/** A prompt that writes these words one after the other, with a pause after each. */
function saying(words: readonly string[], pauseMs: number): { readonly prompt: string } {
  return {
    prompt: words
      .flatMap((word) => [`#rehearsal say ${word}`, `#rehearsal sleep ${pauseMs}`])
      .join("\n"),
  };
}

const spoolOf = ({ place }: TestServer, agentId: string): string =>
  readFileSync(join(place.dataDir, "spool", `${agentId}.1.out`), "utf8");

const wholeLines = (text: string): readonly string[] => text.split("\n").slice(0, -1);

test("a server shows and follows the transcript of an agent on another one, also when that is killed, and gets the rest when it is back", async () => {
  const url = await aMigratedUrl();
  const a = await aServer(url, LASTING);
  const words = Array.from({ length: 50 }, (_, n) => `語${n}`);
  const { agentIds } = await running(a, [saying(words, 200)]);
  const [agentId = ""] = agentIds;
  const b = await aServer(url, LASTING);

  // Followed as the dashboard does it: each page goes on where the one before ended.
  const seen: string[] = [];
  let offset = 0;
  async function follow(): Promise<void> {
    const { lines, nextOffset } = await pageOf(b, agentId, offset);
    seen.push(...lines);
    offset = nextOffset;
  }
  await until(async () => {
    await follow();
    return seen.length > 0;
  });
  const [atFirst, before] = [seen.length, wholeLines(spoolOf(a, agentId))];
  await sleep(2_000);
  await follow();
  expect(seen.length).toBeGreaterThan(atFirst);
  expect(seen.slice(0, before.length)).toEqual(before);
  await a.daemon.kill("SIGKILL");
  const { lines: afterDeath } = await pageOf(b, agentId);
  expect(afterDeath.slice(0, before.length)).toEqual(before);
  // The agent goes on without its server, and reports when that is back.
  await sleep(500);

  const again = await startAgain(a.place);
  await waitForAll(b.main, [agentId]);
  await follow();
  expect(seen).toEqual(wholeLines(spoolOf(a, agentId)));
  expect(seen.join("\n")).toContain("語49");
  expect(await pageOf(b, agentId)).toEqual(await pageOf(again, agentId));
});

test("when an agent has ended, every server has all of its transcript at once, also after the owner has stopped", async () => {
  const url = await aMigratedUrl();
  const a = await aServer(url, LASTING);
  const { agentIds } = await running(a, [
    saying(["一つ目"], 300),
    { prompt: "#rehearsal sleep 300\n#rehearsal deltas 3000\n#rehearsal say 二つ目の最後" },
  ]);
  const b = await aServer(url, LASTING);

  await waitForAll(b.main, agentIds);
  const shown = await Promise.all(agentIds.map((agentId) => pageOf(b, agentId)));

  expect(shown).toEqual(await Promise.all(agentIds.map((agentId) => pageOf(a, agentId))));
  expect(shown.map(({ lines }) => lines.join("").includes("の最後"))).toEqual([false, true]);
  const raw = { agentIds, fields: ["rawOutput"] };
  const rawOnB = await b.main.call("get_agent_status", raw);
  expect(rawOnB).toEqual(await a.main.call("get_agent_status", raw));
  expect(JSON.stringify(rawOnB)).toContain("の最後");
  // The end of each transcript is stored, so the next start sends nothing again.
  expect(await rowsOf(url, "select agent_id from transcript_chunks where length = 0")).toHaveLength(
    2,
  );
  await a.daemon.kill("SIGTERM");
  expect((await pageOf(b, agentIds[1] ?? "")).lines).toEqual(shown[1]?.lines);
});

test("a server deletes the files of its agents when their group is deleted on another one", async () => {
  const url = await aMigratedUrl();
  const cores = await Promise.all(
    ["a", "b"].map(async (serverId) => {
      const store = await openPostgresStore({ url });
      onTestFinished(() => store.close());
      return aCore({ store, serverId });
    }),
  );
  const [a, b] = cores;
  if (!a || !b) throw new Error("There are two cores.");
  const following = followOthers(a);
  onTestFinished(() => following.stop());
  const leave = (agentId: string) =>
    b.store.transaction(async (unit) =>
      unit.emitTransient({
        type: "agent:left_view",
        groupId: null,
        agentId: null,
        data: { agentIds: [agentId] },
        at: 1,
      }),
    );
  // Transient events reach only a server that listens already.
  await until(async () => {
    await leave("impl-code-0-a");
    return a.removedSpools.includes("impl-code-0-a");
  });

  await leave("impl-code-1-a");
  await until(() => a.removedSpools.includes("impl-code-1-a"));
  // Events arrive in order, so a second removal would come before this one.
  await leave("impl-code-2-a");
  await until(() => a.removedSpools.includes("impl-code-2-a"));

  const removed = a.removedSpools.filter((agentId) => agentId !== "impl-code-0-a");
  expect(removed).toEqual(["impl-code-1-a", "impl-code-2-a"]);
});
