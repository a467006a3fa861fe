import { expect, test } from "vitest";
import { aMerge } from "../../../test/kit/builders.ts";
import { aCore } from "../../../test/kit/core.ts";
import type { Link } from "./build-chain.ts";
import { buildChain } from "./build-chain.ts";
import { findPassing } from "./find-passing.ts";
import { createPassedTrees, type MergeWorld } from "./merge-round.ts";

const COUNT = 16;
const TIP = { oid: "tip", tree: "tip" };

/** Commits are lists of the changes in them, so that a check can look for bad ones. */
const buildMerge: MergeWorld["git"]["buildMerge"] = async (_common, { onto, change }) => ({
  built: true,
  commit: `${onto}+${change}`,
  tree: `${onto}+${change}`,
});

async function aWorld(): Promise<MergeWorld> {
  const core = await aCore();
  return { ...core, git: { ...core.git, buildMerge } };
}

async function search(core: MergeWorld, bad: readonly number[], isBranchBad = false) {
  const merges = Array.from({ length: COUNT }, (_, n) =>
    aMerge({ id: `mrg-${n}`, change: `c${n}.` }),
  );
  const { links } = await buildChain(core, TIP.oid, merges);
  const checked: string[] = [];
  const round = {
    core,
    repository: "",
    signal: new AbortController().signal,
    passed: createPassedTrees(),
  };
  const found = await findPassing(round, TIP, links, async ({ tree }) => {
    checked.push(tree);
    const passed = !isBranchBad && bad.every((n) => !tree.includes(`c${n}.`));
    return { passed, exitCode: passed ? 0 : 1, output: "", problem: null };
  });
  return { ...found, checked };
}

function numbersOf(links: readonly Link[]): number[] {
  return links.map(({ merge }) => Number(merge.id.slice(4)));
}

test("every pair of bad merges among 16 is found with at most 11 checks", async () => {
  const core = await aWorld();
  let most = 0;
  for (let one = 0; one < COUNT; one++) {
    for (let two = one + 1; two < COUNT; two++) {
      const { good, bad, branchFails, checked } = await search(core, [one, two]);
      expect(numbersOf(bad.map(({ link }) => link))).toEqual([one, two]);
      expect(numbersOf(good)).toEqual(
        [...Array(COUNT).keys()].filter((n) => n !== one && n !== two),
      );
      expect(branchFails).toBeNull();
      most = Math.max(most, checked.length);
    }
  }
  expect(most).toBeLessThanOrEqual(11);
});

test("good merges need one check, and merges that are all bad are all found", async () => {
  const core = await aWorld();

  const allGood = await search(core, []);
  expect([allGood.good.length, allGood.checked.length]).toEqual([COUNT, 1]);

  const allBad = await search(core, [...Array(COUNT).keys()]);
  expect([allBad.good.length, allBad.bad.length]).toEqual([0, COUNT]);
});

test("a branch that fails by itself is not mistaken for bad merges", async () => {
  const { good, bad, branchFails } = await search(await aWorld(), [3], true);

  expect([good, bad]).toEqual([[], []]);
  expect(branchFails?.links).toHaveLength(COUNT);
});
