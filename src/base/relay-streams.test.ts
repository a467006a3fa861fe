import type { Duplex } from "node:stream";
import { expect, test } from "vitest";
import { createRelayStreams, type RelayPiece } from "./relay-streams.ts";

function aRelay() {
  const opened: Duplex[] = [];
  const sent: RelayPiece[] = [];
  const server = createRelayStreams({
    send: (piece) => worker.receive(piece),
    onOpened: (stream) => opened.push(stream),
  });
  const worker = createRelayStreams({
    send(piece) {
      sent.push(piece);
      server.receive(piece);
    },
  });
  return { worker, server, opened, sent };
}

const textOf = (stream: Duplex): string => String(stream.read() ?? "");

test("bytes of several streams arrive at their own ends, in both directions", () => {
  const { worker, opened } = aRelay();
  const [a, b] = [worker.open(), worker.open()];
  a.write("from a");
  b.write(Buffer.from([0xe3, 0x81]));
  b.write(Buffer.from([0x82]));
  opened[0]?.write("to a");

  expect(opened.map(textOf)).toEqual(["from a", "あ"]);
  expect([textOf(a), textOf(b)]).toEqual(["to a", ""]);
});

test("the end of a stream ends it on the other side, and leaves the others", async () => {
  const { worker, opened } = aRelay();
  const [a, b] = [worker.open(), worker.open()];
  a.write("x");
  b.write("y");
  a.destroy();
  await new Promise(setImmediate);

  expect(opened.map(({ destroyed }) => destroyed)).toEqual([true, false]);
});

test("pieces of a stream that has ended are dropped, and begin no new one", async () => {
  const { worker, server, opened } = aRelay();
  const a = worker.open();
  a.write("x");
  opened[0]?.destroy();
  await new Promise(setImmediate);
  server.receive({ stream: 1, data: "eA==" });

  expect(a.destroyed).toBe(true);
  expect(opened).toHaveLength(1);
});

test("all streams end with the connection", async () => {
  const { worker, server, opened } = aRelay();
  worker.open().write("x");
  server.end();
  await new Promise(setImmediate);

  expect(opened.map(({ destroyed }) => destroyed)).toEqual([true]);
});
