/** Rows of things, with a way into each. On a narrow screen every row is a small card. */
import type { ComponentChildren } from "preact";

export interface Column<T> {
  label: string;
  show(row: T): ComponentChildren;
  number?: boolean;
  /** The column that names the row. */
  name?: boolean;
}

interface DataTableProps<T> {
  label: string;
  rows: T[];
  columns: Column<T>[];
  keyOf(row: T): string | number;
}

export function DataTable<T>({ label, rows, columns, keyOf }: DataTableProps<T>) {
  return (
    <div class="data-scroll" tabIndex={0} role="region" aria-label={label}>
      <table class="data">
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.label} scope="col" class={column.number ? "number" : ""}>
                {column.label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)}>
              {columns.map((column) => (
                <td key={column.label} data-label={column.label} class={`${column.number ? "number" : ""}${column.name ? " name" : ""}`}>
                  {column.show(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
