/** The buttons of our cards. What a handler needs to know is in the value of the button. */
export const ACTIONS = {
  approvePrompt: "approve_prompt",
  rejectPrompt: "reject_prompt",
  approveProcess: "approve_process",
  rejectProcess: "reject_process",
  cancelExecution: "cancel_execution",
  retryExecution: "retry_execution",
  approveStep: "approve_step",
  rejectStep: "reject_step",
  approveMerge: "approve_merge",
  rejectMerge: "reject_merge",
  answerQuestion: "answer_question",
  outcomeDone: "outcome_done",
  outcomeRepeat: "outcome_repeat",
  outcomeFailed: "outcome_failed",
  cancelTask: "cancel_task",
  retryTask: "retry_task",
  blockTask: "block_task",
  unblockTask: "unblock_task",
  stopGroup: "stop_group",
  /** A link: Slack opens it, and the click still arrives and needs an ack. */
  openDashboard: "open_dashboard",
  openCard: "open_card",
} as const;

/** The modals, by the callback id that their submission carries. */
export const MODALS = {
  rejectDraft: "rejection_reason_modal",
  rejectCall: "call_rejection_modal",
  answer: "answer_modal",
  block: "block_reason_modal",
  cancel: "cancel_modal",
  outcome: "outcome_modal",
} as const;

/** Where the submission of a modal has its values: block id, then action id. */
export const INPUTS = {
  rejectionReason: { block: "rejection_reason_block", input: "rejection_reason_input" },
  callReason: { block: "call_reason_block", input: "call_reason_input" },
  onReject: { block: "on_reject_block", input: "on_reject_input" },
  answer: { block: "answer_block", input: "answer_input" },
  blockReason: { block: "block_reason_block", input: "block_reason_input" },
  cancelReason: { block: "cancel_reason_block", input: "cancel_reason_input" },
} as const;
