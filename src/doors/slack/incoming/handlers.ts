import { greetInMessages, greetInThread } from "../agent/greet.ts";
import type { Homes } from "../agent/home.ts";
import { openedTab } from "../agent/home.ts";
import { handleStop } from "../agent/stop.ts";
import { ACTIONS, MODALS } from "../cards/action-ids.ts";
import type { Handle, Handlers } from "../receive/bolt-app.ts";
import type { SlackRequest } from "../receive/inbox.ts";
import { MESSAGE_SHORTCUT } from "../setup/app-definition.ts";
import { handleCommand } from "./command.ts";
import type { Incoming } from "./context.ts";
import {
  APPROVE_CALL,
  APPROVE_MERGE,
  APPROVE_PROCESS,
  APPROVE_PROMPT,
  CALL_DONE,
  CALL_FAILED,
  handleDecision,
  REPEAT_CALL,
  sayOldButton,
  type Choice,
} from "./decide.ts";
import { handleRetry, handleStatusChange, handleStopGroup } from "./interrupt.ts";
import { handleMessage } from "./message.ts";
import { openBlockModal, openDecisionModal } from "./open-modal.ts";
import { handleShortcut } from "./shortcut.ts";
import { submitAnswer, submitBlock, submitCallRejection, submitRejection } from "./submit-modal.ts";
import { handleGroupChanged, handleTokensRevoked, handleUninstalled } from "./workspace-events.ts";

/** Slack opens the address; the click needs no answer but the acknowledgement. */
const link: Handle = ({ ack }) => ack.send();

export function createHandlers(incoming: Incoming, homes: Homes): Handlers {
  type Work = (incoming: Incoming, request: SlackRequest) => Promise<void>;
  const use =
    (work: Work): Handle =>
    (request) =>
      work(incoming, request);
  const decides = (choice: Choice): Handle =>
    use((on, request) => handleDecision(on, request, choice));
  const asks = (...kinds: Parameters<typeof openDecisionModal>[2]): Handle =>
    use((on, request) => openDecisionModal(on, request, kinds));
  const sets = (status: Parameters<typeof handleStatusChange>[2]): Handle =>
    use((on, request) => handleStatusChange(on, request, status));
  return {
    events: {
      app_mention: use(handleMessage),
      message: use(handleMessage),
      app_home_opened: (request) =>
        openedTab(request) === "messages"
          ? greetInMessages(incoming, request)
          : homes.show(request),
      assistant_thread_started: use(greetInThread),
      agent_session_stopped: use(handleStop),
      app_uninstalled: use(handleUninstalled),
      tokens_revoked: use(handleTokensRevoked),
      subteam_members_changed: use(handleGroupChanged),
    },
    actions: {
      [ACTIONS.approvePrompt]: decides(APPROVE_PROMPT),
      [ACTIONS.rejectPrompt]: asks("prompt"),
      [ACTIONS.approveProcess]: decides(APPROVE_PROCESS),
      [ACTIONS.rejectProcess]: asks("process"),
      [ACTIONS.approveStep]: decides(APPROVE_CALL),
      [ACTIONS.rejectStep]: asks("step", "unplanned_tool", "call"),
      [ACTIONS.approveMerge]: decides(APPROVE_MERGE),
      [ACTIONS.rejectMerge]: asks("merge"),
      [ACTIONS.answerQuestion]: asks("question"),
      [ACTIONS.outcomeDone]: decides(CALL_DONE),
      [ACTIONS.outcomeRepeat]: decides(REPEAT_CALL),
      [ACTIONS.outcomeFailed]: decides(CALL_FAILED),
      [ACTIONS.cancelExecution]: sets("cancelled"),
      [ACTIONS.cancelTask]: sets("cancelled"),
      [ACTIONS.retryExecution]: use(handleRetry),
      [ACTIONS.retryTask]: use(handleRetry),
      [ACTIONS.blockTask]: use(openBlockModal),
      [ACTIONS.unblockTask]: sets("in_progress"),
      [ACTIONS.stopGroup]: use(handleStopGroup),
      [ACTIONS.openDashboard]: link,
      [ACTIONS.openCard]: link,
    },
    views: {
      [MODALS.rejectDraft]: use(submitRejection),
      [MODALS.rejectCall]: use(submitCallRejection),
      [MODALS.answer]: use(submitAnswer),
      [MODALS.block]: use(submitBlock),
    },
    shortcuts: { [MESSAGE_SHORTCUT]: use(handleShortcut) },
    command: use(handleCommand),
    unknown: use(sayOldButton),
  };
}
