import { parseArgs } from 'node:util';

/**
 * How many orders a second a cluster records, from the CPU time that `npm run bench:cluster` measures. A cluster is as fast as its fullest
 * node, so it draws where stores are: each store has a shard by its hash, and the shards are dealt to the nodes in turn.
 */
const usage = `npm run bench:cluster-model -- [--worker S] [--coordinator S] [--cores N]

  --worker       CPU seconds of all workers per 10,000 orders
  --coordinator  CPU seconds of the coordinator per 10,000 orders
  --cores        of each node
`;

const { values } = parseArgs({
  options: {
    worker: { type: 'string', default: '5.5' },
    coordinator: { type: 'string', default: '0.04' },
    cores: { type: 'string', default: '8' },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) {
  process.stdout.write(usage);
  process.exit(0);
}
const cores = Number(values.cores);
const perOrder = (seconds: string): number => cores / (Number(seconds) / 10_000);
const [ofNode, ofCoordinator] = [perOrder(values.worker), perOrder(values.coordinator)];
const clusters: ReadonlyArray<readonly [nodes: number, shards: number]> = [
  [1, 32],
  [4, 32],
  [16, 64],
  [64, 256],
];
const drawsMax = 200;

/** A Pareto distribution in which a fifth of the stores has four fifths of the orders. */
const unequal = (): number => (1 - Math.random()) ** (-1 / 1.16);
const sizesOf = {
  '10,000 equal stores': () => Array.from({ length: 10_000 }, () => 1),
  '10,000 unequal stores': () => Array.from({ length: 10_000 }, unequal),
  '200 equal stores': () => Array.from({ length: 200 }, () => 1),
} as const;

/** The orders a second at which the fullest node has no idle core left. */
function capacity(sizes: readonly number[], nodes: number, shards: number): number {
  const loads = Array.from({ length: nodes }, () => 0);
  for (const size of sizes) {
    const node = Math.floor(Math.random() * shards) % nodes;
    loads[node] = (loads[node] ?? 0) + size;
  }
  const all = loads.reduce((sum, load) => sum + load, 0);
  return Math.min(ofCoordinator, (ofNode * all) / Math.max(...loads));
}

const rounded = (value: number): string => (Math.round(value / 100) * 100).toLocaleString('en-US');

process.stdout.write(`orders per second: the median of ${drawsMax} draws, and in brackets the 5th percentile\n`);
for (const [nodes, shards] of clusters) {
  const columns = Object.entries(sizesOf).map(([name, draw]) => {
    const drawn = Array.from({ length: drawsMax }, () => capacity(draw(), nodes, shards)).toSorted((a, b) => a - b);
    return `${name} ${rounded(drawn[drawsMax / 2] ?? 0)} (${rounded(drawn[drawsMax / 20] ?? 0)})`;
  });
  process.stdout.write(`${nodes} nodes, ${shards} shards: evenly spread ${rounded(nodes * ofNode)}; ${columns.join('; ')}\n`);
}
