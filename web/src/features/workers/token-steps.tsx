import { TriangleAlert } from "lucide-react";
import { type ReactNode, useEffect, useRef } from "react";
import { useTexts } from "../../i18n/texts.ts";
import { Button } from "../../ui/button.tsx";
import { CopyButton } from "../../ui/copy-button.tsx";
import { StatusBadge } from "../../ui/status-badge.tsx";
import { originProblem, workerCommand } from "./new-worker.ts";
import { TEXTS } from "./texts.ts";
import { useWorkers } from "./use-workers.ts";
import { workerState } from "./worker-state.ts";

const TOKEN_FILE = "~/worker-token";

export type TokenStepsProps = {
  readonly name: string;
  readonly token: string;
  readonly labels: readonly string[];
  readonly onDone: () => void;
};

/** The token, this once, and what to do with it on the other machine. */
export function TokenSteps({ name, token, labels, onDone }: TokenStepsProps) {
  const text = useTexts(TEXTS);
  const start = useRef<HTMLParagraphElement>(null);
  const worker = useWorkers().data?.workers.find((each) => each.name === name);
  const state = worker ? workerState(worker) : "never";
  const problem = originProblem(location);
  // The button that had the focus is gone; a screen reader continues here.
  useEffect(() => start.current?.focus(), []);
  return (
    <div className="flex flex-col gap-4">
      <p ref={start} tabIndex={-1} className="flex items-start gap-2 font-semibold outline-none">
        <TriangleAlert size={16} aria-hidden className="mt-1 shrink-0 text-timeout" />
        {text.tokenOnce}
      </p>
      <ol className="flex list-decimal flex-col gap-4 pl-5">
        <Step words={text.stepToken(TOKEN_FILE)}>
          <Code label={text.copyToken}>{token}</Code>
        </Step>
        <Step words={text.stepCommand}>
          <Code label={text.copyCommand}>{workerCommand(location.origin, TOKEN_FILE, labels)}</Code>
          {problem !== null && (
            <p className="mt-1 text-xs text-timeout">
              {problem === "local" ? text.originLocal : text.originInsecure}
            </p>
          )}
        </Step>
        <Step words={text.stepState}>
          <p role="status" className="mt-1">
            <StatusBadge status={state} label={text.states[state]} />
          </p>
        </Step>
      </ol>
      <div className="flex justify-end">
        <Button look="violet" onPress={onDone}>
          {text.done}
        </Button>
      </div>
    </div>
  );
}

function Step({ words, children }: { readonly words: string; readonly children: ReactNode }) {
  return (
    <li>
      <p>{words}</p>
      {children}
    </li>
  );
}

function Code({ label, children }: { readonly label: string; readonly children: string }) {
  return (
    <p className="mt-1 flex items-center gap-2 rounded-lg border border-line bg-base py-1 pr-1 pl-3">
      <code className="min-w-0 flex-1 font-mono text-xs wrap-anywhere select-all">{children}</code>
      <CopyButton text={children} label={label} />
    </p>
  );
}
