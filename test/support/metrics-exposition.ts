export type Sample = { readonly name: string; readonly labels: Readonly<Record<string, string>>; readonly value: number };

const line = /^([a-z_]\w*)(?:\{(.*)\})? (\S+)$/i;

/** Parses the Prometheus text format. An invalid line fails. */
export function readExposition(text: string): readonly Sample[] {
  const lines = text.split('\n').filter((each) => each !== '' && !each.startsWith('#'));
  return lines.map((each) => {
    const [, name = '', labels = '', value = ''] = line.exec(each) ?? [];
    if (name === '') throw new Error(`this is no sample: ${each}`);
    return {
      name,
      labels: Object.fromEntries([...labels.matchAll(/(\w+)="([^"]*)"/g)].map(([, key, word]) => [key, word])),
      value: Number(value),
    };
  });
}

export type MetricSelector = {
  readonly metric: string;
  /** `{label="value"}`, with the operator between. */
  readonly matchers: ReadonlyArray<{ readonly label: string; readonly sign: string; readonly value: string }>;
};
export type Expression = {
  readonly selectors: readonly MetricSelector[];
  /** The labels of `by (…)`, and those in a legend. */ readonly labels: readonly string[];
};

/** The metrics and labels of a PromQL expression. Covers our expressions: no names with dots, no `__name__`. */
export function readExpression(text: string): Expression {
  const selectors = [...text.matchAll(/\b(tributary_\w+)(?:\{([^}]*)\})?/g)].map(([, metric = '', inside = '']) => ({
    metric,
    matchers: [...inside.matchAll(/(\w+)(=~|!~|!=|=)"([^"]*)"/g)].map(([, label = '', sign = '', value = '']) => ({ label, sign, value })),
  }));
  const labels = [...text.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, list = '']) => list.split(',').map((label) => label.trim()));
  return { selectors, labels };
}
