import { useQuery } from "@tanstack/react-query";
import { useEffect, useMemo } from "react";
import type { WireAlert } from "../../../../src/contract/shapes/alerts.ts";
import { get } from "../../api/http.ts";
import { useMe } from "../../api/use-me.ts";
import { beginSeen, markSeen, useSeen } from "./seen.ts";

const PAGE_LIMIT = 50;

export type MyAlerts = {
  /** Newest first. */
  readonly alerts: readonly WireAlert[];
  readonly unread: number;
  readonly markAllSeen: () => void;
};

/** The alerts that browsers show to this person. Live events read them again. */
export function useMyAlerts(): MyAlerts {
  const me = useMe()?.id;
  const { data } = useQuery({
    queryKey: ["alert", "browser"],
    queryFn: ({ signal }) =>
      get("/api/alerts", { query: { target: "browser", limit: PAGE_LIMIT }, signal }),
  });
  const alerts = useMemo(
    () => (data?.alerts ?? []).filter((alert) => alert.status === "sent" && isFor(alert, me)),
    [data, me],
  );
  const newest = newestOf(alerts);
  const seen = useSeen((all) => (me === undefined ? undefined : all[me]));
  useEffect(() => {
    if (me !== undefined && data) beginSeen(me, newest);
  }, [me, data, newest]);
  return {
    alerts,
    unread: seen === undefined ? 0 : alerts.filter(({ endedAt }) => (endedAt ?? "") > seen).length,
    markAllSeen: () => {
      if (me !== undefined) markSeen(me, newest);
    },
  };
}

export function isFor(
  { recipients }: Pick<WireAlert, "recipients">,
  person: string | undefined,
): boolean {
  if (person === undefined) return false;
  return recipients === null || recipients.includes(person);
}

/** All times come from the daemon, so a wrong clock of this machine does not matter. */
function newestOf(alerts: readonly WireAlert[]): string {
  return alerts.reduce(
    (latest, { endedAt }) => ((endedAt ?? "") > latest ? (endedAt ?? "") : latest),
    "",
  );
}
