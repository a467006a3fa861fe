import { Refusal } from "../domain/refusal.ts";

/** What one chunk of a wait tells the next. */
export type WaitCursor = {
  /** The caller's own timeout as a point in time, so that it spans all chunks. */
  readonly deadline: number | null;
  /** How many of the agents were done when the last chunk answered (mode any). */
  readonly seen: number;
};

export function sealWaitCursor({ deadline, seen }: WaitCursor): string {
  return `w1.${deadline ?? ""}.${seen}`;
}

export function openWaitCursor(text: string): WaitCursor {
  const found = /^w1\.(\d{0,15})\.(\d{1,6})$/.exec(text);
  if (!found) {
    throw new Refusal(
      "INVALID_CURSOR",
      "This cursor is not one of wait_agent.",
      "Pass the cursor of the last wait_agent answer unchanged, or leave it out.",
    );
  }
  const [, deadline = "", seen = "0"] = found;
  return { deadline: deadline === "" ? null : Number(deadline), seen: Number(seen) };
}
