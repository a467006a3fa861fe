import { Link } from "@tanstack/react-router";
import { visibleName } from "../../../text/visible.ts";
import { cx } from "../../../ui/cx.ts";

const PAGES: readonly (readonly [RegExp, string])[] = [
  [/^task-[0-9A-Z]{10,}$/, "/tasks/"],
  [/^apr-[0-9A-Z]{10,}$/, "/approvals/"],
  [/^grp-\d+-[0-9a-f]{4,}$/, "/groups/"],
  [/^[a-z0-9][a-z0-9-]*-\d{9,}-[0-9a-f]{4,}$/, "/agents/"],
];
const ID = /^[a-z]+-[0-9A-Z]{10,}$/;

/** The page of a task, an approval, a group or an agent; undefined: the text is no such id. */
export function pageOf(subject: string): string | undefined {
  const found = PAGES.find(([is]) => is.test(subject));
  return found && found[1] + encodeURIComponent(subject);
}

/** An id as a link to its page. Ids are never broken over lines; other texts may be. */
export function SubjectLink({ subject }: { readonly subject: string }) {
  const page = pageOf(subject);
  const isId = page !== undefined || ID.test(subject);
  const look = cx("font-mono text-[11px]", isId ? "whitespace-nowrap" : "break-all");
  if (page === undefined) {
    return <span className={cx(look, "text-text-2")}>{visibleName(subject)}</span>;
  }
  return (
    <Link to={page} className={cx(look, "text-violet hover:underline")}>
      {subject}
    </Link>
  );
}
