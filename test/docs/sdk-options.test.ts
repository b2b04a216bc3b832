import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

test('the table of sdk/README.md lists exactly the options of its types', () => {
  const guide = readFileSync('sdk/README.md', 'utf8');
  const rows = [...guide.matchAll(/^\| `(\w+)` \| `(\w+)` \|/gm)].map(([, of, option]) => `${of} ${option}`);
  const optionsOf = (of: string, file: string, type: string) => {
    const source = readFileSync(`sdk/src/${file}`, 'utf8');
    const [, fields = ''] = new RegExp(`^export type ${type}\\S* = \\{([^]*?)^\\};`, 'm').exec(source) ?? [];
    const names = [...fields.matchAll(/^  readonly (\w+)\??:/gm)].map(([, name]) => `${of} ${name}`);
    expect(names, type).not.toEqual([]);
    return names;
  };
  expect(rows.sort()).toEqual(
    [
      ...optionsOf('createTributary', 'tributary.ts', 'TributaryOptions'),
      ...optionsOf('createQueue', 'queue.ts', 'QueueOptions'),
      ...optionsOf('captureForWeb', 'capture.ts', 'CaptureOptions'),
      ...optionsOf('createStripeBridge', 'stripe.ts', 'StripeBridgeOptions'),
      ...optionsOf('createManagementClient', 'management.ts', 'ManagementOptions'),
    ].sort(),
  );
});
