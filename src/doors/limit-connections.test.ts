import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import type { Owner } from "./known-connections.ts";
import { limitConnections } from "./limit-connections.ts";

const agent = (id: string): Owner => ({ id: `agent:${id}`, isPerson: false });
const person = (id: string): Owner => ({ id: `person:${id}`, isPerson: true });

function aLimit(max: number) {
  const limit = limitConnections({ max });
  function open(owner?: Owner) {
    const socket = new PassThrough();
    limit.accept(socket);
    if (owner) limit.trust(socket, owner);
    return socket;
  }
  return { limit, open };
}

test("when all are known, the sender with the most connections loses its oldest", () => {
  const { open } = aLimit(6);
  const [first, second] = [open(agent("a")), open(agent("a"))];
  const others = [person("ben"), person("aoi"), person("eva"), person("kim")].map(open);

  const newcomer = open();

  expect([first, second, newcomer].map(({ destroyed }) => destroyed)).toEqual([true, false, false]);
  expect(others.some(({ destroyed }) => destroyed)).toBe(false);
});

test("some places are kept for people, however many agents there are", () => {
  const { limit, open } = aLimit(16);
  const agents = Array.from({ length: 40 }, (_, n) => open(agent(`${n}`)));

  expect(agents.filter(({ destroyed }) => !destroyed)).toHaveLength(14);
  const people = [open(person("ben")), open(person("aoi"))];
  expect(people.map((socket) => socket.destroyed || limit.isOver(socket))).toEqual([false, false]);
});

test("a body that is being received suspends the place until it is complete", () => {
  const { limit, open } = aLimit(2);
  const busy = open(person("ben"));
  limit.receiving(busy);
  expect(limit.countKnown()).toBe(0);
  limit.trust(busy, person("ben"));
  expect(limit.countKnown()).toBe(0);
  limit.received(busy);
  expect(limit.countKnown()).toBe(1);
});

test("a connection that closed is forgotten, also while its body was being received", () => {
  const { limit, open } = aLimit(2);
  const gone = open(person("ben"));
  limit.receiving(gone);
  gone.emit("close");
  limit.trust(gone, person("ben"));
  limit.received(gone);

  expect(limit.countKnown()).toBe(0);
});
