import { expect, test } from "vitest";
import { createPeer, type Handlers, type Peer } from "./peer.ts";

/** Two peers whose texts arrive at once. */
function aPair(ofLeft: Handlers, ofRight: Handlers, maxAtOnce?: number) {
  const closed: string[] = [];
  const left: Peer = createPeer(
    { send: (text) => right.receive(text), close: (_, reason) => closed.push(reason) },
    ofLeft,
  );
  const right: Peer = createPeer(
    { send: (text) => left.receive(text), close: (_, reason) => closed.push(reason) },
    ofRight,
    maxAtOnce,
  );
  return { left, right, closed };
}

test("both sides call each other, and answers belong to their calls", async () => {
  const { left, right } = aPair(
    { double: (value) => Number(value) * 2 },
    { shout: async (text) => String(text).toUpperCase() },
  );

  expect(
    await Promise.all([left.call("shout", "a"), right.call("double", 21), left.call("shout", "b")]),
  ).toEqual(["A", 42, "B"]);
});

test("a failed call rejects with the message and the code of the other side", async () => {
  const { left } = aPair(
    {},
    {
      fail() {
        throw Object.assign(new Error("no room"), { code: "FULL" });
      },
    },
  );

  await expect(left.call("fail", {})).rejects.toMatchObject({ message: "no room", code: "FULL" });
  await expect(left.call("other", {})).rejects.toMatchObject({ code: "UNKNOWN_CALL" });
});

test("open calls reject when the connection ends, and later ones at once", async () => {
  const { left } = aPair({}, { wait: () => new Promise(() => {}) });
  const waiting = left.call("wait", {});
  left.ended();

  await expect(waiting).rejects.toMatchObject({ code: "DISCONNECTED" });
  await expect(left.call("wait", {})).rejects.toMatchObject({ code: "DISCONNECTED" });
});

test("a call without an answer rejects after its time", async () => {
  const { left } = aPair({}, { wait: () => new Promise(() => {}) });

  await expect(left.call("wait", {}, 5)).rejects.toMatchObject({ code: "TIMED_OUT" });
});

test.each(["", "{", "[]", '"text"', "{}", '{"call":"1","name":"x"}', '{"answer":1}'])(
  "the text %j closes the connection",
  (text) => {
    const { left, closed } = aPair({}, {});
    left.receive(text);

    expect(closed).toEqual(["not a message of this protocol"]);
  },
);

test("a side that asks for too much at once is disconnected, and nothing more of it is handled", async () => {
  let handled = 0;
  const { left, closed } = aPair({}, { wait: () => new Promise(() => (handled += 1)) }, 3);
  for (let count = 0; count < 10; count += 1) left.tell("wait", {});

  expect(closed).toEqual(["too many messages at once"]);
  expect(handled).toBe(4);
});

test("any number of calls may follow each other", async () => {
  const { left, closed } = aPair({}, { echo: (value) => value }, 3);
  for (let count = 0; count < 10; count += 1) await left.call("echo", count);

  expect(closed).toEqual([]);
});
