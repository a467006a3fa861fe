import { Link } from "@tanstack/react-router";
import type { WireGroup } from "../../../../src/contract/shapes/groups.ts";
import { COMMON } from "../../i18n/common.ts";
import { useTexts } from "../../i18n/texts.ts";
import { MODE_ICON } from "./overview/group-head.tsx";
import { TEXTS } from "./texts.ts";

export function ChildGroups({ groups }: { readonly groups: readonly WireGroup[] }) {
  const text = useTexts(TEXTS);
  const { groupMode } = useTexts(COMMON);
  if (groups.length === 0) return null;
  return (
    <section aria-labelledby="children" className="mb-5">
      <h2 id="children" className="mb-2 text-[15px] font-bold">
        {text.children} <span className="font-mono text-sm text-text-3">{groups.length}</span>
      </h2>
      <ul className="grid gap-2 sm:grid-cols-2">
        {groups.map((group) => (
          <li key={group.groupId}>
            <Link
              to="/groups/$groupId"
              params={{ groupId: group.groupId }}
              className="flex items-center gap-3 rounded-xl border border-line bg-surface px-3 py-2 hover:border-violet"
            >
              <span className="text-text-2">{MODE_ICON[group.mode]}</span>
              <span className="min-w-0">
                <span className="block truncate font-semibold">{group.description}</span>
                <span className="block text-xs text-text-3">
                  {groupMode[group.mode]} <span className="font-mono">{group.groupId}</span>
                </span>
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
