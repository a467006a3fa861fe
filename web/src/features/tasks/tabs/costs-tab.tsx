import type { TaskDetail } from "../../../api/task-detail.ts";
import { useFormat } from "../../../i18n/format.ts";
import { useTexts } from "../../../i18n/texts.ts";
import { ErrorNote, Loading } from "../../../ui/notes.tsx";
import { keyOf, modelOf, sumOf, type UsageRow } from "../../agents/usage-rows.ts";
import { useRoleName } from "../../roles/role-icon.tsx";
import { TASK } from "../detail/texts.ts";
import { useTaskCost } from "../detail/use-task-cost.ts";

export function CostsTab({ task }: { readonly task: TaskDetail }) {
  const text = useTexts(TASK);
  const format = useFormat();
  const { usage, isPending, error, retry } = useTaskCost(task);
  if (error) return <ErrorNote error={error} onRetry={retry} />;
  if (isPending && usage.length === 0) return <Loading />;
  const atWork = task.agents.filter(({ status }) => status === "running").length;
  if (usage.length === 0) {
    return (
      <p className="py-4 text-text-3">{atWork > 0 ? text.costsLater(atWork) : text.noCosts}</p>
    );
  }
  const sum = sumOf(usage);
  return (
    <div className="flex flex-col gap-2">
      <div className="overflow-x-auto" tabIndex={0} role="region" aria-label={text.costs}>
        <table className="w-full text-left text-xs">
          <thead className="text-text-3">
            <tr>
              <th scope="col" className="py-1 pr-3 font-normal">
                {text.role}
              </th>
              <th scope="col" className="py-1 pr-3 text-right font-normal">
                {text.tokensIn}
              </th>
              <th scope="col" className="py-1 pr-3 text-right font-normal">
                {text.tokensOut}
              </th>
              <th scope="col" className="py-1 pr-3 text-right font-normal">
                {text.tokensCache}
              </th>
              <th scope="col" className="py-1 text-right font-normal">
                {text.cost}
              </th>
            </tr>
          </thead>
          <tbody>
            {usage.map((row) => (
              <Row key={keyOf(row)} row={row} />
            ))}
          </tbody>
          {sum && (
            <tfoot>
              <tr className="border-t border-line font-semibold">
                <th scope="row" colSpan={4} className="py-1.5 pr-3">
                  {text.total}
                  {sum.isPartial && (
                    <span className="ml-2 font-normal text-text-3">{text.costPartly}</span>
                  )}
                </th>
                <td className="py-1.5 text-right font-mono">{format.amounts(sum.amounts)}</td>
              </tr>
            </tfoot>
          )}
        </table>
      </div>
      <p className="text-xs text-text-3">
        {text.costNote}
        {atWork > 0 && ` ${text.costsLater(atWork)}`}
      </p>
    </div>
  );
}

function Row({ row }: { readonly row: UsageRow }) {
  const text = useTexts(TASK);
  const format = useFormat();
  const name = useRoleName(row.role);
  return (
    <tr className="border-t border-line align-top">
      <th scope="row" className="py-1.5 pr-3 font-semibold">
        {name}
        {row.agents > 1 && <span className="ml-1 text-text-3">×{format.number(row.agents)}</span>}
        <span className="block font-mono font-normal text-text-3">{modelOf(row)}</span>
      </th>
      <td className="py-1.5 pr-3 text-right font-mono">{format.compact(row.inputTokens)}</td>
      <td className="py-1.5 pr-3 text-right font-mono">{format.compact(row.outputTokens)}</td>
      <td className="py-1.5 pr-3 text-right font-mono">
        {format.compact(row.cacheReadTokens + row.cacheWriteTokens)}
      </td>
      <td className="py-1.5 text-right font-mono">
        {row.cost === null ? (
          <span className="font-sans text-text-3">
            {row.reason === "no price" ? text.noPrice : text.noUsage}
          </span>
        ) : (
          format.money(row.cost, row.currency)
        )}
      </td>
    </tr>
  );
}
