import { Link } from "@tanstack/react-router";
import { PauseCircle, RefreshCw } from "lucide-react";
import { useShallow } from "zustand/react/shallow";
import type { WireRunnerProblem } from "../../../../src/contract/shapes/health.ts";
import { post } from "../../api/http.ts";
import { useMayOperate } from "../../api/use-me.ts";
import { useFormat } from "../../i18n/format.ts";
import { useTexts } from "../../i18n/texts.ts";
import { useLive } from "../../live/store.ts";
import { visible } from "../../text/visible.ts";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { useAction } from "../../ui/use-action.ts";
import { useNow } from "../../ui/use-now.ts";
import { RUNNER_TEXTS } from "./runner-texts.ts";

export function useRunnerProblems(): readonly WireRunnerProblem[] {
  return useLive(useShallow(({ problems }) => [...problems.values()]));
}

/** What is wrong with a runner, and until when. */
export function useProblemSentence(): (problem: WireRunnerProblem) => string {
  const text = useTexts(RUNNER_TEXTS);
  const format = useFormat();
  const now = useNow();
  return ({ runner, kind, until }) => {
    const what = text.kinds[kind](runner);
    if (until === null) return `${what}${text.gap}${text.signIn}`;
    const isOver = Date.parse(until) <= now;
    return `${what}${text.gap}${isOver ? text.trial : text.until(format.dateTime(until))}`;
  };
}

/** Why queued agents of this runner wait; undefined: it is not paused. */
export function usePauseOf(runner: string): string | undefined {
  const sentence = useProblemSentence();
  const problem = useLive(({ problems }) => problems.get(runner));
  return problem && problem.until !== null ? sentence(problem) : undefined;
}

/** One line above every page while a runner cannot be used. */
export function ProblemBanner() {
  const text = useTexts(RUNNER_TEXTS);
  const sentence = useProblemSentence();
  const problems = useRunnerProblems();
  if (problems.length === 0) return null;
  return (
    <p
      role="status"
      className="border-b border-timeout/40 bg-timeout/10 px-4 py-1.5 text-center text-[13px] text-timeout"
    >
      {problems.map(sentence).join(text.gap)}{" "}
      <Link to="/health" className="font-semibold whitespace-nowrap underline">
        {text.details}
      </Link>
    </p>
  );
}

/** Runners that cannot be used, with what a person can do about each. */
export function RunnerProblems() {
  const text = useTexts(RUNNER_TEXTS);
  const problems = useRunnerProblems();
  if (problems.length === 0) return null;
  return (
    <section aria-label={text.title} className="mb-4">
      <Card className="divide-y divide-line">
        {problems.map((problem) => (
          <ProblemRow key={problem.runner} problem={problem} />
        ))}
      </Card>
    </section>
  );
}

function ProblemRow({ problem }: { readonly problem: WireRunnerProblem }) {
  const text = useTexts(RUNNER_TEXTS);
  const sentence = useProblemSentence();
  const mayOperate = useMayOperate();
  const { runner, reason, until } = problem;
  const isSignedOut = until === null;
  const act = useAction(() =>
    isSignedOut
      ? post("/api/runners/{id}/check", { params: { id: runner } })
      : post("/api/runners/{id}/try", { params: { id: runner } }),
  );
  return (
    <div className="flex flex-wrap items-start gap-x-3 gap-y-2 px-4 py-3">
      <PauseCircle size={18} aria-hidden className="mt-0.5 shrink-0 text-timeout" />
      <div className="min-w-0 flex-1 basis-60">
        <p className="font-semibold">{sentence(problem)}</p>
        {!isSignedOut && <p className="text-xs text-text-2">{text.waits}</p>}
        {reason && (
          <p
            className="mt-1 line-clamp-3 font-mono text-xs break-words text-text-3"
            title={text.said}
          >
            {visible(reason)}
          </p>
        )}
      </div>
      {mayOperate && (
        <Button
          size="small"
          icon={<RefreshCw size={13} aria-hidden />}
          aria-label={isSignedOut ? text.checkLabel(runner) : text.tryLabel(runner)}
          onPress={() => void act.run()}
          isPending={act.isRunning}
        >
          {isSignedOut ? text.check : text.tryNow}
        </Button>
      )}
    </div>
  );
}
