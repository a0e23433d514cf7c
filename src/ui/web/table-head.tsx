/** A column's name, and for a column of numbers a tooltip. */
export type Column = string | { readonly number: string; readonly title?: string | undefined };

/** The first row of a table. */
export function TableHead({ columns }: { readonly columns: readonly Column[] }) {
  return (
    <thead>
      <tr>
        {columns.map((column) =>
          typeof column === "string" ? (
            <th scope="col" key={column}>
              {column}
            </th>
          ) : (
            <th scope="col" class="number" title={column.title} key={column.number}>
              {column.number}
            </th>
          ),
        )}
      </tr>
    </thead>
  );
}
