import { TriangleAlert } from "lucide-react";
import { TEMPLATE_KINDS } from "../../../src/contract/values.ts";
import { TemplateCard } from "../features/templates/template-card.tsx";
import { useTemplates } from "../features/templates/template-data.ts";
import { TEXTS } from "../features/templates/texts.ts";
import { COMMON } from "../i18n/common.ts";
import { useTexts } from "../i18n/texts.ts";
import { visible } from "../text/visible.ts";
import { EmptyState, ErrorNote, Loading } from "../ui/notes.tsx";
import { CountBadge, PageHead } from "../ui/page-head.tsx";
import { Segments } from "../ui/segments.tsx";
import { useFilters } from "../ui/use-filters.ts";

export function Page() {
  const text = useTexts(TEXTS);
  const { nav } = useTexts(COMMON);
  const [filters, change] = useFilters();
  const { data, error, isPending, refetch } = useTemplates();
  const chosen = TEMPLATE_KINDS.find((kind) => kind === filters["kind"]);
  const all = data?.templates ?? [];
  const shown = all.filter(({ kind }) => chosen === undefined || kind === chosen);
  return (
    <>
      <PageHead
        title={nav.templates}
        note={text.note}
        badge={data && <CountBadge>{all.length}</CountBadge>}
      />
      {isPending && <Loading />}
      {error && <ErrorNote error={error} onRetry={() => void refetch()} />}
      {data && (
        <div className="mb-4">
          <Segments
            label={text.filter}
            value={chosen ?? "all"}
            onChange={(kind) => change({ kind: kind === "all" ? undefined : kind })}
            options={[
              { id: "all", label: text.all, count: all.length },
              ...TEMPLATE_KINDS.map((kind) => ({
                id: kind,
                label: text.kinds[kind],
                count: all.filter((each) => each.kind === kind).length,
              })),
            ]}
          />
        </div>
      )}
      {data && shown.length === 0 && <EmptyState title={text.none}>{text.noneHelp}</EmptyState>}
      <div className="grid gap-3 md:grid-cols-2 xl:grid-cols-3">
        {shown.map((template) => (
          <TemplateCard key={template.id} template={template} />
        ))}
      </div>
      {data && <Problems problems={data.problems} />}
      {data && (
        <p className="mt-5 text-xs text-text-3">
          {text.folder}: <span className="font-mono break-all">{data.folder}</span>
        </p>
      )}
    </>
  );
}

type Problem = { readonly path: string; readonly line: number | null; readonly text: string };

/** Files that are not used, and why. */
function Problems({ problems }: { readonly problems: readonly Problem[] }) {
  const text = useTexts(TEXTS);
  if (problems.length === 0) return null;
  return (
    <section className="mt-6 rounded-xl border border-timeout/50 bg-timeout/10 p-4">
      <h2 className="mb-2 flex items-center gap-2 font-semibold">
        <TriangleAlert size={16} aria-hidden className="shrink-0 text-timeout" />
        {text.problems(new Set(problems.map(({ path }) => path)).size)}
      </h2>
      <ul className="flex flex-col gap-1.5">
        {problems.map(({ path, line, text: said }) => (
          <li key={`${path} ${line} ${said}`}>
            <span className="font-mono text-xs break-all">{visible(path)}</span>
            {line !== null && <span className="ml-2 text-xs text-text-2">{text.line(line)}</span>}
            <span className="block text-text-2">{visible(said)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
