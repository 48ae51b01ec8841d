// What rows hold, as the features know it: whichever engine the rows come from.

/** A row with a column for each field: NULL where the field is undefined, 1 or 0 for true or false. */
export type RowOf<Fields> = { [Name in keyof Fields]: ColumnOf<Fields[Name]> };
type ColumnOf<Value> = Value extends undefined ? null : Value extends boolean ? number : Value;

type FieldsOf<Row> = {
  [Name in keyof Row]: null extends Row[Name] ? Exclude<Row[Name], null> | undefined : Row[Name];
};

/** The fields of a row: undefined where a column is NULL. */
export const fieldsOf = <Row extends object>(row: Row) =>
  Object.fromEntries(Object.entries(row).map(([name, value]) => [name, value ?? undefined])) as FieldsOf<Row>;
