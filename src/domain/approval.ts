import { nextState, type Transitions } from "./transition.ts";

export const APPROVAL_STATUSES = [
  "pending",
  "approved",
  "rejected",
  "superseded",
  "expired",
  "cancelled",
] as const;
export type ApprovalStatus = (typeof APPROVAL_STATUSES)[number];

export const APPROVAL_EVENTS = [
  "approved",
  "rejected",
  "superseded",
  "expired",
  "extended",
  "cancelled",
] as const;
export type ApprovalEvent = (typeof APPROVAL_EVENTS)[number];

/** One decision, one winner: everything but `pending` is final. */
export const APPROVAL_TRANSITIONS: Transitions<ApprovalStatus, ApprovalEvent> = {
  pending: {
    approved: "approved",
    rejected: "rejected",
    superseded: "superseded",
    expired: "expired",
    extended: "pending",
    cancelled: "cancelled",
  },
  approved: {},
  rejected: {},
  superseded: {},
  expired: {},
  cancelled: {},
};

export function nextApprovalStatus(status: ApprovalStatus, event: ApprovalEvent): ApprovalStatus {
  return nextState(APPROVAL_TRANSITIONS, "The approval", status, event);
}
