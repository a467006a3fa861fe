import { expect, test } from "vitest";
import { anAgent } from "../../../test/kit/builders.ts";
import { createHostProblems } from "../../app/health/host-problems.ts";
import { createPeer } from "../../base/peer.ts";
import { createRemoteWorker } from "./remote-worker.ts";

const LOG = { debug() {}, info() {}, warn() {}, error() {} };

/** A worker on which only `/here` exists. */
function aRemote(worktreeRoot: string | undefined) {
  const worker = createPeer(
    { send: (text) => server.receive(text), close() {} },
    {
      exist: (args) =>
        JSON.stringify(args)
          .split(",")
          .map((path) => path.includes("/here")),
    },
  );
  const server = createPeer({ send: (text) => worker.receive(text), close() {} }, {});
  return createRemoteWorker({
    peer: server,
    log: LOG,
    clockOffsetMs: 0,
    runners: () => new Set(["rehearsal"]),
    models: () => undefined,
    name: "build-1",
    worktreeRoot,
    leaseMs: 10_000,
    unfetched: { has: () => false, add() {} },
    problems: createHostProblems({ now: () => 0 }),
    onHandedBack() {},
    onUnconfirmed() {},
  });
}

test("an older worker gets no agents with a worktree; others need no directory for them", async () => {
  const plain = anAgent({ id: "impl-code-1-a", runner: "rehearsal", workingDirectory: "/here" });
  const gone = anAgent({ id: "impl-code-2-b", runner: "rehearsal", workingDirectory: "/gone" });
  const other = anAgent({ id: "impl-code-3-c", runner: "codex", workspaceId: "wsp-01" });
  const isolated = anAgent({ id: "impl-code-4-d", runner: "rehearsal", workspaceId: "wsp-02" });
  const agents = [plain, isolated, gone, other];

  expect(await aRemote(undefined).host.accept(agents)).toEqual([plain]);
  expect(await aRemote("/worktrees").host.accept(agents)).toEqual([plain, isolated]);
});
