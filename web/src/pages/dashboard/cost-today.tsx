import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type AnswerOf, get } from "../../api/http.ts";
import { SparkArea } from "../../charts/sparkline.tsx";
import { isUsed, modelOf } from "../../features/agents/usage-rows.ts";
import { COMMON } from "../../i18n/common.ts";
import { useFormat } from "../../i18n/format.ts";
import { useTexts } from "../../i18n/texts.ts";
import { tokensOf } from "../../live/tokens.ts";
import { amountsOf } from "../../text/amounts.ts";
import { TEXTS } from "./texts.ts";

const DAYS = 14;
const DAY_MS = 24 * 60 * 60_000;
const ASK_AGAIN_MS = 30_000;

export function CostToday() {
  const text = useTexts(TEXTS);
  const { tokens } = useTexts(COMMON);
  const format = useFormat();
  const { data } = useQuery({
    queryKey: ["usage", "recent"],
    queryFn: ({ signal }) => {
      const from = dayOf(Date.now() - (DAYS - 1) * DAY_MS);
      return get("/api/usage", { query: { from }, signal });
    },
    refetchInterval: ASK_AGAIN_MS,
  });
  const today = sumOf(data?.rows.filter(({ day }) => day === data.until) ?? []);
  const perDay = daysOf(data);
  return (
    <div>
      <div className="flex flex-wrap items-baseline justify-between gap-x-3">
        <h2 className="text-text-2">
          <Link to="/costs" className="hover:text-text hover:underline">
            {text.todayCost}
          </Link>
        </h2>
        <p className="font-mono text-lg font-semibold">
          {today.amounts.length === 0 ? "—" : format.amounts(today.amounts)}
        </p>
      </div>
      <SparkArea values={perDay} height={30} className="my-1 text-violet" />
      <div className="flex justify-between gap-3 font-mono text-xs text-text-3">
        <span>{tokens(format.compact(today.tokens))}</span>
        <span>{text.days(DAYS)}</span>
      </div>
      {today.tokens === 0 && today.amounts.length === 0 && (
        <p className="text-xs text-text-3">{text.noUsage}</p>
      )}
      {today.unpriced.length > 0 && (
        <p className="text-xs text-timeout">
          {text.noPrice(today.unpriced.join(", "))}
          {today.amounts.length > 0 && <span className="block">{text.partly}</span>}
        </p>
      )}
    </div>
  );
}

function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

type Usage = AnswerOf<"get", "/api/usage">;
type Row = Usage["rows"][number];

function sumOf(rows: readonly Row[]) {
  const used = rows.filter(isUsed);
  return {
    tokens: used.reduce((sum, row) => sum + tokensOf(row), 0),
    amounts: amountsOf(used),
    unpriced: [...new Set(used.filter(({ cost }) => cost === null).map(modelOf))],
  };
}

/** Cost per day if all of it is known, in one currency; otherwise tokens. */
function daysOf(data: Usage | undefined): readonly number[] {
  if (!data) return [0, 0];
  const isPriced =
    data.rows.every((row) => row.cost !== null || tokensOf(row) === 0) &&
    amountsOf(data.rows).length <= 1;
  const last = Date.parse(data.until);
  return Array.from({ length: DAYS }, (_, index) => {
    const day = dayOf(last - (DAYS - 1 - index) * DAY_MS);
    return data.rows
      .filter((row) => row.day === day)
      .reduce((sum, row) => sum + (isPriced ? (row.cost ?? 0) : tokensOf(row)), 0);
  });
}
