import { expect, onTestFinished, test, vi } from "vitest";
import { keepLeading } from "./keep-leading.ts";
import { createLeaderTerm } from "./leadership.ts";

const LEASE_MS = 9_000;
const SILENT = { debug() {}, info() {}, warn() {}, error() {} };

/** A host whose process can be paused and which can sleep. */
function aHost() {
  let monotonic = 5;
  let wall = 1_000_000;
  return {
    term: createLeaderTerm({ now: () => wall }, () => monotonic),
    pause(ms: number): void {
      monotonic += ms;
      wall += ms;
    },
    sleep: (ms: number): void => void (wall += ms),
    setClockBack: (ms: number): void => void (wall -= ms),
  };
}

test("a term ends by itself while the process is paused and while the machine sleeps", () => {
  const host = aHost();
  const { term } = host;
  expect(term.isLeader()).toBe(false);

  term.extend(term.now(), LEASE_MS);
  host.pause(LEASE_MS - 1);
  expect(term.isLeader()).toBe(true);
  host.pause(1);
  expect(term.isLeader()).toBe(false);

  term.extend(term.now(), LEASE_MS);
  host.sleep(LEASE_MS);
  expect(term.isLeader()).toBe(false);

  term.extend(term.now(), LEASE_MS);
  host.setClockBack(LEASE_MS);
  host.pause(LEASE_MS);
  expect(term.isLeader()).toBe(false);
});

/** Answers of the database, one per question. */
function leading(host: ReturnType<typeof aHost>, ...answers: (() => boolean | Promise<boolean>)[]) {
  const asked: number[] = [];
  const onLeads = vi.fn<() => void>();
  const servers = {
    id: "srv-1",
    async lead(leaseMs: number): Promise<boolean> {
      asked.push(leaseMs);
      return (await answers.shift()?.()) ?? false;
    },
  };
  const kept = keepLeading(
    { log: SILENT },
    { servers, leaseMs: LEASE_MS, term: host.term, onLeads },
  );
  onTestFinished(() => kept.stop());
  return { kept, asked, onLeads };
}

test("a server stops leading before the database would let another one lead", async () => {
  const host = aHost();
  const { onLeads } = leading(host, () => true);
  await vi.waitFor(() => expect(host.term.isLeader()).toBe(true));
  expect(onLeads).toHaveBeenCalledOnce();

  host.pause((LEASE_MS * 5) / 6);

  expect(host.term.isLeader()).toBe(false);
});

test("the term counts from the question, so an answer that comes after the lease makes no leader", async () => {
  const host = aHost();
  const { asked, onLeads } = leading(host, () => {
    host.pause(LEASE_MS);
    return true;
  });
  await vi.waitFor(() => expect(asked).toHaveLength(2), 5_000);

  expect(host.term.isLeader()).toBe(false);
  expect(onLeads).not.toHaveBeenCalled();
});

test("a server that does not reach the database, or stops, does not lead", async () => {
  const host = aHost();
  const { asked, kept } = leading(
    host,
    () => true,
    () => Promise.reject(new Error("The database is away.")),
    () => true,
  );
  await vi.waitFor(() => expect(host.term.isLeader()).toBe(true));
  await vi.waitFor(() => expect(asked).toHaveLength(2), 5_000);
  await vi.waitFor(() => expect(host.term.isLeader()).toBe(false));
  await vi.waitFor(() => expect(host.term.isLeader()).toBe(true), 5_000);

  const stopped = kept.stop();

  expect(host.term.isLeader()).toBe(false);
  await stopped;
});
