import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { aSupervisor } from "../../../../test/kit/fake-agent/supervised.ts";
import { aTempDir } from "../../../../test/kit/tmp-dir.ts";
import { removeSpool } from "./remove-spool.ts";

test("removing a spool deletes every file of every attempt, and no other agent's", async () => {
  const kept = ["impl-1-aa.1.out", "impl-1-b.1.out", "impl-1-a.notes", "impl-1-a.1", "x.impl-1-a"];
  const spool = aSpool(
    ["impl-1-a.1.out", "impl-1-a.1.err", "impl-1-a.2.claim", "impl-1-a.12.claim.345"],
    ["a.b-1-c.1.status", "a.b-1-c.1.in"],
    kept,
  );

  await removeSpool(spool, ["impl-1-a", "a.b-1-c", "no-1-body"]);

  expect(readdirSync(spool).toSorted()).toEqual(kept.toSorted());
});

test("removing the spool of an id with dots and slashes deletes nothing", async () => {
  const dir = aTempDir();
  const spool = join(dir, "spool");
  mkdirSync(spool);
  writeFileSync(join(dir, "other-1-a.1.out"), "");
  writeFileSync(join(spool, "impl-1-a.1.out"), "");

  await removeSpool(spool, ["../other-1-a", "..", ".", "", "*", "impl-1-."]);

  expect(readdirSync(dir).toSorted()).toEqual(["other-1-a.1.out", "spool"]);
  expect(readdirSync(spool)).toEqual(["impl-1-a.1.out"]);
});

test("removing a spool that is already gone is no error", async () => {
  const spool = aSpool(Array.from({ length: 50 }, (_, n) => `impl-1-a.${n}.out`));

  await Promise.all([removeSpool(spool, ["impl-1-a"]), removeSpool(spool, ["impl-1-a"])]);
  await removeSpool(spool, ["impl-1-a"]);
  await removeSpool(spool, []);

  expect(readdirSync(spool)).toEqual([]);
});

test("a supervisor removes the spool of a settled agent while another goes on", async () => {
  const { supervisor, launch, ended, dir, spool } = aSupervisor();
  await launch("impl-1-a", ["message", "hello"]);
  await launch("impl-1-b", ["await", join(dir, "go"), "message", "later"]);
  await ended("impl-1-a");

  await supervisor.removeSpool(["impl-1-a"]);
  writeFileSync(join(dir, "go"), "");
  const other = await ended("impl-1-b");

  expect(readdirSync(spool(".")).filter((name) => name.startsWith("impl-1-a"))).toEqual([]);
  expect(other).toMatchObject({ exitCode: 0, progress: { lastMessage: "later" } });
});

function aSpool(...names: readonly (readonly string[])[]): string {
  const spool = aTempDir();
  for (const name of names.flat()) writeFileSync(join(spool, name), "");
  return spool;
}
