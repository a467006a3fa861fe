import { Link, useNavigate } from "@tanstack/react-router";
import { ArrowRight, Sparkles } from "lucide-react";
import type { WireTask } from "../../../../src/contract/task-shapes.ts";
import { post } from "../../api/http.ts";
import { useTexts } from "../../i18n/texts.ts";
import { Button } from "../../kit/button.tsx";
import { CopyButton } from "../../kit/copy-button.tsx";
import { useAction } from "../../lib/use-action.ts";
import { useLive } from "../../live/store.ts";
import { Mark } from "../../shell/mark.tsx";
import { TEXTS } from "./texts.ts";

/** Nobody has asked for anything yet: says how, and lets it be tried. */
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
        <ConnectClient />
        <Rehearse />
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
  const snippet = JSON.stringify(
    { mcpServers: { kuromajutsu: { url: `${location.origin}/mcp` } } },
    null,
    2,
  );
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
  const navigate = useNavigate();
  const real = useLive(({ roles }) => roles.find(({ runner }) => runner !== "rehearsal")?.runner);
  const start = useAction(async () => {
    const { taskId } = await post<WireTask>("/api/tasks", { text: text.sample });
    await navigate({ to: "/tasks/$taskId", params: { taskId } });
  });
  return (
    <div className="flex flex-col rounded-xl border border-line bg-raised/40 p-4">
      <h3 className="font-semibold">{text.rehearse}</h3>
      <p className="mb-3 flex-1 text-text-2">
        {real === undefined ? text.rehearseBody : text.rehearseReal(real)}
      </p>
      <Button
        look="violet"
        size="large"
        icon={<Sparkles size={16} aria-hidden />}
        onPress={() => void start.run()}
        isPending={start.isRunning}
      >
        {real === undefined ? text.rehearseGo : text.tryGo}
      </Button>
    </div>
  );
}
