import { expect, onTestFinished, test, vi } from "vitest";
import { stdioSettings } from "../../../test/kit/upstream/an-upstream.ts";
import type { OwnedUpstream } from "../../app/ports/upstream-owners.ts";
import type { UpstreamSettings } from "../../contract/config/schema.ts";
import { placeUpstream } from "./place-upstream.ts";

type Servers = Readonly<Record<string, UpstreamSettings>>;

const EACH = stdioSettings([], { placement: "each" });
const ONE = stdioSettings([], { placement: "one" });

const note = (): void => {};

/** A server whose claims are answered when the test says so. */
function aServer(servers: Servers) {
  const given: Servers[] = [];
  const claims: { names: readonly string[]; answer(rows: readonly OwnedUpstream[]): void }[] = [];
  const sent: string[] = [];
  const placed = placeUpstream({
    serverId: "here",
    servers,
    log: { debug: note, info: note, warn: note, error: note },
    local: {
      start() {},
      replace: (next) => void given.push(next),
      servers: () => [],
      settled: async () => {},
      async call({ server }) {
        sent.push(server);
        return { content: [], isError: false };
      },
      subscribe: () => () => {},
      close: async () => {},
    },
    owners: {
      claim: (names) =>
        new Promise((answer) => {
          claims.push({ names, answer });
        }),
      describe: async () => {},
      release: async () => {},
      close: async () => {},
    },
  });
  onTestFinished(() => placed.close());
  placed.start();
  return {
    placed,
    sent,
    /** The settings of the program that runs here; undefined: none does. */
    running: () => given.at(-1)?.["counter"],
    /** The database answers the next claim with this owner of the counter. Returns the claimed names. */
    async claimedBy(owner: string) {
      const claim = await vi.waitFor(() => {
        const next = claims.shift();
        if (next === undefined) throw new Error("no claim yet");
        return next;
      }, 60_000);
      claim.answer([{ name: "counter", owner, listing: null }]);
      return claim.names;
    },
  };
}

const aCall = {
  server: "counter",
  tool: "add",
  args: {},
  signal: new AbortController().signal,
  idempotencyKey: "key-1",
  maySend: () => true,
  onProgress: () => {},
};

test("a program that becomes the one copy on its server goes on with the settings that it was started with", async () => {
  const server = aServer({ counter: EACH });
  const before = server.running();

  server.placed.replace({ counter: ONE });
  expect(server.running()).toEqual(before);
  await server.placed.call(aCall);
  expect(server.sent).toEqual(["counter"]);
  await server.claimedBy("here");

  await vi.waitFor(() => expect(server.placed.placement.isOwner("counter")).toBe(true), 60_000);
  expect(server.running()).toEqual(before);
});

test("a program is ended when it is known that another server runs the one copy", async () => {
  const server = aServer({ counter: EACH });
  server.placed.replace({ counter: ONE });
  expect(server.running()).toBeDefined();

  await server.claimedBy("there");

  await vi.waitFor(() => expect(server.running()).toBeUndefined(), 60_000);
  expect(server.placed.placement.ownerOf("counter")).toBe("there");
  await expect(server.placed.call(aCall)).rejects.toMatchObject({ kind: "unavailable" });
});

test("settings that change together with the placement count when the one copy is claimed", async () => {
  const server = aServer({ counter: EACH });
  const before = server.running();
  const changed = stdioSettings(["--more"], { placement: "one" });
  server.placed.replace({ counter: changed });
  expect(server.running()).toEqual(before);

  await server.claimedBy("here");

  await vi.waitFor(() => expect(server.running()?.args).toEqual(changed.args), 60_000);
});

test("a server that starts runs the one copy only after it has claimed it", async () => {
  const server = aServer({ counter: ONE });
  expect(server.running()).toBeUndefined();
  await server.claimedBy("here");
  await vi.waitFor(() => expect(server.running()).toBeDefined(), 60_000);
});

test("a claim from before the change of placement does not end the program", async () => {
  const server = aServer({ counter: EACH, other: ONE });
  expect(await server.claimedBy("there")).toEqual(["other"]);
  // Until that answer was read.
  await server.placed.settled(60_000);

  server.placed.replace({ counter: ONE, other: ONE });

  expect(server.running()).toBeDefined();
  expect(await server.claimedBy("here")).toEqual(["counter", "other"]);
  await vi.waitFor(() => expect(server.placed.placement.isOwner("counter")).toBe(true), 60_000);
  expect(server.running()).toBeDefined();
});
