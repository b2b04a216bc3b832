/** Lowers the baseline of test/architecture/dialect.test.ts to the current counts: `node scripts/dialect-baseline.ts`. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { countsByFolder, exceeded, lowered, sourcePatterns, type Counts } from '../test/architecture/dialect.ts';
import { readSources } from '../test/architecture/source.ts';

const path = 'test/architecture/dialect-baseline.json';
const counts = countsByFolder(readSources(...sourcePatterns));
const baseline = existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Counts) : counts;
const next = lowered(counts, baseline);
writeFileSync(path, `${JSON.stringify(next, null, 2)}\n`);
for (const line of exceeded(counts, baseline)) console.error(line);
console.log(`${Object.values(next).reduce((sum, count) => sum + count, 0)} dialect words in ${Object.keys(next).length} folders`);
