import { Plus, RotateCcw } from "lucide-react";
import { useState } from "react";
import { post } from "../api/http.ts";
import { useRoles } from "../api/system.ts";
import { ChangeDialog } from "../features/roles/change-dialog.tsx";
import { NewRoleDialog } from "../features/roles/new-role-dialog.tsx";
import { RoleCard } from "../features/roles/role-card.tsx";
import { RunnerProblems } from "../features/roles/runner-problems.tsx";
import { TEXTS } from "../features/roles/texts.ts";
import { useMayEdit } from "../features/roles/use-may-edit.ts";
import { COMMON } from "../i18n/common.ts";
import { useTexts } from "../i18n/texts.ts";
import { Button } from "../ui/button.tsx";
import { ErrorNote, Loading } from "../ui/notes.tsx";
import { CountBadge, PageHead, SectionHead } from "../ui/page-head.tsx";

export function Page() {
  const text = useTexts(TEXTS);
  const { nav } = useTexts(COMMON);
  const roles = useRoles();
  const { mayEdit, why } = useMayEdit(roles.data);
  const [isAdding, setAdding] = useState(false);
  const [restoring, setRestoring] = useState<string | null>(null);
  const all = roles.data?.roles ?? [];
  const available = all.filter((role) => role.available).length;
  return (
    <>
      <PageHead
        title={nav.roles}
        note={text.note}
        badge={roles.data && <CountBadge>{text.count(available, all.length)}</CountBadge>}
      >
        {mayEdit && (
          <Button
            look="violet"
            icon={<Plus size={15} aria-hidden />}
            onPress={() => setAdding(true)}
          >
            {text.add}
          </Button>
        )}
      </PageHead>
      <RunnerProblems />
      {roles.isPending && <Loading />}
      {roles.isError && <ErrorNote error={roles.error} onRetry={() => void roles.refetch()} />}
      {why && <p className="mb-3 text-text-2">{why}</p>}
      <div className="grid gap-3 md:grid-cols-2 xl:grid-cols-3">
        {all.map((role) => (
          <RoleCard key={role.id} role={role} />
        ))}
      </div>
      {roles.data && roles.data.disabled.length > 0 && (
        <section className="mt-6">
          <SectionHead title={text.disabled} note={text.disabledNote} />
          <ul className="flex flex-wrap gap-2">
            {roles.data.disabled.map((id) => (
              <li
                key={id}
                className="flex items-center gap-3 rounded-lg border border-dashed border-line px-3 py-1.5"
              >
                <span className="font-mono text-xs">{id}</span>
                {mayEdit && (
                  <Button
                    size="small"
                    icon={<RotateCcw size={13} aria-hidden />}
                    onPress={() => setRestoring(id)}
                  >
                    {text.restore}
                  </Button>
                )}
              </li>
            ))}
          </ul>
        </section>
      )}
      {roles.data?.config.path && (
        <p className="mt-5 text-xs text-text-3">
          {text.file}: <span className="font-mono break-all">{roles.data.config.path}</span>
        </p>
      )}
      {isAdding && <NewRoleDialog onClose={() => setAdding(false)} />}
      {restoring !== null && (
        <ChangeDialog
          title={text.restoreTitle(restoring)}
          change={`restore ${restoring}`}
          send={(hash, dryRun) =>
            post("/api/roles", { query: { dryRun: `${dryRun}` }, body: { id: restoring, ...hash } })
          }
          confirm={text.resetSend}
          onClose={() => setRestoring(null)}
          onDone={() => setRestoring(null)}
        />
      )}
    </>
  );
}
