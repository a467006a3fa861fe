import { expect, test } from "vitest";
import { aCore, aRole } from "../../../test/kit/core.ts";
import { anIsolatedAgent, settled } from "../../../test/kit/isolated-agents.ts";
import { aRepository, objectsOf, write } from "../../../test/kit/repository.ts";
import { viewChange } from "./view-change.ts";

const text = (first: string, last: string) =>
  `${[first, ...Array.from({ length: 20 }, (_, n) => `line ${n}`), last].join("\n")}\n`;

test("the preview of a change that began from uncommitted work says what the merge will do", async () => {
  const repository = aRepository({ "a.txt": text("first", "last") });
  const { root } = repository;
  const core = await aCore({ roles: [aRole({ isolation: "auto" })] });
  write(root, { "a.txt": text("first", "draft") });
  const { agent, workspace } = await anIsolatedAgent(core, repository, { base: "working-tree" });
  write(workspace.path, { "a.txt": text("FIRST", "draft") });
  await settled(core, agent);

  expect((await viewChange(core, agent.id)).preview).toMatchObject({ isClean: true });
  repository.commit({ "a.txt": text("first", "final") });
  const objects = objectsOf(root).length;
  expect((await viewChange(core, agent.id)).preview).toMatchObject({ isClean: true });
  expect(objectsOf(root)).toHaveLength(objects);
  repository.commit({ "a.txt": text("primero", "final") });
  expect((await viewChange(core, agent.id)).preview).toMatchObject({
    isClean: false,
    conflicts: [{ path: "a.txt" }],
  });
}, 60_000);
