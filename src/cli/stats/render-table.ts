/** Lines of a table, the first being its head; so many columns stand to the left, numbers to the right. */
export function renderTable(rows: readonly (readonly string[])[], leftColumns: number): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((cells) => cells[column]?.length ?? 0)));
  const align = (cell: string, column: number): string =>
    column < leftColumns ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0);
  return rows.map((cells) => cells.map(align).join("  ").trimEnd());
}
