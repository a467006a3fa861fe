import { expect, test } from "vitest";
import { Refusal } from "../../../domain/refusal.ts";
import {
  accepts,
  adopted,
  hasEnded,
  launching,
  nextAttempt,
  startedOf,
  type AttemptEvent,
  type AttemptEventType,
  type AttemptState,
  type AttemptStateName,
} from "./attempt.ts";

const STARTED = { process: { pid: 7, start: "1", bootId: "this" }, startedAt: 5 };
const EXIT = { code: 3 };

const STATES: { readonly [Name in AttemptStateName]: AttemptState<Name> } = {
  launching: launching(),
  running: { name: "running", ...STARTED, isWatched: false, stopSignal: null },
  stopping: { name: "stopping", ...STARTED, signal: "SIGINT", exit: null },
  draining: { name: "draining", ...STARTED, exit: EXIT, survivors: null, readTo: null },
  over: { name: "over", end: { type: "not_launched" }, started: null },
};

const EVENTS: { readonly [Type in AttemptEventType]: AttemptEvent<Type> } = {
  launch_sent: { type: "launch_sent", launcher: 2 },
  launched: { type: "launched", startBy: 10 },
  wrapper_exited: { type: "wrapper_exited" },
  launcher_died: { type: "launcher_died", launcher: 2, error: null },
  look_sent: { type: "look_sent" },
  looked: { type: "looked", isAlive: true, startBy: 10 },
  claim_refused: { type: "claim_refused", startBy: 10 },
  claimed: { type: "claimed" },
  start_failed: { type: "start_failed", error: "no such file" },
  started: { type: "started", ...STARTED },
  watched: { type: "watched" },
  stop_requested: { type: "stop_requested", signal: "SIGTERM" },
  ladder_started: { type: "ladder_started", signal: "SIGTERM" },
  exited: { type: "exited", ...EXIT },
  swept: { type: "swept", survivors: [] },
  output_measured: { type: "output_measured", size: 100 },
  drained: { type: "drained", details: { stderrTail: "" } },
};

/** The lawful pairs, written a second time by hand: a table cannot check itself. */
const LAWFUL: Readonly<Record<string, string>> = {
  "launching launch_sent": "launching",
  "launching launched": "launching",
  "launching wrapper_exited": "launching",
  "launching launcher_died": "launching",
  "launching look_sent": "launching",
  "launching looked": "launching",
  "launching claim_refused": "launching",
  "launching stop_requested": "launching",
  "launching started": "running",
  "launching claimed": "over",
  "launching start_failed": "over",
  "running watched": "running",
  "running stop_requested": "running",
  "running ladder_started": "stopping",
  "running exited": "draining",
  "stopping exited": "stopping",
  "stopping swept": "draining",
  "draining exited": "draining",
  "draining output_measured": "draining",
  "draining drained": "over",
};

for (const state of Object.values(STATES)) {
  for (const event of Object.values(EVENTS)) {
    const expected = LAWFUL[`${state.name} ${event.type}`] ?? "refused";
    test(`attempt: ${state.name} + ${event.type} → ${expected}`, () => {
      expect(accepts(state, event.type)).toBe(expected !== "refused");
      expect(resultOf(() => nextAttempt(state, event).name)).toBe(expected);
    });
  }
}

test("a stop requested before the pid line is kept until the attempt runs", () => {
  const state = after(launching(), EVENTS.stop_requested, EVENTS.started);

  expect(state).toMatchObject({ name: "running", stopSignal: "SIGTERM" });
});

test("the first of two requested signals counts", () => {
  const again = { type: "stop_requested", signal: "SIGINT" } as const;

  expect(after(launching(), EVENTS.stop_requested, again)).toMatchObject({ stopSignal: "SIGTERM" });
  expect(after(STATES.running, EVENTS.stop_requested, again)).toMatchObject({
    stopSignal: "SIGTERM",
  });
});

test("an attempt that exits before its stop request is sent ends without a stop ladder", () => {
  const state = after(STATES.running, EVENTS.stop_requested, EVENTS.exited);

  expect(state).toMatchObject({ name: "draining", exit: EXIT, survivors: null });
});

