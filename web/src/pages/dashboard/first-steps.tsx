import { Link } from "@tanstack/react-router";
import { ArrowRight } from "lucide-react";
import { useWelcome } from "../../api/system.ts";
import { useMayOperate } from "../../api/use-me.ts";
import { TryButton, useTryCost } from "../../features/tasks/first-task/try-button.tsx";
import { TryFlow, TryRequest } from "../../features/tasks/first-task/try-it.tsx";
import { useTexts } from "../../i18n/texts.ts";
import { CopyButton } from "../../ui/copy-button.tsx";
import { Mark } from "../../ui/mark.tsx";
import { TEXTS } from "./texts.ts";

/** Shown while there are no tasks and groups: how to begin. */
export function FirstSteps() {
  const text = useTexts(TEXTS).welcome;
  return (
    <section
      aria-labelledby="first-steps"
      className="rounded-2xl border border-line bg-surface/70 p-5 sm:p-8"
    >
      <div className="flex flex-col items-center gap-2 text-center">
        <Mark size={72} className="text-violet" />
        <h2 id="first-steps" className="text-xl font-bold">
          {text.title}
        </h2>
        <p className="text-text-2">{text.lead}</p>
      </div>
      <div className="mt-6 grid gap-4 lg:grid-cols-2">
        <Rehearse />
        <ConnectClient />
      </div>
      <p className="mt-5 text-center">
        <Link to="/welcome" className="inline-flex items-center gap-1 text-violet hover:underline">
          {text.more}
          <ArrowRight size={13} aria-hidden />
        </Link>
      </p>
    </section>
  );
}

function ConnectClient() {
  const text = useTexts(TEXTS).welcome;
  const snippet = useWelcome().data?.snippet ?? "";
  return (
    <div className="min-w-0 rounded-xl border border-line bg-raised/40 p-4">
      <h3 className="font-semibold">{text.mcp}</h3>
      <p className="mb-3 text-text-2">{text.mcpBody}</p>
      <div className="relative">
        <pre
          tabIndex={0}
          className="overflow-x-auto rounded-lg border border-line bg-base p-3 font-mono text-xs"
        >
          {snippet}
        </pre>
        <span className="absolute top-1.5 right-1.5">
          <CopyButton text={snippet} />
        </span>
      </div>
    </div>
  );
}

function Rehearse() {
  const text = useTexts(TEXTS).welcome;
  const cost = useTryCost();
  const mayOperate = useMayOperate();
  return (
    <div className="flex flex-col gap-3 rounded-xl border border-violet/50 bg-violet-solid/10 p-4">
      <div>
        <h3 className="font-semibold">{text.rehearse}</h3>
        <p className="text-text-2">{text.rehearseBody}</p>
      </div>
      <div className="flex flex-1 flex-col justify-center gap-3">
        <TryRequest />
        <TryFlow />
      </div>
      {mayOperate ? (
        <>
          <TryButton />
          <p className="text-xs text-text-2">{cost}</p>
        </>
      ) : (
        <p className="text-xs text-text-2">{text.viewer}</p>
      )}
    </div>
  );
}
