import { useQuery } from "@tanstack/react-query";
import { get } from "../../api/http.ts";
import { useTexts } from "../../i18n/texts.ts";
import { Card } from "../../ui/card.tsx";
import { CopyButton } from "../../ui/copy-button.tsx";
import { LongText } from "../../ui/long-text.tsx";
import { ErrorNote } from "../../ui/notes.tsx";
import type { AgentDetail } from "./agent-data.ts";
import { TEXTS } from "./texts.ts";
import type { TranscriptState } from "./transcript/transcript.ts";

export type PromptProps = { readonly agent: AgentDetail; readonly state: TranscriptState };

export function PromptSent({ agent, state }: PromptProps) {
  const text = useTexts(TEXTS).prompt;
  const { data, error } = useQuery({
    queryKey: ["agent", agent.agentId, "prompt"],
    queryFn: ({ signal }) =>
      get("/api/agents/{id}/prompt", { params: { id: agent.agentId }, signal }),
  });
  const echoed = echoOf(state, agent.prompt);
  const whole = echoed ?? data?.prompt;
  return (
    <div className="flex flex-col gap-3">
      <Card className="p-4">
        <Head title={text.request} copy={agent.prompt} />
        <LongText text={agent.prompt} lines={12} className="text-[13px]" />
      </Card>
      <Card className="p-4">
        <Head title={text.title} copy={whole ?? ""} />
        <p className="mb-2 text-xs text-text-3">
          {echoed === undefined ? text.rebuilt : text.echoed}
        </p>
        {whole === undefined && error && <ErrorNote error={error} />}
        {whole !== undefined && <LongText text={whole} full className="text-[13px] text-text-2" />}
      </Card>
    </div>
  );
}

function Head({ title, copy }: { readonly title: string; readonly copy: string }) {
  const text = useTexts(TEXTS).prompt;
  return (
    <div className="mb-1 flex items-center justify-between gap-3">
      <h2 className="font-semibold">{title}</h2>
      <CopyButton text={copy}>{text.copy}</CopyButton>
    </div>
  );
}

/** Some CLIs echo the whole prompt, others only its first line. */
function echoOf({ entries }: TranscriptState, request: string): string | undefined {
  const first = entries.slice(0, 10).find(({ kind }) => kind === "prompt");
  return first?.kind === "prompt" && first.text.includes(request) ? first.text : undefined;
}
