import { STOP_REASONS } from "../../../../src/contract/values.ts";
import { defineTexts, useTexts } from "../../i18n/texts.ts";

const TEXTS = defineTexts<Readonly<Record<(typeof STOP_REASONS)[number], string>>>({
  ja: {
    timeout: "制限時間に達した",
    cancelled: "停止された",
    interrupted: "停止の通知のあと、時間内に報告しなかった",
    lingered: "終わったあともプロセスが残っていた",
    spool_limit: "出力が上限 (agent.maxOutput_mb) を超えた",
    retry_limit: "モデルへの要求が、上限 (agent.maxRetries) を超えて続けて失敗した",
    retry_time: "モデルへの要求が、上限の時間 (agent.maxRetryTime_ms) を超えて失敗し続けた",
    event_limit: "イベントの数が上限 (agent.maxEvents) を超えた",
    tool_call_limit: "ツールの呼び出しが上限 (agent.maxToolCalls) を超えた",
  },
  en: {
    timeout: "It reached its time limit",
    cancelled: "It was stopped",
    interrupted: "It did not report in time after its stop notification",
    lingered: "Its process did not exit after it had finished",
    spool_limit: "It wrote more output than agent.maxOutput_mb allows",
    retry_limit: "Requests to its model failed more often in a row than agent.maxRetries allows",
    retry_time: "Requests to its model kept failing for longer than agent.maxRetryTime_ms allows",
    event_limit: "It wrote more events than agent.maxEvents allows",
    tool_call_limit: "It called more tools than agent.maxToolCalls allows",
  },
});

/** Says in words why an agent was stopped. */
export function useStopReason(): (reason: string) => string {
  const texts = useTexts(TEXTS);
  return (reason) => {
    const known = STOP_REASONS.find((each) => each === reason);
    return known ? texts[known] : reason;
  };
}
