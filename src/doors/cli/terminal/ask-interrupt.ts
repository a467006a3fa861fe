import { changeTask, getTask } from "../../../contract/routes/tasks.ts";
import { Problem } from "./api.ts";
import type { Session } from "./session.ts";

type Asking = Session & { readonly taskId: string };

/** What a person may do with the task they look at. */
type Choice = "block" | "unblock" | "cancel" | "detach" | "goOn";

const LETTERS: Readonly<Record<string, Choice>> = {
  b: "block",
  u: "unblock",
  c: "cancel",
  d: "detach",
  "": "goOn",
};

/** Asks what Ctrl-C was meant for, and does it. Returns true if the person detaches. */
export async function askInterrupt(asking: Asking, signal: AbortSignal): Promise<boolean> {
  const { api, console, texts, taskId, program } = asking;
  const params = { id: taskId };
  const said = console.isInteractive ? await askWhatNow(asking, signal) : "detach";
  switch (said) {
    case "detach":
      console.print(texts.detached(program, taskId));
      return true;
    case "block": {
      const reason = await askReason(asking, signal);
      if (reason === undefined) return false;
      return changing(asking, async () => {
        const body = { status: "blocked" as const, reason };
        const { stopping } = await api.call(changeTask, { params, body });
        return texts.blocked(stopping.length);
      });
    }
    case "unblock":
      return changing(asking, async () => {
        await api.call(changeTask, { params, body: { status: "in_progress" } });
        return texts.unblocked;
      });
    case "cancel":
      return changing(asking, async () => {
        const { stopping } = await api.call(changeTask, { params, body: { status: "cancelled" } });
        return texts.cancelled(stopping.length);
      });
    case "goOn":
      return false;
  }
}

async function askWhatNow({ api, console, texts, taskId }: Asking, signal: AbortSignal) {
  const { status } = await api.call(getTask, { params: { id: taskId } });
  const first = status === "blocked" ? ["u"] : status === "in_progress" ? ["b"] : [];
  const letters = [...first, "c", "d", ""];
  const { whatNow, choices } = texts.interrupted;
  const lines = letters.map((letter) => `  ${choices[letter]}`);
  for (;;) {
    console.print(["", whatNow, ...lines].join("\n"));
    const said = await console.ask("> ", signal).catch(() => "d");
    const letter = said.normalize("NFKC").toLowerCase().trim();
    const choice = letters.includes(letter) ? LETTERS[letter] : undefined;
    if (choice) return choice;
    console.print(texts.chooseLetter(letters.map((each) => each || "Enter")));
  }
}

/** undefined: the person pressed Ctrl-C again, and nothing changes. */
async function askReason({ console, texts }: Asking, signal: AbortSignal) {
  for (;;) {
    const reason = await console.ask(texts.reason, signal).catch(() => undefined);
    if (reason === undefined) return undefined;
    if (reason.trim() !== "") return reason.trim();
    console.print(texts.blockReasonNeeded);
  }
}

/** The task may have moved on while the person was typing, so a refusal is shown and nothing ends. */
async function changing({ console }: Asking, change: () => Promise<string>): Promise<false> {
  try {
    console.print(await change());
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    console.print(error.message);
  }
  return false;
}
