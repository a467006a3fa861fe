import type { Alert, AlertStatus } from "../../domain/alerts/alert.ts";

export type AlertQuery = {
  readonly statuses?: readonly AlertStatus[];
  /** Not together with `statuses`. */
  readonly target?: string;
  readonly limit: number;
};

export type AlertQueries = {
  /** Newest first. */
  listAlerts(query: AlertQuery): Promise<readonly Alert[]>;
  /** Pending alerts whose time is at or before `now`; the longest due first. */
  listDueAlerts(now: number, limit: number, target?: string): Promise<readonly Alert[]>;
  /**
   * When the next pending alert is due after this time; undefined: none is. With a target, only
   * alerts that have not been tried: others may still join their message.
   */
  nextAlertDue(after: number, target?: string): Promise<number | undefined>;
  /** Alerts were derived from all events up to this number; undefined: they are off. */
  getAlertCursor(): Promise<number | undefined>;
};

export type AlertChanges = {
  /** False when the target already has an alert with this key. */
  insertAlert(alert: Alert): Promise<boolean>;
  updateAlert(next: Alert, expected: Alert): Promise<Alert>;
  putAlertCursor(seq: number | undefined): Promise<void>;
};
