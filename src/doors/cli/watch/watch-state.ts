import { isLive, type Fleet, type Row, rowsOf, taskOf } from "./fleet.ts";
import type { WatchTexts } from "./watch-texts.ts";

export type WatchState = {
  readonly fleet: Fleet | undefined;
  readonly connection: "connecting" | "live" | "lost";
  /** When the fleet was read: elapsed times count on from there. */
  readonly readAt: number;
  readonly selected: string | undefined;
  readonly view: "list" | "detail" | "help";
  /** Lines of the detail view; undefined while they are read. */
  readonly detail: readonly string[] | undefined;
  readonly scroll: number;
  readonly asking: Asking | undefined;
  /** Said once, below the list. */
  readonly message: string;
};

/** A question in the last line: one key, or a text with Enter. */
export type Asking =
  | { readonly kind: "confirm"; readonly question: string; readonly effect: Effect }
  | {
      readonly kind: "text";
      readonly question: string;
      readonly text: string;
      readonly isRequired: boolean;
      readonly goal: "reject" | "block" | "answer";
      readonly row: Row;
    };

/** What the edge does for a key. */
export type Effect =
  | { readonly do: "quit" }
  | { readonly do: "open"; readonly row: Row }
  | { readonly do: "approve"; readonly row: Row; readonly answer?: string }
  | { readonly do: "reject"; readonly row: Row; readonly reason: string }
  | { readonly do: "block"; readonly row: Row; readonly reason: string }
  | { readonly do: "unblock"; readonly row: Row }
  | { readonly do: "stop"; readonly row: Row };

export const NEW_WATCH: WatchState = {
  fleet: undefined,
  connection: "connecting",
  readAt: 0,
  selected: undefined,
  view: "list",
  detail: undefined,
  scroll: 0,
  asking: undefined,
  message: "",
};

export type Stepped = { readonly state: WatchState; readonly effect?: Effect };

export type Handling = {
  readonly texts: WatchTexts;
  readonly program: string;
  /** How many rows a page has. */
  readonly page: number;
};

/** The row that is selected; the first one if the selected row has gone. */
export function selectedRow({ fleet, selected }: WatchState): Row | undefined {
  const rows = fleet ? rowsOf(fleet) : [];
  return rows.find(({ id }) => id === selected) ?? rows[0];
}

export function onKey(state: WatchState, key: string, handling: Handling): Stepped {
  const clean = { ...state, message: "" };
  if (key === "\u0003") return { state, effect: { do: "quit" } };
  if (state.asking) return onAnswer(clean, state.asking, key, handling);
  if (state.view === "help") return { state: { ...clean, view: "list" } };
  switch (key) {
    case "q":
      return { state, effect: { do: "quit" } };
    case "?":
      return { state: { ...clean, view: "help" } };
    case "\u001B":
    case "\u001B[D":
      return { state: { ...clean, view: "list", detail: undefined, scroll: 0 } };
    case "\r":
    case "\u001B[C":
      return open(clean);
    case "a":
      return approve(clean, handling);
    case "r":
      return reject(clean, handling);
    case "b":
      return block(clean, handling);
    case "s":
      return stop(clean, handling);
    default:
      return { state: move(clean, key, handling.page) };
  }
}

const STEPS: Readonly<Record<string, (page: number) => number>> = {
  "\u001B[A": () => -1,
  k: () => -1,
  "\u001B[B": () => 1,
  j: () => 1,
  "\u001B[5~": (page) => -page,
  "\u001B[6~": (page) => page,
  " ": (page) => page,
  "\u001B[H": () => -Infinity,
  g: () => -Infinity,
  "\u001B[F": () => Infinity,
  G: () => Infinity,
};

function move(state: WatchState, key: string, page: number): WatchState {
  const by = STEPS[key]?.(page);
  if (by === undefined) return state;
  if (state.view === "detail") {
    const last = Math.max(0, (state.detail?.length ?? 0) - page);
    return { ...state, scroll: Math.min(last, Math.max(0, state.scroll + by)) };
  }
  const rows = state.fleet ? rowsOf(state.fleet) : [];
  const at = Math.max(
    0,
    rows.findIndex(({ id }) => id === selectedRow(state)?.id),
  );
  const next = rows[Math.min(rows.length - 1, Math.max(0, at + by))];
  return { ...state, selected: next?.id };
}

function open(state: WatchState): Stepped {
  const row = selectedRow(state);
  if (!row || state.view === "detail") return { state };
  return {
    state: { ...state, selected: row.id, view: "detail", detail: undefined, scroll: 0 },
    effect: { do: "open", row },
  };
}

