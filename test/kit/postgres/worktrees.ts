import { join } from "node:path";
import { z } from "zod";
import { type AgentSpec, aGroup, runAll } from "../agents.ts";
import { aRepository, git, type TestRepository } from "../repository.ts";
import { rowsOf, type TestServer } from "./servers.ts";

export type SharedRepository = TestRepository & { readonly remote: string };

/** A repository whose commits are in a bare one, which workers can fetch from. */
export function aSharedRepository(): SharedRepository {
  const repository = aRepository();
  const remote = join(repository.dir, "remote.git");
  git(repository.dir, "clone", "-q", "--bare", repository.root, remote);
  git(repository.root, "remote", "add", "origin", remote);
  return { ...repository, remote };
}

/** The branch, and whether a server or which worker has the worktree. */
export async function workspaceRows(url: string) {
  const rows = await rowsOf(
    url,
    "select id, agent_id, status, path, worker_id, branch, version, head, attention, fetch_problem from workspaces order by seq",
  );
  return z
    .array(
      z.object({
        id: z.string(),
        agent_id: z.string(),
        status: z.string(),
        path: z.string(),
        worker_id: z.string().nullable(),
        branch: z.string(),
        version: z.coerce.number(),
        head: z.string().nullable(),
        attention: z.string(),
        fetch_problem: z.string().nullable(),
      }),
    )
    .parse(rows);
}

/** Starts agents that get worktrees of this repository. */
export async function runIsolated(
  { main }: TestServer,
  { root }: SharedRepository,
  ...specs: readonly AgentSpec[]
): Promise<readonly string[]> {
  const isolated = { isolation: "worktree", workingDirectory: root } as const;
  return runAll(
    main,
    await aGroup(main),
    specs.map((spec) => ({ ...isolated, ...spec })),
  );
}
