import { useState } from "react";
import { useProblemText } from "../api/problem-text.ts";
import { toast } from "./toast.tsx";

export type Action<Arguments extends readonly unknown[]> = {
  readonly isRunning: boolean;
  /** Answers whether it worked; a refusal is shown to the person. */
  readonly run: (...args: Arguments) => Promise<boolean>;
};

/** A deed of a person: one at a time, and a refusal is never silent. */
export function useAction<Arguments extends readonly unknown[]>(
  deed: (...args: Arguments) => Promise<unknown>,
): Action<Arguments> {
  const [isRunning, setRunning] = useState(false);
  const explain = useProblemText();
  async function run(...args: Arguments): Promise<boolean> {
    setRunning(true);
    try {
      await deed(...args);
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
