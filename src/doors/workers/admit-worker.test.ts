import { expect, test } from "vitest";
import { aCore } from "../../../test/kit/core.ts";
import type { Workers } from "../../app/ports/workers.ts";
import { createWorkerSessions } from "../../app/workers/worker-sessions.ts";
import { WORKER_PROTOCOL, type WorkerHello } from "../../contract/workers/messages.ts";
import type { Worker } from "../../domain/workers/worker.ts";
import { admitWorker } from "./admit-worker.ts";
import type { WorkerDoorOptions } from "./worker-connection.ts";

const WORKER: Worker = {
  id: "wrk-1",
  name: "build-1",
  allowedLabels: ["gpu"],
  createdAt: 0,
  createdBy: "aoi",
};
const HELLO: WorkerHello = {
  protocol: WORKER_PROTOCOL,
  instance: "host-00000000",
  host: "host",
  pid: 1,
  version: "1.0.0",
  slots: 4,
  labels: ["gpu"],
  runners: [],
  isDraining: false,
};

const unused = () => Promise.reject(new Error("not used here"));

/** What a server answers to a hello, if the database answers so. */
async function answerTo(hello: WorkerHello, admission: Awaited<ReturnType<Workers["admit"]>>) {
  const workers: Workers = {
    add: unused,
    list: unused,
    findByToken: unused,
    revoke: unused,
    admit: () => Promise.resolve(admission),
    describe: unused,
    beat: unused,
    leave: unused,
    endExpired: unused,
    claimEnded: unused,
    forget: unused,
    close: unused,
  };
  const options: WorkerDoorOptions = {
    core: await aCore(),
    workers,
    transcripts: { put: unused, acknowledged: unused },
    serverId: "server-1",
    serverProcess: "p1",
    leaseMs: 3_000,
    sessions: createWorkerSessions(),
    isReadOnly: () => false,
    settings: () => ({ hardKillAfterMs: 1, maxOutputBytes: 1, variables: [], acpCommand: [] }),
    createRemote() {
      throw new Error("not used here");
    },
    serveRelayed: unused,
  };
  return admitWorker(options, WORKER, hello);
}

const ADMITTED = { kind: "admitted", epoch: 7, isMoved: true } as const;

test.each([-1, 0, 1])("a worker whose protocol differs by %i is admitted", async (by) => {
  const { answer, admitted } = await answerTo(
    { ...HELLO, protocol: WORKER_PROTOCOL + by },
    ADMITTED,
  );

  expect(answer).toMatchObject({ name: "build-1", leaseMs: 3_000 });
  expect(admitted).toMatchObject({ epoch: 7, isMoved: true, details: { slots: 4 } });
});

test.each([-2, 2])("a worker whose protocol differs by %i is told what to install", async (by) => {
  const { answer, admitted } = await answerTo(
    { ...HELLO, protocol: WORKER_PROTOCOL + by },
    ADMITTED,
  );

  expect(answer).toMatchObject({
    refused: {
      code: "WORKER_VERSION",
      texts: { en: expect.stringContaining("Install the version of the server") },
    },
  });
  expect(admitted).toBeUndefined();
});

test("a worker gets no label that its token does not allow", async () => {
  const { answer } = await answerTo({ ...HELLO, labels: ["gpu", "prod"] }, ADMITTED);

  expect(answer).toMatchObject({ refused: { code: "LABEL_NOT_ALLOWED" } });
});

test("a worker whose lease has ended asks again, and a second one is refused", async () => {
  expect(await answerTo(HELLO, { kind: "ended" })).toEqual({ answer: { later: true } });
  expect(await answerTo(HELLO, { kind: "taken", by: null })).toMatchObject({
    answer: { refused: { code: "WORKER_CONNECTED" } },
  });
});
