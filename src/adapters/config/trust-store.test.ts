import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { aTempDir } from "../../../test/kit/tmp-dir.ts";
import { createTrustStore } from "./trust-store.ts";

const SOURCE = fileURLToPath(new URL("trust-store.ts", import.meta.url));
const ENTRY = { owner: 1, marks: ["server:1"], at: "2026-11-16T00:00:00.000Z" };

function aStore() {
  const env = { XDG_STATE_HOME: aTempDir() };
  const store = createTrustStore(env);
  return { env, store, folder: dirname(store.path) };
}

test("a new trust store is empty; an entry is kept and can be removed", () => {
  const { env, store } = aStore();
  expect(store.read()).toEqual({ files: {}, problem: null });

  store.change("/a", () => ENTRY);
  store.change("/b", () => ENTRY);
  store.change("/a", () => undefined);

  expect(createTrustStore(env).read()).toEqual({ files: { "/b": ENTRY }, problem: null });
});

test("concurrent writes of several processes lose nothing", async () => {
  const { env, store, folder } = aStore();
  const program = `
    const { createTrustStore } = await import(${JSON.stringify(SOURCE)});
    const store = createTrustStore(process.env);
    for (let i = 0; i < 10; i++) {
      store.change("/shared", (entry) => ({ owner: 1, at: "t", marks: [...(entry?.marks ?? []), process.argv[1] + i] }));
    }`;
  const writers = ["a", "b", "c"].map((name) =>
    spawn(process.execPath, ["--input-type=module", "-e", program, name], {
      env,
      stdio: ["ignore", "ignore", "inherit"],
    }),
  );
  const codes = await Promise.all(writers.map(async (writer) => (await once(writer, "exit"))[0]));

  expect(codes).toEqual([0, 0, 0]);
  expect(new Set(store.read().files["/shared"]?.marks).size).toBe(30);
  expect(readdirSync(folder).filter((name) => name.endsWith(".new"))).toEqual([]);
});

test.each<[string, (path: string) => void, string]>([
  ["is damaged", (path) => writeFileSync(path, "{", { mode: 0o600 }), "it is damaged"],
  ["says something else", (path) => writeFileSync(path, "[]", { mode: 0o600 }), "it is damaged"],
  ["is open to others", (path) => (writeFileSync(path, "{}"), chmodSync(path, 0o644)), "chmod 600"],
  ["is a link", (path) => symlinkSync("/dev/null", path), "not a regular file"],
])("a trust store that %s trusts nothing, and is not overwritten", (_name, damage, why) => {
  const { store, folder } = aStore();
  mkdirSync(folder, { recursive: true });
  damage(store.path);

  expect(store.read()).toEqual({ files: {}, problem: expect.stringContaining(why) });
  expect(() => store.change("/a", () => ENTRY)).toThrow(why);
  expect(readdirSync(folder)).not.toContain(join(folder, "trust.json.new"));
});
