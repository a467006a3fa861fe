import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { WireNotification } from "../../../../src/contract/shapes/notifications.ts";
import { get, post } from "../../api/http.ts";
import { useMayOperate } from "../../api/use-me.ts";
import { useTexts } from "../../i18n/texts.ts";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { cx } from "../../ui/cx.ts";
import { Field } from "../../ui/field.tsx";
import { LongText } from "../../ui/long-text.tsx";
import { Ago } from "../../ui/times.tsx";
import { useAction } from "../../ui/use-action.ts";
import { usePersonName } from "../people/use-person-name.ts";
import { TEXTS } from "./texts.ts";

const ASK_AGAIN_MS = 3_000;
const STEPS = ["pending", "announced", "read"] as const;

/** Notifications for the agent and their delivery. */
export function Notices({
  agentId,
  isLive,
}: {
  readonly agentId: string;
  readonly isLive: boolean;
}) {
  const text = useTexts(TEXTS);
  const { data, refetch } = useQuery({
    queryKey: ["notification", agentId],
    queryFn: ({ signal }) => get("/api/notifications", { query: { agentId }, signal }),
    refetchInterval: ({ state }) =>
      isLive &&
      state.data?.notifications.some(({ status }) => status !== "read" && status !== "cleared")
        ? ASK_AGAIN_MS
        : false,
  });
  const mayOperate = useMayOperate();
  const notices = data?.notifications ?? [];
  return (
    <Card aria-labelledby="notices" className="flex flex-col gap-3 p-4">
      <h2 id="notices" className="font-semibold">
        {text.notices.title}
      </h2>
      {isLive && mayOperate ? (
        <MessageForm agentId={agentId} onSent={() => void refetch()} />
      ) : (
        notices.length === 0 && <p className="text-text-3">{text.notices.none}</p>
      )}
      {notices.length > 0 && (
        <ul className="flex flex-col divide-y divide-line/70">
          {notices.map((notice) => (
            <NoticeRow key={notice.notificationId} notice={notice} />
          ))}
        </ul>
      )}
    </Card>
  );
}

function NoticeRow({ notice }: { readonly notice: WireNotification }) {
  const text = useTexts(TEXTS).notices;
  const nameOf = usePersonName();
  const reached = reachedStep(notice);
  return (
    <li className="py-2">
      <div className="flex flex-wrap items-baseline justify-between gap-2">
        <p>
          <span className="font-semibold">{text.type[notice.type]}</span>{" "}
          <span className="text-xs text-text-3">{text.from(nameOf(notice.from))}</span>
        </p>
        <Ago at={notice.createdAt} className="text-xs text-text-3" />
      </div>
      <LongText text={notice.text} lines={3} className="text-text-2" />
      <ol className="mt-1 flex gap-1 text-[11px]">
        {STEPS.map((step, index) => (
          <li
            key={step}
            aria-current={step === notice.status ? "step" : undefined}
            className={cx(
              "flex-1 border-t-2 pt-0.5",
              index <= reached ? "border-success text-text-2" : "border-line text-text-3",
            )}
          >
            {text.status[step]}
          </li>
        ))}
      </ol>
    </li>
  );
}

/** Decided by the timestamps: a notification can be cleared without being announced or read. */
function reachedStep({ announcedAt, readAt }: WireNotification): number {
  if (readAt !== null) return STEPS.indexOf("read");
  return STEPS.indexOf(announcedAt === null ? "pending" : "announced");
}

function MessageForm({
  agentId,
  onSent,
}: {
  readonly agentId: string;
  readonly onSent: () => void;
}) {
  const text = useTexts(TEXTS).message;
  const [words, setWords] = useState("");
  const send = useAction(async () => {
    await post("/api/agents/{id}/message", {
      params: { id: agentId },
      body: { text: words.trim() },
    });
    setWords("");
    onSent();
  });
  const go = () => void (words.trim() !== "" && !send.isRunning && send.run());
  return (
    <div className="flex flex-col gap-2">
      <Field
        label={text.label}
        value={words}
        onChange={setWords}
        rows={2}
        help={text.help}
        onSubmit={go}
      />
      <Button
        look="violet"
        className="self-end"
        onPress={go}
        isDisabled={words.trim() === ""}
        isPending={send.isRunning}
      >
        {text.send}
      </Button>
    </div>
  );
}
