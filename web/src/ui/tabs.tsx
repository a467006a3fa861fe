import type { ReactNode } from "react";
import { Tab, TabList, TabPanel, Tabs as AriaTabs } from "react-aria-components";

export type TabsProps = {
  readonly label: string;
  readonly tabs: readonly {
    readonly id: string;
    readonly label: ReactNode;
    readonly content: ReactNode;
  }[];
  readonly selected?: string;
  readonly onSelect?: (id: string) => void;
};

export function Tabs({ label, tabs, selected, onSelect }: TabsProps) {
  return (
    <AriaTabs
      {...(selected === undefined ? {} : { selectedKey: selected })}
      onSelectionChange={(key) => onSelect?.(String(key))}
    >
      <TabList aria-label={label} className="flex gap-1 overflow-x-auto border-b border-line">
        {tabs.map((tab) => (
          <Tab
            key={tab.id}
            id={tab.id}
            className="cursor-pointer border-b-2 border-transparent px-3 py-2 whitespace-nowrap text-text-2 outline-none hover:text-text focus-visible:outline-2 focus-visible:-outline-offset-2 selected:border-violet selected:font-semibold selected:text-text"
          >
            {tab.label}
          </Tab>
        ))}
      </TabList>
      {tabs.map((tab) => (
        <TabPanel key={tab.id} id={tab.id} className="pt-3 outline-none">
          {tab.content}
        </TabPanel>
      ))}
    </AriaTabs>
  );
}
