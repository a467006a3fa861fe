import { Braces, Download, Sheet } from "lucide-react";
import { useRef, useState } from "react";
import { type Paged, readAll } from "../api/read-all.ts";
import { COMMON } from "../i18n/common.ts";
import { useFormat } from "../i18n/format.ts";
import { defineTexts, useTexts } from "../i18n/texts.ts";
import { type CsvCell, csvText } from "../text/csv.ts";
import { Button } from "./button.tsx";
import { Dialog } from "./dialog.tsx";
import { Menu } from "./menu.tsx";
import { fileName, saveFile } from "./save-file.ts";
import { useAction } from "./use-action.ts";

const TEXTS = defineTexts({
  ja: {
    export: "エクスポート",
    csv: "CSV (Excel)",
    json: "JSON",
    title: "エクスポート中",
    soFar: (count: string) => `${count} 件を読み込みました`,
    note: "条件に合うものをすべて読み込んでから、ファイルに保存します。",
    done: (count: string) => `${count} 件を保存しました`,
  },
  en: {
    export: "Export",
    csv: "CSV (Excel)",
    json: "JSON",
    title: "Exporting",
    soFar: (count) => `${count} loaded so far`,
    note: "Everything that matches is loaded, then saved to a file.",
    done: (count) => `${count} saved`,
  },
});

export type ExportMenuProps<Item> = {
  /** Beginning of the file name. */
  readonly name: string;
  readonly readPage: (cursor: string | null, signal: AbortSignal) => Promise<Paged<Item>>;
  /** Rows including the header; without it no CSV is offered. */
  readonly csv?: (items: readonly Item[]) => readonly (readonly CsvCell[])[];
  readonly isDisabled?: boolean;
};

/** Exports everything that matches, not only what the page has loaded. */
export function ExportMenu<Item>({ name, readPage, csv, isDisabled }: ExportMenuProps<Item>) {
  const text = useTexts(TEXTS);
  const format = useFormat();
  const [count, setCount] = useState<number | null>(null);
  const [saved, setSaved] = useState<number | null>(null);
  const stop = useRef<AbortController>(null);
  const action = useAction(async (kind: "csv" | "json") => {
    const control = new AbortController();
    stop.current = control;
    setSaved(null);
    setCount(0);
    try {
      const items = await readAll(readPage, setCount, control.signal);
      if (kind === "csv" && csv) {
        saveFile(fileName(name, "csv"), "text/csv;charset=utf-8", [csvText(csv(items))]);
      } else {
        const json = JSON.stringify(items, null, 2);
        saveFile(fileName(name, "json"), "application/json", [json]);
      }
      setSaved(items.length);
    } catch (error) {
      if (!control.signal.aborted) throw error;
    } finally {
      setCount(null);
    }
  });
  const icon = { size: 14, "aria-hidden": true } as const;
  return (
    <>
      <span role="status" className="text-xs text-text-3 empty:absolute">
        {saved !== null && text.done(format.number(saved))}
      </span>
      <Menu
        label={text.export}
        trigger={
          <Button icon={<Download {...icon} />} isDisabled={isDisabled || action.isRunning}>
            {text.export}
          </Button>
        }
        actions={[
          ...(csv
            ? [
                {
                  id: "csv",
                  label: text.csv,
                  icon: <Sheet {...icon} />,
                  run: () => void action.run("csv"),
                },
              ]
            : []),
          {
            id: "json",
            label: text.json,
            icon: <Braces {...icon} />,
            run: () => void action.run("json"),
          },
        ]}
      />
      {count !== null && <Progress count={count} onStop={() => stop.current?.abort()} />}
    </>
  );
}

function Progress({ count, onStop }: { readonly count: number; readonly onStop: () => void }) {
  const text = useTexts(TEXTS);
  const common = useTexts(COMMON);
  const format = useFormat();
  return (
    <Dialog title={text.title} isOpen onClose={onStop}>
      <p role="status" className="font-mono text-lg">
        {text.soFar(format.number(count))}
      </p>
      <div aria-hidden className="my-3 h-1.5 overflow-hidden rounded-full bg-raised">
        <div className="h-full w-1/3 animate-blink rounded-full bg-violet" />
      </div>
      <p className="mb-4 text-text-2">{text.note}</p>
      <div className="flex justify-end">
        <Button onPress={onStop}>{common.cancel}</Button>
      </div>
    </Dialog>
  );
}
