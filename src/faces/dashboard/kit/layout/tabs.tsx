import { type KeyboardEvent, type ReactNode, useId, useRef } from "react";
import { classNames } from "../class-names.ts";
import "./tabs.css";

/** One of the views that tabs choose between. */
export interface Tab<Name extends string = string> {
  name: Name;
  label: string;
  /** How many there are. */
  count?: number;
}

interface TabsProps<Name extends string> {
  /** What is chosen here: spoken. */
  label: string;
  tabs: readonly Tab<Name>[];
  current: Name;
  onChange: (name: Name) => void;
  /** The view that is chosen. */
  children?: ReactNode;
}

const STEPS: Record<string, number> = { ArrowRight: 1, ArrowLeft: -1 };

/** Views of one thing, one at a time. Arrow keys move, as the ARIA pattern has it. */
export function Tabs<Name extends string>({ label, tabs, current, onChange, children }: TabsProps<Name>) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const choose = (index: number) => {
    const tab = tabs.at(index % tabs.length);
    if (!tab) return;
    onChange(tab.name);
    list.current?.querySelectorAll<HTMLElement>('[role="tab"]').item(tabs.indexOf(tab)).focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const index = tabs.findIndex(({ name }) => name === current);
    const step = STEPS[event.key];
    if (step !== undefined) choose(index + step);
    else if (event.key === "Home") choose(0);
    else if (event.key === "End") choose(-1);
    else return;
    event.preventDefault();
  };
  return (
    <>
      <div className="tabs" role="tablist" aria-label={label} ref={list} onKeyDown={onKeyDown}>
        {tabs.map((tab) => (
          <button
            key={tab.name}
            type="button"
            role="tab"
            id={`${id}-${tab.name}`}
            className={classNames("tab", tab.name === current && "tab-current")}
            aria-selected={tab.name === current}
            aria-controls={children === undefined ? undefined : `${id}-panel`}
            tabIndex={tab.name === current ? 0 : -1}
            onClick={() => onChange(tab.name)}
          >
            {tab.label}
            {tab.count !== undefined && <span className="tab-count">{tab.count}</span>}
          </button>
        ))}
      </div>
      {children !== undefined && (
        <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${current}`}>
          {children}
        </div>
      )}
    </>
  );
}
