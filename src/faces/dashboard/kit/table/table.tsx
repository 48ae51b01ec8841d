import type { ReactNode } from "react";
import { classNames } from "../class-names.ts";
import { useRowFocus } from "./use-row-focus.ts";
import "./table.css";

/** A column of a table. */
export interface Column<Row> {
  /** Its heading; the name before the value where rows are cards. */
  title: string;
  cell: (row: Row) => ReactNode;
  /** `end` for numbers and for what can be done. */
  align?: "start" | "end";
  /** As wide as what is in it. */
  isNarrow?: boolean;
  /** The heading is spoken, not shown. */
  isTitleHidden?: boolean;
}

/** The last column of a table: what can be done about each row. */
export const actionsColumn = <Row,>(cell: Column<Row>["cell"]): Column<Row> => ({
  title: "Actions",
  isTitleHidden: true,
  isNarrow: true,
  align: "end",
  cell,
});

interface TableProps<Row> {
  /** What the table lists: spoken. */
  label: string;
  rows: readonly Row[];
  /** The first one heads its row. */
  columns: readonly Column<Row>[];
  keyOf: (row: Row) => string | number;
  /** The row that is looked at elsewhere on the page. */
  isChosen?: (row: Row) => boolean;
}

/** The roles of a table's elements, said outright: laid out as cards, a table is none to some browsers. */
const ROLES = {
  table: { role: "table" },
  group: { role: "rowgroup" },
  row: { role: "row" },
  title: { role: "columnheader" },
  head: { role: "rowheader" },
  cell: { role: "cell" },
} as const;

/** Rows of one kind. On a phone each row is a card. */
export function Table<Row>({ label, rows, columns, keyOf, isChosen }: TableProps<Row>) {
  const focus = useRowFocus<HTMLTableSectionElement>();
  return (
    <div className="table-frame">
      <table className="table" aria-label={label} {...ROLES.table}>
        <thead {...ROLES.group}>
          <tr {...ROLES.row}>
            {columns.map((column) => (
              <th key={column.title} scope="col" {...ROLES.title} className={cellClass(column)}>
                <span className={column.isTitleHidden ? "visually-hidden" : undefined}>{column.title}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody {...ROLES.group} {...focus}>
          {rows.map((row) => (
            <tr key={keyOf(row)} {...ROLES.row} className={isChosen?.(row) ? "table-chosen" : undefined}>
              {columns.map((column, index) => (
                <Cell key={column.title} column={column} row={row} isFirst={index === 0} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Cell<Row>({ column, row, isFirst }: { column: Column<Row>; row: Row; isFirst: boolean }) {
  const content = (
    <>
      {!isFirst && !column.isTitleHidden && (
        <span className="table-name" aria-hidden="true">
          {column.title}
        </span>
      )}
      <span className="table-value">{column.cell(row)}</span>
    </>
  );
  return isFirst ? (
    <th scope="row" {...ROLES.head} className={cellClass(column)}>
      {content}
    </th>
  ) : (
    <td {...ROLES.cell} className={cellClass(column)}>
      {content}
    </td>
  );
}

const cellClass = <Row,>({ align, isNarrow, isTitleHidden }: Column<Row>) =>
  classNames(align === "end" && "table-end", isNarrow && "table-narrow", isTitleHidden && "table-actions") ||
  undefined;
