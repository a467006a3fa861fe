import { expect, test } from "vitest";
import { anAgent, NOON } from "../../../test/kit/builders.ts";
import type { Agent } from "../../domain/agents/agent.ts";
import { readOutputEnd, readTranscript } from "./read-transcript.ts";

const FROM_START = { offset: 0, maxBytes: 100 };

function page(text: string) {
  return { lines: text === "" ? [] : [text], nextOffset: text.length, size: text.length };
}

/** A server `here` with this text in its spool; undefined `stored`: it has the store for itself. */
function aServer(
  spool: string,
  stored: readonly string[] | undefined,
  rows: readonly Agent[] = [],
) {
  const asked = { spool: 0, stored: 0 };
  const looks = [...rows];
  const storedNow = () => stored?.[Math.min(asked.stored++, stored.length - 1)] ?? "";
  const spoolNow = () => {
    asked.spool += 1;
    return spool;
  };
  return {
    asked,
    serverId: stored ? "here" : null,
    store: { getAgent: async () => (looks.length > 1 ? looks.shift() : looks[0]) },
    supervisor: {
      readTranscript: async () => page(spoolNow()),
      readOutputEnd: async () => spoolNow(),
    },
    ...(stored && {
      transcripts: {
        read: async () => page(storedNow()),
        readEnd: async () => storedNow(),
        remove: async () => {},
        removeBefore: async () => {},
        prepare: async () => {},
      },
    }),
  };
}

test("a transcript is read from the spool of the server that runs the agent, and from the store elsewhere", async () => {
  const read = async (server: ReturnType<typeof aServer>, workerId: string | null) => {
    const agent = anAgent({ workerId, process: "alive" });
    const { lines } = await readTranscript(server, agent, FROM_START);
    expect([await readOutputEnd(server, agent, 100)]).toEqual(lines);
    return lines;
  };

  expect(await read(aServer("spool", undefined), null)).toEqual(["spool"]);
  expect(await read(aServer("spool", ["stored"]), "here")).toEqual(["spool"]);
  expect(await read(aServer("spool", ["stored"]), null)).toEqual(["spool"]);
  expect(await read(aServer("spool", ["stored"]), "there")).toEqual(["stored"]);
  // The files of an agent that ran here are lost.
  expect(await read(aServer("", ["stored"]), "here")).toEqual(["stored"]);
  const own = aServer("spool", ["stored"]);
  await read(own, "here");
  expect(own.asked.stored).toBe(0);
});

test("the end of an agent that has reported to another server is read when all of its output is stored", async () => {
  const agent = anAgent({ workerId: "there", process: "alive", reportedAt: NOON });
  const rows = [agent, { ...agent, process: "ended" as const }];

  const stopping = aServer("", ["so far", "all of it"], rows);
  expect((await readTranscript(stopping, agent, FROM_START)).lines).toEqual(["all of it"]);

  const working = aServer("", ["so far", "more"], rows);
  const running = { ...agent, reportedAt: null };
  expect((await readTranscript(working, running, FROM_START)).lines).toEqual(["so far"]);
});
