import { useMemo, useState } from "react";
import { isRecord, type Fields } from "../../../src/base/narrow.ts";
import { useTexts } from "../i18n/texts.ts";
import { visibleName } from "../text/visible.ts";
import { CopyButton } from "./copy-button.tsx";
import { LONG_TEXT } from "./long-text-texts.ts";
import { LongText } from "./long-text.tsx";
import { useShowMore } from "./show-more.tsx";

export type ArgumentsProps = {
  /** Arguments of a tool, or any other JSON value. */
  readonly value: unknown;
};

const DEEPEST = 3;
const FIRST_ROWS = 200;
const MAX_COLUMNS = 10;
const FIRST_ITEMS = 50;
/** Longer values get their own line, which can be expanded. */
const SHORT = 60;

/** Arguments in a readable form, with the exact JSON below. */
export function Arguments({ value }: ArgumentsProps) {
  const text = useTexts(LONG_TEXT);
  const isEmpty = isRecord(value) && Object.keys(value).length === 0;
  if (isEmpty || value === undefined) return <p className="text-text-3">{text.noArguments}</p>;
  return (
    <div className="flex min-w-0 flex-col gap-2">
      <Value value={value} depth={0} />
      <RawJson value={value} />
    </div>
  );
}

function Value({ value, depth }: { readonly value: unknown; readonly depth: number }) {
  if (typeof value === "string") return <LongText text={value} lines={6} />;
  if (Array.isArray(value)) return <List items={value} depth={depth} />;
  if (isRecord(value)) return <Pairs fields={value} depth={depth} />;
  return <code className="font-mono text-xs">{String(value)}</code>;
}

function Pairs({ fields, depth }: { readonly fields: Fields; readonly depth: number }) {
  if (depth >= DEEPEST) return <Json value={fields} />;
  return (
    <dl
      className={
        depth === 0
          ? "grid grid-cols-1 gap-x-4 gap-y-1.5 sm:grid-cols-[minmax(6rem,auto)_minmax(0,1fr)]"
          : "grid grid-cols-1 gap-x-3 gap-y-1 border-l border-line pl-3"
      }
    >
      {Object.entries(fields).map(([name, value]) => (
        <div key={name} className="contents">
          <dt className="font-mono text-xs leading-[1.6rem] text-text-3">{visibleName(name)}</dt>
          <dd className="min-w-0">
            <Value value={value} depth={depth + 1} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

function List({ items, depth }: { readonly items: readonly unknown[]; readonly depth: number }) {
  if (items.length === 0) return <code className="font-mono text-xs">[]</code>;
  const rows = items.filter(isRecord);
  if (rows.length === items.length && depth < DEEPEST) return <Rows rows={rows} />;
  const simple = items.filter((item) => typeof item !== "object" || item === null);
  return simple.length < items.length ? <Json value={items} /> : <Items items={simple} />;
}

function Items({ items }: { readonly items: readonly unknown[] }) {
  const text = useTexts(LONG_TEXT);
  const { shown, button } = useShowMore(items, FIRST_ITEMS);
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <ul className="flex flex-wrap items-center gap-1">
        {shown.map((item, index) => (
          <li key={index} className="min-w-0 rounded bg-raised px-1.5 font-mono text-xs">
            <Short text={String(item)} />
          </li>
        ))}
        <li className="text-xs text-text-3">{text.items(items.length)}</li>
      </ul>
      {button}
    </div>
  );
}

function Short({ text }: { readonly text: string }) {
  return text.length <= SHORT ? visibleName(text) : <LongText text={text} lines={2} />;
}

function Rows({ rows }: { readonly rows: readonly Fields[] }) {
  const text = useTexts(LONG_TEXT);
  const columns = useMemo(() => columnsOf(rows), [rows]);
  const { shown, button } = useShowMore(rows, FIRST_ROWS);
  if (columns.length > MAX_COLUMNS) return <Json value={rows} />;
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <div
        tabIndex={0}
        role="region"
        aria-label={text.items(rows.length)}
        className="max-h-80 overflow-auto rounded-lg border border-line"
      >
        <table className="w-full text-left text-xs">
          <thead className="sticky top-0 bg-raised text-text-3">
            <tr>
              {columns.map((name) => (
                <th
                  key={name}
                  scope="col"
                  className="px-2 py-1 font-mono font-normal whitespace-nowrap"
                >
                  {visibleName(name)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map((row, index) => (
              <tr key={index} className="border-t border-line align-top">
                {columns.map((name) => (
                  <td key={name} className="max-w-96 px-2 py-1">
                    <Short text={cellText(row[name])} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p className="text-xs text-text-3">{text.rows(shown.length, rows.length)}</p>
      {button}
    </div>
  );
}

/** Looks at all rows, because a column may occur in the last one only. */
function columnsOf(rows: readonly Fields[]): readonly string[] {
  const names = new Set<string>();
  for (const row of rows) {
    for (const name of Object.keys(row)) names.add(name);
    if (names.size > MAX_COLUMNS) break;
  }
  return [...names];
}

function cellText(value: unknown): string {
  if (value === undefined) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}

function Json({ value }: { readonly value: unknown }) {
  return <LongText text={JSON.stringify(value, null, 2)} lines={8} mono />;
}

function RawJson({ value }: { readonly value: unknown }) {
  const text = useTexts(LONG_TEXT);
  const [isOpen, setOpen] = useState(false);
  const json = useMemo(() => (isOpen ? JSON.stringify(value, null, 2) : ""), [isOpen, value]);
  return (
    <details className="min-w-0" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="w-fit cursor-pointer text-xs text-violet">{text.raw}</summary>
      {isOpen && (
        <div className="relative mt-1 max-h-96 overflow-auto rounded-lg border border-line bg-base p-3">
          <span className="absolute top-1 right-1">
            <CopyButton text={json} />
          </span>
          <LongText text={json} full mono />
        </div>
      )}
    </details>
  );
}
