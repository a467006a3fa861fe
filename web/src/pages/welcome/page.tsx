import { Link } from "@tanstack/react-router";
import { Check, CircleDashed } from "lucide-react";
import type { ReactNode } from "react";
import type { FirstStep } from "../../../../src/contract/shapes/home.ts";
import { useHealthCheck, useSystem, useWelcome } from "../../api/system.ts";
import { useHome } from "../../api/use-home.ts";
import { TryIt } from "../../features/tasks/first-task/try-it.tsx";
import { COMMON } from "../../i18n/common.ts";
import { useTexts } from "../../i18n/texts.ts";
import { CopyButton } from "../../ui/copy-button.tsx";
import { cx } from "../../ui/cx.ts";
import { Mark } from "../../ui/mark.tsx";
import { ErrorNote, Loading } from "../../ui/notes.tsx";
import { TEXTS } from "./texts.ts";

export function Page() {
  const text = useTexts(TEXTS);
  const { data } = useHome();
  const stateOf = (id: FirstStep) =>
    data?.firstSteps.some((step) => step.id === id && step.done) ? "done" : "next";
  return (
    <div className="mx-auto max-w-3xl">
      <div className="mb-6 flex items-center gap-4">
        <Mark size={64} className="shrink-0 text-violet" />
        <div>
          <h1 className="font-mincho text-2xl leading-9 font-semibold text-bone">{text.title}</h1>
          <p className="text-text-2">{text.lead}</p>
        </div>
      </div>
      <ol className="flex flex-col">
        <Found />
        <Step title={text.try} state={stateOf("task")}>
          <TryIt />
        </Step>
        <Step title={text.mcp} state={stateOf("client")} isLast>
          <Snippet />
        </Step>
      </ol>
    </div>
  );
}

/** State of the setup: daemon, runners, roles. */
function Found() {
  const text = useTexts(TEXTS);
  const { list } = useTexts(COMMON);
  const system = useSystem();
  const health = useHealthCheck();
  if (system.isError)
    return <ErrorNote error={system.error} onRetry={() => void system.refetch()} />;
  if (!system.data) return <Loading />;
  const { version, platform, runners } = system.data;
  const real = runners.filter(({ id, command }) => command !== null && id !== "rehearsal");
  const view = health.data;
  const isChecked = view !== undefined && view.state === "idle" && view.step === 3;
  return (
    <>
      <Step title={text.daemon} state="done">
        <p className="text-text-2">
          {text.daemonNote(version, platform)}{" "}
          <Link to="/system" className="text-violet underline underline-offset-2">
            {text.seeSystem}
          </Link>
        </p>
      </Step>
      <Step title={text.runners} state={real.length > 0 ? "done" : "next"}>
        <p className="text-text-2">
          {real.length > 0 ? text.runnersFound(list(real.map(({ id }) => id))) : text.runnersNone}
        </p>
        {real.length === 0 && <p className="text-xs text-text-3">{text.runnersHint}</p>}
      </Step>
      <Step
        title={text.health}
        state={isChecked && view.available === view.total ? "done" : "next"}
      >
        <p className="text-text-2">
          {isChecked
            ? text.healthOk(view.available, view.total)
            : view?.state === "running"
              ? text.healthRunning
              : text.healthIdle}{" "}
          <Link to="/health" className="text-violet underline underline-offset-2">
            {text.seeHealth}
          </Link>
        </p>
      </Step>
    </>
  );
}

function Step({
  title,
  state,
  isLast = false,
  children,
}: {
  readonly title: string;
  readonly state: "done" | "next";
  readonly isLast?: boolean;
  readonly children: ReactNode;
}) {
  const text = useTexts(TEXTS);
  const isDone = state === "done";
  return (
    <li className="relative flex gap-4 pb-6">
      {!isLast && <span aria-hidden className="absolute top-8 bottom-0 left-[15px] w-px bg-line" />}
      <span
        className={cx(
          "relative z-1 grid size-8 shrink-0 place-items-center rounded-full border bg-base",
          isDone ? "border-success text-success" : "border-field text-text-2",
        )}
      >
        {isDone ? <Check size={16} aria-hidden /> : <CircleDashed size={16} aria-hidden />}
        <span className="sr-only">{isDone ? text.done : text.todo}</span>
      </span>
      <div className="min-w-0 flex-1 pt-1">
        <h2 className="mb-1 text-[15px] font-bold">{title}</h2>
        {children}
      </div>
    </li>
  );
}

function Snippet() {
  const text = useTexts(TEXTS);
  const welcome = useWelcome();
  if (welcome.isError) return <ErrorNote error={welcome.error} />;
  if (!welcome.data) return <Loading />;
  const { snippet, url } = welcome.data;
  const address = `${url ?? location.origin}/mcp`;
  return (
    <div className="flex flex-col gap-2">
      <p className="text-text-2">{text.mcpNote}</p>
      <div className="relative">
        <pre
          tabIndex={0}
          aria-label={text.snippet}
          className="overflow-x-auto rounded-xl border border-line bg-base p-4 pr-28 font-mono text-xs leading-5 select-all"
        >
          {snippet}
        </pre>
        <span className="absolute top-2 right-2">
          <CopyButton text={snippet}>{text.copy}</CopyButton>
        </span>
      </div>
      <p className="flex flex-wrap items-center gap-x-2 text-xs text-text-3">
        {text.mcpHttp}:
        <span className="inline-flex items-center gap-1">
          <code className="font-mono break-all text-text-2 select-all">{address}</code>
          <CopyButton text={address} className="!min-h-6 !px-1.5" />
        </span>
      </p>
    </div>
  );
}
