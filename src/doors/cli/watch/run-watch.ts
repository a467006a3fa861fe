import { setTimeout as sleep } from "node:timers/promises";
import { nameCommands } from "../../../base/command-name.ts";
import { cancelAgent } from "../../../contract/routes/agents.ts";
import { decideApproval, getApproval } from "../../../contract/routes/approvals.ts";
import { stopGroup } from "../../../contract/routes/groups.ts";
import { getSystem } from "../../../contract/routes/health.ts";
import { changeTask } from "../../../contract/routes/tasks.ts";
import { DaemonStopped } from "../terminal/api.ts";
import { FLEET_TEXTS } from "../terminal/fleet-texts.ts";
import type { Session } from "../terminal/session.ts";
import { type Fleet, taskOf } from "./fleet.ts";
import { openFullScreen } from "./full-screen.ts";
import { followFleet } from "./live-fleet.ts";
import { readDetail } from "./read-detail.ts";
import { FRAME_ROWS, renderWatch } from "./render-watch.ts";
import { type Effect, NEW_WATCH, onKey, selectedRow, type WatchState } from "./watch-state.ts";
import { WATCH_TEXTS, type WatchTexts } from "./watch-texts.ts";

/** At most about ten times a second. */
const REDRAW_MS = 100;
const CLOCK_MS = 1_000;
/** Exit code when a person has stopped the daemon, as of a detached `run`. */
const STOPPED = 3;

/** `kuromajutsu watch`: shows the fleet until a person quits. Returns the exit code. */
export async function runWatch(session: Session): Promise<number> {
  return watchFleet(session).catch((error: unknown) => {
    if (!(error instanceof DaemonStopped)) throw error;
    session.console.print(session.texts.daemonStopped(`${session.program} watch`));
    return STOPPED;
  });
}

async function watchFleet(session: Session): Promise<number> {
  const { api, console, texts: terminal, program } = session;
  const words = WATCH_TEXTS[terminal.locale];
  const watch = { ...words, nothing: nameCommands(words.nothing, program) };
  const fleetTexts = FLEET_TEXTS[terminal.locale];
  if (!console.isInteractive || !console.canRedraw) throw new Error(watch.needsTerminal(program));
  const { style } = console;
  let state: WatchState = NEW_WATCH;
  let isDrawingSoon = false;
  const ended = Promise.withResolvers<number>();

  const change = (next: Partial<WatchState>): void => {
    state = { ...state, ...next };
    void drawSoon();
  };
  const drawNow = (): void => {
    const size = console.size();
    const view = { size, style, now: Date.now(), watch, fleet: fleetTexts, terminal };
    screen.draw(renderWatch(state, view));
  };
  async function drawSoon(): Promise<void> {
    if (isDrawingSoon) return;
    isDrawingSoon = true;
    await sleep(REDRAW_MS);
    isDrawingSoon = false;
    drawNow();
  }
  const act = (effect: Effect): void => {
    if (effect.do === "quit") return ended.resolve(0);
    if (effect.do === "open") return void readOpen();
    carryOut(session, effect, state.fleet, watch)
      .then((message) => change({ message, ...closed(effect) }))
      .catch((error: unknown) => change({ message: messageOf(error) }));
  };
  /** The transcript of an agent goes on while it is open. */
  async function readOpen(): Promise<void> {
    const row = selectedRow(state);
    if (!row) return;
    const isAtEnd = state.detail === undefined && row.kind === "agent";
    const detail = await readDetail(session, row, console.size().columns).catch(
      (error: unknown) => [messageOf(error)],
    );
    if (state.view !== "detail" || state.selected !== row.id) return;
    const last = Math.max(0, detail.length - pageOf(session));
    const wasAtEnd =
      state.detail !== undefined && state.scroll >= state.detail.length - pageOf(session);
    const scroll =
      isAtEnd || (row.kind === "agent" && wasAtEnd) ? last : Math.min(state.scroll, last);
    change({ detail, scroll });
  }

  const screen = openFullScreen({
    onKey(key) {
      const stepped = onKey(state, key, { texts: watch, program, page: pageOf(session) });
      ({ state } = stepped);
      if (stepped.effect) act(stepped.effect);
      drawNow();
    },
    onResize: drawNow,
    onEnd: () => ended.resolve(130),
  });
  session.onInterrupt = () => ended.resolve(0);
  const stop = followFleet(api, {
    onFleet: (fleet) => change({ fleet, readAt: Date.now() }),
    onConnection: (connection) => {
      if (connection !== state.connection) change({ connection });
      // A call finds the next daemon, and starts one if this one has died.
      if (connection === "lost") api.call(getSystem).catch(ended.reject);
    },
  });
  session.onRevived = (message) => change({ message });
  const clock = setInterval(() => {
    if (state.view === "detail") void readOpen();
    drawNow();
  }, CLOCK_MS);
  drawNow();
  try {
    return await ended.promise;
  } finally {
    clearInterval(clock);
    stop();
    screen.close();
  }
}

function pageOf({ console }: Session): number {
  return Math.max(1, console.size().rows - FRAME_ROWS);
}

/** After a decision there is nothing more to see of it. */
function closed(effect: Effect): Partial<WatchState> {
  return effect.do === "approve" || effect.do === "reject"
    ? { view: "list", detail: undefined, scroll: 0 }
    : {};
}

type Change = Exclude<Effect, { do: "quit" | "open" }>;

async function carryOut(
  { api }: Session,
  effect: Change,
  fleet: Fleet | undefined,
  texts: WatchTexts,
): Promise<string> {
  const { row } = effect;
  const params = { id: row.id };
  switch (effect.do) {
    case "approve":
    case "reject": {
      const { version, choices } = await api.call(getApproval, { params });
      const reason =
        effect.do === "reject" && effect.reason !== "" ? { reason: effect.reason } : {};
      const said = effect.do === "approve" ? effect.answer : undefined;
      const answer = said === undefined ? {} : { answer: choices[Number(said) - 1] ?? said };
      const body = { decision: effect.do, version, ...reason, ...answer };
      await api.call(decideApproval, { params, body });
      if (said !== undefined) return texts.done.answered;
      return effect.do === "approve" ? texts.done.approved : texts.done.rejected;
    }
    case "block":
    case "unblock": {
      const task = fleet && taskOf(row, fleet);
      if (!task) return texts.notHere.block;
      const isBlock = effect.do === "block";
      const why = isBlock && effect.reason !== "" ? { reason: effect.reason } : {};
      const body = { status: isBlock ? ("blocked" as const) : ("in_progress" as const), ...why };
      await api.call(changeTask, { params: { id: task.taskId }, body });
      return isBlock ? texts.done.blocked : texts.done.unblocked;
    }
    case "stop": {
      const { stopping } =
        row.kind === "group"
          ? await api.call(stopGroup, { params })
          : await api.call(cancelAgent, { params });
      return texts.stopped(stopping.length);
    }
  }
}

function messageOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).replaceAll(/\s*\n\s*/g, " ");
}
