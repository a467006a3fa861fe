import type { TaskChanges } from "../../../../app/ports/task-store.ts";
import { insertApproval, updateApproval } from "../approvals/approvals.ts";
import { insertAgentCall, updateAgentCall } from "../gateway/agent-calls.ts";
import { markDelivery } from "../gateway/call-rows.ts";
import { insertToolCall, updateToolCall } from "../gateway/tool-calls.ts";
import { putToolPin } from "../gateway/tool-pins.ts";
import { appendAudit } from "../people/audit.ts";
import { deleteSignIn, deleteSignInsExpiredAt, insertSignIn } from "../people/sign-ins.ts";
import { insertProcessDraft, insertPromptDraft } from "../tasks/drafts.ts";
import { insertExecution, updateExecution } from "../tasks/executions.ts";
import { insertTask, updateTask } from "../tasks/tasks.ts";
import {
  deleteIdempotencyRecord,
  deleteIdempotencyRecordsBefore,
  insertIdempotencyRecord,
  putIdempotencyRecord,
} from "./idempotency-keys.ts";
import type { Run } from "./queries.ts";

export function createTaskChanges(run: Run): TaskChanges {
  return {
    insertTask: (task) => run((db) => insertTask(db, task)),
    updateTask: (next, expected) => run((db) => updateTask(db, next, expected)),
    insertPromptDraft: (draft) => run((db) => insertPromptDraft(db, draft)),
    insertProcessDraft: (draft) => run((db) => insertProcessDraft(db, draft)),
    insertExecution: (execution) => run((db) => insertExecution(db, execution)),
    updateExecution: (next, expected) => run((db) => updateExecution(db, next, expected)),
    insertApproval: (approval) => run((db) => insertApproval(db, approval)),
    updateApproval: (next, expected) => run((db) => updateApproval(db, next, expected)),
    insertToolCall: (call) => run((db) => insertToolCall(db, call)),
    updateToolCall: (next, expected) => run((db) => updateToolCall(db, next, expected)),
    insertAgentCall: (call) => run((db) => insertAgentCall(db, call)),
    updateAgentCall: (next, expected) => run((db) => updateAgentCall(db, next, expected)),
    markToolCallDelivery: (id, delivery) =>
      run((db) => markDelivery(db, "tool_calls", id, delivery)),
    markAgentCallDelivery: (id, delivery) =>
      run((db) => markDelivery(db, "agent_calls", id, delivery)),
    putToolPin: (pin) => run((db) => putToolPin(db, pin)),
    appendAudit: (entry) => run((db) => appendAudit(db, entry)),
    insertSignIn: (signIn) => run((db) => insertSignIn(db, signIn)),
    deleteSignIn: (hash) => run((db) => deleteSignIn(db, hash)),
    deleteSignInsExpiredAt: (now) => run((db) => deleteSignInsExpiredAt(db, now)),
    insertIdempotencyRecord: (request, expired) =>
      run((db) => insertIdempotencyRecord(db, request, expired)),
    putIdempotencyRecord: (request) => run((db) => putIdempotencyRecord(db, request)),
    deleteIdempotencyRecord: (key) => run((db) => deleteIdempotencyRecord(db, key)),
    deleteIdempotencyRecordsBefore: (at) => run((db) => deleteIdempotencyRecordsBefore(db, at)),
  };
}
