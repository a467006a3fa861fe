import { useEffect } from "react";

/** Shows in the tab how many approvals wait, and whether there are unread alerts. */
export function useTabMark(approvals: number, hasUnread: boolean): void {
  useEffect(() => {
    const count = approvals > 0 ? `(${approvals}) ` : "";
    document.title = `${hasUnread ? "● " : ""}${count}黒魔術`;
  }, [approvals, hasUnread]);
  useEffect(() => {
    const icon = document.querySelector('link[rel="icon"]');
    icon?.setAttribute("href", hasUnread ? "/icon-unread.svg" : "/icon.svg");
  }, [hasUnread]);
}
