import { count } from "./format.ts";

interface Part {
  readonly name: string;
  /** Name of a colour of the style sheet. */
  readonly colour: string;
  readonly values: readonly number[];
}

interface StackedBarsProps {
  readonly title: string;
  readonly parts: readonly Part[];
  readonly limit: { readonly name: string; readonly value: number; readonly unit: string };
}

const HEIGHT = 160;
const WIDTH = 800;

/** Bars of several parts each, with a limit above them. */
export function StackedBars({ title, parts, limit }: StackedBarsProps) {
  const bars = parts[0]?.values.length ?? 0;
  const sums = Array.from({ length: bars }, (_, at) => parts.reduce((sum, { values }) => sum + (values[at] ?? 0), 0));
  const highest = Math.max(1, ...sums);
  // A limit far above all bars would flatten them; it is then told, not drawn.
  const drawn = limit.value <= highest * 4;
  const top = drawn ? Math.max(highest, limit.value) : highest;
  const width = Math.min(40, WIDTH / Math.max(1, bars));
  const y = (value: number) => HEIGHT - (value / top) * HEIGHT;
  const atMost = `${limit.name}: ${count(limit.value)} ${limit.unit}`;
  const told = `${title}: ${sums.map(count).join(", ")}; ${atMost}`;
  return (
    <figure>
      <figcaption>
        {title}
        {parts.map(({ name, colour }) => (
          <span key={name} class={`key ${colour.slice(2)}`}>
            {name}
          </span>
        ))}
        <span class="quiet">{atMost}</span>
      </figcaption>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={told.slice(0, 1000)} preserveAspectRatio="none">
        {sums.map((_, at) => {
          let base = 0;
          return parts.map(({ name, colour, values }) => {
            const value = values[at] ?? 0;
            const bar = (
              <rect
                key={`${at} ${name}`}
                class={colour.slice(2)}
                x={at * width + 1}
                width={Math.max(1, width - 2)}
                y={y(base + value)}
                height={y(base) - y(base + value)}
              />
            );
            base += value;
            return bar;
          });
        })}
        {drawn && <line x1="0" x2={WIDTH} y1={y(limit.value) + 1} y2={y(limit.value) + 1} class="limit" />}
      </svg>
    </figure>
  );
}