test("the exit code is kept whether it is read before or after the end of the stop ladder", () => {
  const swept = { type: "swept", survivors: ["pid 8 (cli)"] } as const;
  const before = after(STATES.stopping, EVENTS.exited, swept, EVENTS.drained);
  const later = after(STATES.stopping, swept, EVENTS.exited, EVENTS.drained);

  const ended = { type: "ended", exitCode: 3, stderrTail: "", survivors: ["pid 8 (cli)"] };
  expect(before).toEqual({ name: "over", end: ended, started: STARTED });
  expect(later).toEqual(before);
});

test("a wrapper that no signal can end leaves an attempt without an exit code", () => {
  const swept = { type: "swept", survivors: ["pid 7 (wrapper)"] } as const;
  const draining = after(STATES.stopping, swept);

  expect(hasEnded(draining)).toBe(false);
  expect(after(draining, EVENTS.drained)).toMatchObject({
    end: { exitCode: null, survivors: ["pid 7 (wrapper)"] },
  });
});

test("the death of the launcher that was asked makes the claim decide, that of another does not", () => {
  const asked = after(launching(), EVENTS.launch_sent, EVENTS.launched, EVENTS.look_sent);
  const died = (launcher: number) =>
    after(asked, { type: "launcher_died", launcher, error: "it does not start" });

  expect(died(2)).toMatchObject({
    withoutPidLine: "claim",
    isWatched: false,
    isLookPending: false,
    launchError: "it does not start",
  });
  expect(died(1)).toMatchObject({
    withoutPidLine: "wait",
    isWatched: true,
    isLookPending: false,
    launchError: null,
  });
});

test("a claimed attempt may be launched again, unless launchers do not start at all", () => {
  const died = { type: "launcher_died", launcher: 2, error: "broken build" } as const;

  expect(after(launching(), EVENTS.claimed)).toMatchObject({ end: { type: "not_launched" } });
  expect(after(launching(), EVENTS.launch_sent, died, EVENTS.claimed)).toMatchObject({
    end: { type: "start_failed", error: "broken build" },
  });
});

test("an attempt is abandoned only while the last look found no wrapper", () => {
  expect(after(launching(), looked(false))).toMatchObject({ withoutPidLine: "abandon" });
  expect(after(launching(), looked(false), looked(true))).toMatchObject({ withoutPidLine: "wait" });
  expect(after(launching(), looked(null))).toMatchObject({ withoutPidLine: "wait" });
  expect(after(launching(), EVENTS.wrapper_exited, looked(true))).toMatchObject({
    withoutPidLine: "claim",
  });
});

test("a claim that a wrapper holds does not postpone a deadline that is set", () => {
  expect(after(launching(), EVENTS.claim_refused)).toMatchObject({ startBy: 10 });
  const launched = { type: "launched", startBy: 4 } as const;
  expect(after(launching(), launched, EVENTS.claim_refused)).toMatchObject({ startBy: 4 });
});

test("an adopted attempt runs if its process is recorded, else its claim decides", () => {
  expect(adopted(STARTED.process, STARTED.startedAt)).toEqual(STATES.running);
  expect(adopted(null, null)).toEqual({ ...launching(), withoutPidLine: "claim" });
});

test("the process of an attempt is known from its pid line to its end", () => {
  const known = Object.values(STATES).filter((state) => startedOf(state) !== undefined);

  expect(known.map(({ name }) => name)).toEqual(["running", "stopping", "draining"]);
  expect(startedOf(after(STATES.draining, EVENTS.drained))).toEqual(STARTED);
});

function looked(isAlive: boolean | null): AttemptEvent {
  return { type: "looked", isAlive, startBy: 9 };
}

function after(state: AttemptState, ...events: readonly AttemptEvent[]): AttemptState {
  return events.reduce<AttemptState>((each, event) => nextAttempt(each, event), state);
}

function resultOf(step: () => string): string {
  try {
    return step();
  } catch (error) {
    if (error instanceof Refusal && error.code === "TRANSITION_NOT_ALLOWED") return "refused";
    throw error;
  }
}