function approve(state: WatchState, { texts, program }: Handling): Stepped {
  const row = selectedRow(state);
  if (row?.kind !== "approval") return { state: { ...state, message: texts.notHere.approve } };
  const { kind, approvalId } = row.approval;
  if (kind === "outcome") {
    return { state: { ...state, message: texts.outcomeElsewhere(program, approvalId) } };
  }
  const asking: Asking =
    kind === "question"
      ? {
          kind: "text",
          question: texts.typeAnswer,
          text: "",
          isRequired: true,
          goal: "answer",
          row,
        }
      : { kind: "confirm", question: texts.confirmApprove, effect: { do: "approve", row } };
  // A person sees what is approved before the question can be answered.
  const opened = open(state);
  return { ...opened, state: { ...opened.state, selected: row.id, asking } };
}

function reject(state: WatchState, { texts }: Handling): Stepped {
  const row = selectedRow(state);
  if (row?.kind !== "approval" || row.approval.kind === "question") {
    return { state: { ...state, message: texts.notHere.reject } };
  }
  const isRequired = row.approval.kind === "prompt" || row.approval.kind === "process";
  const question = texts.typeReason;
  return asks(state, { kind: "text", question, text: "", isRequired, goal: "reject", row });
}

function block(state: WatchState, { texts }: Handling): Stepped {
  const row = selectedRow(state);
  const task = row && state.fleet && taskOf(row, state.fleet);
  if (!row || !task || ["completed", "failed", "cancelled"].includes(task.status)) {
    return { state: { ...state, message: texts.notHere.block } };
  }
  if (task.status === "blocked") {
    const effect = { do: "unblock", row } as const;
    return asks(state, { kind: "confirm", question: texts.confirmUnblock, effect });
  }
  const question = texts.typeBlockReason;
  return asks(state, { kind: "text", question, text: "", isRequired: false, goal: "block", row });
}

function stop(state: WatchState, { texts }: Handling): Stepped {
  const row = selectedRow(state);
  const agents = state.fleet?.agents.filter((agent) => isLive(agent)) ?? [];
  const count =
    row?.kind === "group"
      ? agents.filter(({ groupId }) => groupId === row.id).length
      : agents.filter(({ agentId }) => agentId === row?.id).length;
  if (!row || count === 0) return { state: { ...state, message: texts.notHere.stop } };
  const effect = { do: "stop", row } as const;
  return asks(state, { kind: "confirm", question: texts.confirmStop(count), effect });
}

function asks(state: WatchState, asking: Asking): Stepped {
  return { state: { ...state, selected: selectedRow(state)?.id, asking } };
}

const letters = new Intl.Segmenter();

function onAnswer(state: WatchState, asking: Asking, key: string, handling: Handling): Stepped {
  if (key === "\u001B") return { state: { ...state, asking: undefined } };
  if (asking.kind === "confirm") {
    const said = key.normalize("NFKC").toLowerCase();
    // What is not on the screen yet cannot be approved.
    if (said === "y" && asking.effect.do === "approve" && !state.detail) return { state };
    if (said === "y") return { state: { ...state, asking: undefined }, effect: asking.effect };
    if (said === "n") return { state: { ...state, asking: undefined } };
    return { state: move(state, key, handling.page) };
  }
  if (key === "\r") {
    const text = asking.text.trim();
    if (text === "" && asking.isRequired) {
      return { state: { ...state, message: handling.texts.reasonNeeded } };
    }
    return { state: { ...state, asking: undefined }, effect: effectOf(asking, text) };
  }
  if (key === "\u007F" || key === "\b") {
    const kept = Array.from(letters.segment(asking.text), ({ segment }) => segment).slice(0, -1);
    return { state: { ...state, asking: { ...asking, text: kept.join("") } } };
  }
  // Other control keys have no meaning in a text.
  // oxlint-disable-next-line no-control-regex -- keys are control characters
  if (/[\u0000-\u001F]/.test(key)) return { state };
  return { state: { ...state, asking: { ...asking, text: asking.text + key } } };
}

function effectOf({ goal, row }: Extract<Asking, { kind: "text" }>, text: string): Effect {
  switch (goal) {
    case "reject":
      return { do: "reject", row, reason: text };
    case "block":
      return { do: "block", row, reason: text };
    case "answer":
      return { do: "approve", row, answer: text };
  }
}
