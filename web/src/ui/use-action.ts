import { useState } from "react";
import { useProblemText } from "../api/problem-text.ts";
import { toast } from "./toast.tsx";

export type Action<Arguments extends readonly unknown[]> = {
  readonly isRunning: boolean;
  /** Resolves to whether it succeeded; an error is shown as a toast. */
  readonly run: (...args: Arguments) => Promise<boolean>;
};

/** Runs an action of a person and shows its error. */
export function useAction<Arguments extends readonly unknown[]>(
  action: (...args: Arguments) => Promise<unknown>,
): Action<Arguments> {
  const [isRunning, setRunning] = useState(false);
  const explain = useProblemText();
  async function run(...args: Arguments): Promise<boolean> {
    setRunning(true);
    try {
      await action(...args);
      return true;
    } catch (error) {
      const { title, detail } = explain(error);
      toast({ kind: "error", title, ...(detail && { detail }) });
      return false;
    } finally {
      setRunning(false);
    }
  }
  return { isRunning, run };
}
