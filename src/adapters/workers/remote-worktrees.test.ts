import { expect, test } from "vitest";
import { refusalOf } from "../../../test/kit/execution.ts";
import { NotFetched } from "../../app/ports/worker-worktrees.ts";
import { createPeer, type Handlers } from "../../base/peer.ts";
import { createRemoteWorktrees } from "./remote-worktrees.ts";

/** The worktrees of a worker that answers like this. */
function aRemote(handlers: Handlers) {
  const worker = createPeer({ send: (text) => server.receive(text), close() {} }, handlers);
  const server = createPeer({ send: (text) => worker.receive(text), close() {} }, {});
  return createRemoteWorktrees(server, "/worktrees", 10_000);
}

const HOSTILE = "\u001b[2JThe commits\u202e of the\nworktree \u0000are gone.";
const CLEANED = "The commits of the worktree are gone.";

test("the sentences of a worker's refusal have no control characters and are short", async () => {
  const refused = {
    code: "GIT_FAILED",
    en: [HOSTILE, "x".repeat(9_000)],
    ja: [HOSTILE, "あ".repeat(9_000)],
  };
  const remote = aRemote({ diskUse: () => ({ refused }) });

  expect((await refusalOf(remote.diskUse("/worktrees/wsp-01"))).texts).toEqual({
    en: [CLEANED, `${"x".repeat(1_000)}…`],
    ja: [CLEANED, `${"あ".repeat(1_000)}…`],
  });
});

test("the reason of a worker that could not fetch has no control characters", async () => {
  const remote = aRemote({ addWorktree: () => ({ ok: { unfetched: HOSTILE } }) });
  const commit = "0".repeat(40);
  const spec = { id: "wsp-01", path: "/w", branch: "b", base: commit };

  const failure = await remote.add("https://git.example.com/app.git", spec).catch((error) => error);

  expect(failure).toBeInstanceOf(NotFetched);
  expect(failure).toMatchObject({ reason: CLEANED });
});
