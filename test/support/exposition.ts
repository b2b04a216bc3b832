export type Sample = { readonly name: string; readonly labels: Readonly<Record<string, string>>; readonly value: number };

const line = /^([a-z_]\w*)(?:\{(.*)\})? (\S+)$/i;

/** What Prometheus would read. A line that is none fails. */
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

export type Asked = {
  readonly metric: string;
  /** `{label="value"}`, with the sign between. */
  readonly matchers: ReadonlyArray<{ readonly label: string; readonly sign: string; readonly value: string }>;
};
export type Expression = {
  readonly asked: readonly Asked[];
  /** Of `by (…)`, and those that a text shows. */ readonly labels: readonly string[];
};

/** Which metrics an expression of Prometheus asks for, by which labels. Enough for ours: no names with dots, no `__name__`. */
export function readExpression(text: string): Expression {
  const asked = [...text.matchAll(/\b(tributary_\w+)(?:\{([^}]*)\})?/g)].map(([, metric = '', inside = '']) => ({
    metric,
    matchers: [...inside.matchAll(/(\w+)(=~|!~|!=|=)"([^"]*)"/g)].map(([, label = '', sign = '', value = '']) => ({ label, sign, value })),
  }));
  const labels = [...text.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, list = '']) => list.split(',').map((label) => label.trim()));
  return { asked, labels };
}
